/// All commands of the Security Manager Protocol, in the order of their codes: for the dissector, the generator, tests.
package enum SMPCatalogue {
    package static let all: [any SMPPDU.Type] = [
        SMPPairingRequest.self,
        SMPPairingResponse.self,
        SMPPairingConfirm.self,
        SMPPairingRandom.self,
        SMPPairingFailed.self,
        SMPEncryptionInformation.self,
        SMPCentralIdentification.self,
        SMPIdentityInformation.self,
        SMPIdentityAddressInformation.self,
        SMPSigningInformation.self,
        SMPSecurityRequest.self,
        SMPPairingPublicKey.self,
        SMPPairingDHKeyCheck.self,
        SMPPairingKeypressNotification.self,
    ]
}
