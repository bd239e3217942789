import BLEWire

/// Connection parameters and channel map. [Vol 6, Part B, 5.1.1], [Vol 6, Part B, 5.1.2], [Vol 6, Part B, 5.1.7]
extension LinkEnd {
    /// A central gives the link other parameters; anchors move by `windowOffset` units of 1.25 ms at the instant.
    mutating func beginUpdate(_ wish: ParameterWish, windowOffset: UInt16, into events: inout [LinkEvent]) {
        let update = LLConnectionUpdateInd(
            windowSize: 1, windowOffset: windowOffset, interval: wish.interval, latency: wish.latency,
            timeout: wish.timeout, instant: nextInstant)
        timing.pending.update = update
        procedures.deadline = .never
        queue(.connectionUpdateInd(update))
        events.append(.proceduresChanged)
    }

    mutating func beginChannelMap(_ map: ChannelMap) {
        let update = LLChannelMapInd(channelMap: map.bits, instant: nextInstant)
        timing.pending.map = update
        procedures.deadline = .never
        queue(.channelMapInd(update))
    }

    mutating func beginParameterRequest(_ parameters: LLConnectionParameters, into events: inout [LinkEvent]) {
        // What is known to be unsupported isn't asked for.
        if let remoteFeatures, !remoteFeatures.contains(.connectionParametersRequest) {
            endProcedure(into: &events)
            events.append(.parametersUpdated(.unsupportedRemoteFeature))
            return
        }
        var parameters = parameters
        parameters.referenceEventCount = timing.counter
        queue(.connectionParamReq(LLConnectionParamReq(parameters: parameters)))
    }

    /// The peer asks for parameters: a collision, or a matter for the host. [Vol 6, Part B, 5.3]
    mutating func receive(_ pdu: LLConnectionParamReq, at now: Instant, into events: inout [LinkEvent]) {
        let parameters = pdu.parameters
        guard parameters.isValid else { return reject(.connectionParamReq, .invalidLLParameters) }
        guard procedures.remote == nil else { return reject(.connectionParamReq, .differentTransactionCollision) }
        if role == .central {
            if case .requestParameters = procedures.active {
                return reject(.connectionParamReq, .llProcedureCollision)
            }
            if procedures.active?.usesInstant == true || !timing.pending.isEmpty {
                return reject(.connectionParamReq, .differentTransactionCollision)
            }
        }
        procedures.remote = .parameters
        events.append(.parametersRequested(parameters))
    }

    /// A peripheral's host agrees with what the central asked for.
    mutating func answerParameters(_ parameters: LLConnectionParameters, at now: Instant) {
        var parameters = parameters
        parameters.referenceEventCount = timing.counter
        procedures.deadline = now + Procedures.responseTimeout
        queue(.connectionParamRsp(LLConnectionParamRsp(parameters: parameters)))
    }

    mutating func refuseParameters(_ reason: HCIStatus) {
        procedures.remote = nil
        reject(.connectionParamReq, reason)
    }

    mutating func receive(_ pdu: LLConnectionUpdateInd, into events: inout [LinkEvent]) {
        // What no link can have isn't taken up; the link then ends by its supervision time-out if it was meant.
        guard (6...3200).contains(pdu.interval), pdu.latency <= 499, (10...3200).contains(pdu.timeout),
            Int(pdu.timeout) * 4 > (1 + Int(pdu.latency)) * Int(pdu.interval),
            (1...8).contains(pdu.windowSize), UInt16(pdu.windowSize) < pdu.interval, pdu.windowOffset <= pdu.interval
        else { return }
        guard isAhead(pdu.instant) else { return events.append(.closed(.instantPassed)) }
        timing.pending.update = pdu
        procedures.deadline = .never
    }

    mutating func receive(_ pdu: LLChannelMapInd, into events: inout [LinkEvent]) {
        guard ChannelMap(bits: pdu.channelMap).isUsable else { return }
        guard isAhead(pdu.instant) else { return events.append(.closed(.instantPassed)) }
        timing.pending.map = pdu
    }
}
