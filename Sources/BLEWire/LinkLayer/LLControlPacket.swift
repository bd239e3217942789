/// Any link layer control PDU: the concrete entry for who receives them. [Vol 6, Part B, 2.4.2]
package enum LLControlPacket: Equatable, Sendable {
    case connectionUpdateInd(LLConnectionUpdateInd)
    case channelMapInd(LLChannelMapInd)
    case terminateInd(LLTerminateInd)
    case encReq(LLEncReq)
    case encRsp(LLEncRsp)
    case startEncReq(LLStartEncReq)
    case startEncRsp(LLStartEncRsp)
    case unknownRsp(LLUnknownRsp)
    case featureReq(LLFeatureReq)
    case featureRsp(LLFeatureRsp)
    case pauseEncReq(LLPauseEncReq)
    case pauseEncRsp(LLPauseEncRsp)
    case versionInd(LLVersionInd)
    case rejectInd(LLRejectInd)
    case peripheralFeatureReq(LLPeripheralFeatureReq)
    case connectionParamReq(LLConnectionParamReq)
    case connectionParamRsp(LLConnectionParamRsp)
    case rejectExtInd(LLRejectExtInd)
    case pingReq(LLPingReq)
    case pingRsp(LLPingRsp)
    case lengthReq(LLLengthReq)
    case lengthRsp(LLLengthRsp)
    case phyReq(LLPHYReq)
    case phyRsp(LLPHYRsp)
    case phyUpdateInd(LLPHYUpdateInd)
    case minUsedChannelsInd(LLMinUsedChannelsInd)
    /// An opcode that is not known here, with what follows it.
    case unknown(LLOpcode, [UInt8])

    /// Reads the payload of a control PDU, opcode first. A length that isn't that of the PDU is an error.
    package init(decoding payload: RawSpan) throws(WireError) {
        var reader = WireReader(payload)
        var opcode = LLOpcode(rawValue: 0)
        try reader.field("Opcode", &opcode)
        let body = payload.extracting(droppingFirst: 1)
        switch opcode {
        case .connectionUpdateInd: self = .connectionUpdateInd(try LLConnectionUpdateInd(decoding: body))
        case .channelMapInd: self = .channelMapInd(try LLChannelMapInd(decoding: body))
        case .terminateInd: self = .terminateInd(try LLTerminateInd(decoding: body))
        case .encReq: self = .encReq(try LLEncReq(decoding: body))
        case .encRsp: self = .encRsp(try LLEncRsp(decoding: body))
        case .startEncReq: self = .startEncReq(try LLStartEncReq(decoding: body))
        case .startEncRsp: self = .startEncRsp(try LLStartEncRsp(decoding: body))
        case .unknownRsp: self = .unknownRsp(try LLUnknownRsp(decoding: body))
        case .featureReq: self = .featureReq(try LLFeatureReq(decoding: body))
        case .featureRsp: self = .featureRsp(try LLFeatureRsp(decoding: body))
        case .pauseEncReq: self = .pauseEncReq(try LLPauseEncReq(decoding: body))
        case .pauseEncRsp: self = .pauseEncRsp(try LLPauseEncRsp(decoding: body))
        case .versionInd: self = .versionInd(try LLVersionInd(decoding: body))
        case .rejectInd: self = .rejectInd(try LLRejectInd(decoding: body))
        case .peripheralFeatureReq: self = .peripheralFeatureReq(try LLPeripheralFeatureReq(decoding: body))
        case .connectionParamReq: self = .connectionParamReq(try LLConnectionParamReq(decoding: body))
        case .connectionParamRsp: self = .connectionParamRsp(try LLConnectionParamRsp(decoding: body))
        case .rejectExtInd: self = .rejectExtInd(try LLRejectExtInd(decoding: body))
        case .pingReq: self = .pingReq(try LLPingReq(decoding: body))
        case .pingRsp: self = .pingRsp(try LLPingRsp(decoding: body))
        case .lengthReq: self = .lengthReq(try LLLengthReq(decoding: body))
        case .lengthRsp: self = .lengthRsp(try LLLengthRsp(decoding: body))
        case .phyReq: self = .phyReq(try LLPHYReq(decoding: body))
        case .phyRsp: self = .phyRsp(try LLPHYRsp(decoding: body))
        case .phyUpdateInd: self = .phyUpdateInd(try LLPHYUpdateInd(decoding: body))
        case .minUsedChannelsInd: self = .minUsedChannelsInd(try LLMinUsedChannelsInd(decoding: body))
        default:
            var octets: [UInt8] = []
            try reader.rest("CtrData", &octets, limit: 0xFF)
            self = .unknown(opcode, octets)
        }
    }

    package init(decoding payload: [UInt8]) throws(WireError) { try unsafe self.init(decoding: payload.span.bytes) }

    package var opcode: LLOpcode {
        switch self {
        case .connectionUpdateInd: .connectionUpdateInd
        case .channelMapInd: .channelMapInd
        case .terminateInd: .terminateInd
        case .encReq: .encReq
        case .encRsp: .encRsp
        case .startEncReq: .startEncReq
        case .startEncRsp: .startEncRsp
        case .unknownRsp: .unknownRsp
        case .featureReq: .featureReq
        case .featureRsp: .featureRsp
        case .pauseEncReq: .pauseEncReq
        case .pauseEncRsp: .pauseEncRsp
        case .versionInd: .versionInd
        case .rejectInd: .rejectInd
        case .peripheralFeatureReq: .peripheralFeatureReq
        case .connectionParamReq: .connectionParamReq
        case .connectionParamRsp: .connectionParamRsp
        case .rejectExtInd: .rejectExtInd
        case .pingReq: .pingReq
        case .pingRsp: .pingRsp
        case .lengthReq: .lengthReq
        case .lengthRsp: .lengthRsp
        case .phyReq: .phyReq
        case .phyRsp: .phyRsp
        case .phyUpdateInd: .phyUpdateInd
        case .minUsedChannelsInd: .minUsedChannelsInd
        case .unknown(let opcode, _): opcode
        }
    }

    /// The payload, opcode first.
    package func encoded() throws(WireError) -> [UInt8] {
        var writer = WireWriter()
        var opcode = self.opcode
        try writer.field("Opcode", &opcode)
        switch self {
        case .connectionUpdateInd(let pdu): try pdu.encode(into: &writer)
        case .channelMapInd(let pdu): try pdu.encode(into: &writer)
        case .terminateInd(let pdu): try pdu.encode(into: &writer)
        case .encReq(let pdu): try pdu.encode(into: &writer)
        case .encRsp(let pdu): try pdu.encode(into: &writer)
        case .startEncReq(let pdu): try pdu.encode(into: &writer)
        case .startEncRsp(let pdu): try pdu.encode(into: &writer)
        case .unknownRsp(let pdu): try pdu.encode(into: &writer)
        case .featureReq(let pdu): try pdu.encode(into: &writer)
        case .featureRsp(let pdu): try pdu.encode(into: &writer)
        case .pauseEncReq(let pdu): try pdu.encode(into: &writer)
        case .pauseEncRsp(let pdu): try pdu.encode(into: &writer)
        case .versionInd(let pdu): try pdu.encode(into: &writer)
        case .rejectInd(let pdu): try pdu.encode(into: &writer)
        case .peripheralFeatureReq(let pdu): try pdu.encode(into: &writer)
        case .connectionParamReq(let pdu): try pdu.encode(into: &writer)
        case .connectionParamRsp(let pdu): try pdu.encode(into: &writer)
        case .rejectExtInd(let pdu): try pdu.encode(into: &writer)
        case .pingReq(let pdu): try pdu.encode(into: &writer)
        case .pingRsp(let pdu): try pdu.encode(into: &writer)
        case .lengthReq(let pdu): try pdu.encode(into: &writer)
        case .lengthRsp(let pdu): try pdu.encode(into: &writer)
        case .phyReq(let pdu): try pdu.encode(into: &writer)
        case .phyRsp(let pdu): try pdu.encode(into: &writer)
        case .phyUpdateInd(let pdu): try pdu.encode(into: &writer)
        case .minUsedChannelsInd(let pdu): try pdu.encode(into: &writer)
        case .unknown(_, var octets): try writer.rest("CtrData", &octets, limit: 0xFF)
        }
        return writer.finish()
    }
}
