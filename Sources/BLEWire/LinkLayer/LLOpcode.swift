/// The opcode of a link layer control PDU. [Vol 6, Part B, 2.4.2]
package struct LLOpcode: WireCode {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let connectionUpdateInd = LLOpcode(rawValue: 0x00)
    package static let channelMapInd = LLOpcode(rawValue: 0x01)
    package static let terminateInd = LLOpcode(rawValue: 0x02)
    package static let encReq = LLOpcode(rawValue: 0x03)
    package static let encRsp = LLOpcode(rawValue: 0x04)
    package static let startEncReq = LLOpcode(rawValue: 0x05)
    package static let startEncRsp = LLOpcode(rawValue: 0x06)
    package static let unknownRsp = LLOpcode(rawValue: 0x07)
    package static let featureReq = LLOpcode(rawValue: 0x08)
    package static let featureRsp = LLOpcode(rawValue: 0x09)
    package static let pauseEncReq = LLOpcode(rawValue: 0x0A)
    package static let pauseEncRsp = LLOpcode(rawValue: 0x0B)
    package static let versionInd = LLOpcode(rawValue: 0x0C)
    package static let rejectInd = LLOpcode(rawValue: 0x0D)
    package static let peripheralFeatureReq = LLOpcode(rawValue: 0x0E)
    package static let connectionParamReq = LLOpcode(rawValue: 0x0F)
    package static let connectionParamRsp = LLOpcode(rawValue: 0x10)
    package static let rejectExtInd = LLOpcode(rawValue: 0x11)
    package static let pingReq = LLOpcode(rawValue: 0x12)
    package static let pingRsp = LLOpcode(rawValue: 0x13)
    package static let lengthReq = LLOpcode(rawValue: 0x14)
    package static let lengthRsp = LLOpcode(rawValue: 0x15)
    package static let phyReq = LLOpcode(rawValue: 0x16)
    package static let phyRsp = LLOpcode(rawValue: 0x17)
    package static let phyUpdateInd = LLOpcode(rawValue: 0x18)
    package static let minUsedChannelsInd = LLOpcode(rawValue: 0x19)
}

/// A link layer control PDU without its opcode. [Vol 6, Part B, 2.4.2]
package protocol LLControlPDU: WirePDU {
    static var opcode: LLOpcode { get }
}
