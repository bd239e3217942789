import BLEWire

extension LinkEnd {
    /// Answers that wait; a peer that asks without acknowledging gets no more than these.
    private static let answerLimit = 64

    /// A control PDU has arrived: opcode and what follows. [Vol 6, Part B, 2.4.2]
    mutating func receiveControl(_ payload: [UInt8], at now: Instant, into events: inout [LinkEvent]) {
        guard controls.count < Self.answerLimit else { return }
        let packet: LLControlPacket
        do throws(WireError) {
            packet = try LLControlPacket(decoding: payload)
        } catch {
            if encryption.step != .idle {
                if !keepsForLater(nil) { events.append(.closed(.micFailure)) }
                return
            }
            // A known opcode with another length than its own is as unknown. [Vol 6, Part B, 5.3]
            if let opcode = payload.first, opcode != LLOpcode.unknownRsp.rawValue {
                answerUnknown(LLOpcode(rawValue: opcode))
            }
            return
        }
        if encryption.step != .idle, encryption.verdict(on: packet.opcode) != .handle {
            if !keepsForLater(packet) { events.append(.closed(.micFailure)) }
            return
        }
        if receiveEncryption(packet, at: now, into: &events) { return }
        handle(packet, at: now, into: &events)
    }

    /// Handles what had to wait until the link was encrypted.
    mutating func handleDeferred(at now: Instant, into events: inout [LinkEvent]) {
        let packets = encryption.deferred
        encryption.deferred = []
        for packet in packets { handle(packet, at: now, into: &events) }
    }

    private mutating func handle(_ packet: LLControlPacket, at now: Instant, into events: inout [LinkEvent]) {
        switch packet {
        case .connectionUpdateInd(let pdu) where role == .peripheral: receive(pdu, into: &events)
        case .channelMapInd(let pdu) where role == .peripheral: receive(pdu, into: &events)
        case .phyUpdateInd(let pdu) where role == .peripheral && knowsPHYs: receive(pdu, into: &events)
        case .terminateInd(let pdu): closesAfterSending = pdu.reason
        case .featureReq(let pdu) where role == .peripheral: answerFeatures(pdu.features)
        case .peripheralFeatureReq(let pdu)
        where role == .central && local.features.contains(.peripheralInitiatedFeaturesExchange):
            answerFeatures(pdu.features)
        case .featureRsp(let pdu): receive(pdu, into: &events)
        case .versionInd(let pdu): receive(pdu, into: &events)
        case .connectionParamReq(let pdu) where local.features.contains(.connectionParametersRequest):
            receive(pdu, at: now, into: &events)
        case .connectionParamRsp where local.features.contains(.connectionParametersRequest):
            // Only an answer to a central's request, which this central makes by updating at once.
            break
        case .pingReq where local.features.contains(.ping): queue(.pingRsp(LLPingRsp()))
        case .pingRsp: if procedures.active == .ping { endProcedure(into: &events) }
        case .lengthReq(let pdu) where local.features.contains(.dataPacketLengthExtension): receive(pdu, into: &events)
        case .lengthRsp(let pdu) where local.features.contains(.dataPacketLengthExtension): receive(pdu, into: &events)
        case .phyReq(let pdu) where knowsPHYs: receive(pdu, into: &events)
        case .phyRsp(let pdu) where knowsPHYs: receive(pdu, into: &events)
        case .minUsedChannelsInd where role == .central && local.features.contains(.minimumUsedChannels):
            // Every map that the central chooses has all channels that its host allows: nothing to be done.
            break
        case .unknownRsp(let pdu): refused(pdu.unknown, .unsupportedRemoteFeature, into: &events)
        case .rejectInd(let pdu): refused(nil, pdu.reason, into: &events)
        case .rejectExtInd(let pdu): refused(pdu.rejected, pdu.reason, into: &events)
        default: answerUnknown(packet.opcode)
        }
    }

    private var knowsPHYs: Bool { local.features.contains(.le2M) || local.features.contains(.leCoded) }

    private mutating func answerUnknown(_ opcode: LLOpcode) { queue(.unknownRsp(LLUnknownRsp(unknown: opcode))) }

    /// Refuses a PDU of the peer. [Vol 6, Part B, 2.4.2.18]
    mutating func reject(_ opcode: LLOpcode, _ reason: HCIStatus) {
        if let remoteFeatures, !remoteFeatures.contains(.extendedRejectIndication) {
            queue(.rejectInd(LLRejectInd(reason: reason)))
        } else {
            queue(.rejectExtInd(LLRejectExtInd(rejected: opcode, reason: reason)))
        }
    }

    /// The peer has refused what this end asked for; a PDU that wasn't sent is no matter.
    private mutating func refused(_ opcode: LLOpcode?, _ reason: HCIStatus, into events: inout [LinkEvent]) {
        switch procedures.active {
        case .features where opcode == nil || opcode == .featureReq || opcode == .peripheralFeatureReq:
            endProcedure(into: &events)
            events.append(.featuresRead(reason))
        case .version where opcode == nil || opcode == .versionInd:
            endProcedure(into: &events)
            events.append(.versionRead(reason))
        case .requestParameters where opcode == nil || opcode == .connectionParamReq:
            endProcedure(into: &events)
            events.append(.parametersUpdated(reason))
        case .phy where opcode == nil || opcode == .phyReq:
            endProcedure(into: &events)
            events.append(.phyUpdated(reason))
        case .dataLength where opcode == nil || opcode == .lengthReq: endProcedure(into: &events)
        // That the peer doesn't know it is an answer as good as any.
        case .ping where opcode == nil || opcode == .pingReq: endProcedure(into: &events)
        case .encryption where opcode == nil || opcode == .encReq:
            // A key that is renewed can't be refused any more once the old one is off.
            if encryption.isRefresh { return events.append(.closed(reason)) }
            encryptionRefused(reason, into: &events)
        default: break
        }
    }
}
