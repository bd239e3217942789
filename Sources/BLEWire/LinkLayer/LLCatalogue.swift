/// The link layer PDUs that are known here, for cold users: the dissector, the generator, tests, the coverage report.
package enum LLCatalogue {
    package static let advertising: [any LLAdvertisingPDU.Type] = [
        LLAdvInd.self, LLAdvDirectInd.self, LLAdvNonconnInd.self, LLAdvScanInd.self, LLScanReq.self, LLScanRsp.self,
        LLConnectInd.self, LLExtendedAdvertising.self, LLAuxConnectRsp.self,
    ]
    /// What stands inside of them and has fields of its own.
    package static let structures: [any WirePDU.Type] = [LLExtendedHeader.self]
    package static let control: [any LLControlPDU.Type] = [
        LLConnectionUpdateInd.self,
        LLChannelMapInd.self,
        LLTerminateInd.self,
        LLEncReq.self,
        LLEncRsp.self,
        LLStartEncReq.self,
        LLStartEncRsp.self,
        LLUnknownRsp.self,
        LLFeatureReq.self,
        LLFeatureRsp.self,
        LLPauseEncReq.self,
        LLPauseEncRsp.self,
        LLVersionInd.self,
        LLRejectInd.self,
        LLPeripheralFeatureReq.self,
        LLConnectionParamReq.self,
        LLConnectionParamRsp.self,
        LLRejectExtInd.self,
        LLPingReq.self,
        LLPingRsp.self,
        LLLengthReq.self,
        LLLengthRsp.self,
        LLPHYReq.self,
        LLPHYRsp.self,
        LLPHYUpdateInd.self,
        LLMinUsedChannelsInd.self,
    ]
    package static var all: [any WirePDU.Type] { advertising + structures + control }
}
