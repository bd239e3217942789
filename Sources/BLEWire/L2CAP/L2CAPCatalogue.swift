/// The L2CAP PDUs that are known here, for cold users.
package enum L2CAPCatalogue {
    package static let signals: [any L2CAPSignallingPDU.Type] = [
        L2CAPCommandReject.self,
        L2CAPDisconnectionRequest.self,
        L2CAPDisconnectionResponse.self,
        L2CAPConnectionParameterUpdateRequest.self,
        L2CAPConnectionParameterUpdateResponse.self,
        L2CAPLECreditBasedConnectionRequest.self,
        L2CAPLECreditBasedConnectionResponse.self,
        L2CAPFlowControlCredit.self,
        L2CAPCreditBasedConnectionRequest.self,
        L2CAPCreditBasedConnectionResponse.self,
        L2CAPCreditBasedReconfigureRequest.self,
        L2CAPCreditBasedReconfigureResponse.self,
    ]
}
