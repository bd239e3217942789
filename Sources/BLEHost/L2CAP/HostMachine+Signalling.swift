import BLEWire

// The L2CAP signalling channel of LE links. [Vol 3, Part A, 4]
extension HostMachine {
    mutating func receiveSignalling(
        _ pdu: [UInt8], linkAt index: Int, at now: Instant, into out: inout [HostOutput]
    ) {
        defer { noteDeadline(of: index) }
        let handle = links.all[index].handle
        // An answer goes only to a request that can be named. Identifier 0 is none. [Vol 3, Part A, 4]
        let identifier = pdu.count >= 2 ? pdu[1] : 0
        let isAnswerable = identifier != 0 && L2CAPSignallingCode(rawValue: pdu[0]).mayAsk
        if pdu.count > L2CAPSignallingPacket.minimumMTU, !asksForSeveralChannels(pdu) {
            trace(.notice, "l2cap", "\(handle): a signalling PDU of \(pdu.count) octets", into: &out)
            guard isAnswerable else { return }
            let limit = L2CAPSignallingPacket.minimumMTU
            let reject = L2CAPCommandReject(
                reason: .signallingMTUExceeded, data: [UInt8(limit & 0xFF), UInt8(limit >> 8)])
            return answer(reject, identifier, linkAt: index, into: &out)
        }
        do throws(WireError) {
            let packet = try L2CAPSignallingPacket(decoding: pdu)
            if case .malformed(.creditBasedConnectionRequest, _) = packet.signal {
                return refuseUnreadable(pdu, identifier, linkAt: index, into: &out)
            }
            receive(packet.signal, packet.identifier, linkAt: index, at: now, into: &out)
        } catch {
            trace(.notice, "l2cap", "\(handle): a signalling PDU that can't be read: \(error)", into: &out)
            if isAnswerable { answer(L2CAPCommandReject(), identifier, linkAt: index, into: &out) }
        }
    }

    private mutating func receive(
        _ signal: L2CAPSignal, _ identifier: UInt8, linkAt index: Int, at now: Instant, into out: inout [HostOutput]
    ) {
        switch signal {
        case .connectionParameterUpdateRequest(let request):
            // Only a central decides. [Vol 3, Part A, 4.20]
            guard links.all[index].info.isCentral else {
                return answer(L2CAPCommandReject(), identifier, linkAt: index, into: &out)
            }
            let isGranted = grant(request.parameters, linkAt: index)
            answer(
                L2CAPConnectionParameterUpdateResponse(result: isGranted ? 0 : 1), identifier, linkAt: index,
                into: &out)
        case .connectionParameterUpdateResponse(let response):
            guard links.all[index].signalling.answered(identifier) else { break }
            links.all[index].channels.identifiers.release(identifier)
            // Granted: the update itself follows, and answers.
            if response.result != 0 { answerUpdate(linkAt: index, .hci(.unacceptableParameters), into: &out) }
            sendSignalling(linkAt: index, at: now, into: &out)
        case .commandReject:
            guard links.all[index].signalling.answered(identifier) else {
                _ = receiveChannelSignal(signal, identifier, linkAt: index, at: now, into: &out)
                break
            }
            links.all[index].channels.identifiers.release(identifier)
            answerUpdate(linkAt: index, .hci(.unsupportedRemoteFeature), into: &out)
            sendSignalling(linkAt: index, at: now, into: &out)
        case .unknown, .malformed:
            trace(.info, "l2cap", "\(links.all[index].handle): signal \(Hex.octet(signal.code.rawValue))", into: &out)
            if signal.code.mayAsk { answer(L2CAPCommandReject(), identifier, linkAt: index, into: &out) }
        default: _ = receiveChannelSignal(signal, identifier, linkAt: index, at: now, into: &out)
        }
    }

    /// Whether it is a request for more channels than one may ask for at once, which has an answer of its own.
    private func asksForSeveralChannels(_ pdu: [UInt8]) -> Bool {
        pdu.count <= 64 && pdu.first == L2CAPSignallingCode.creditBasedConnectionRequest.rawValue
    }

    private mutating func answer<Answer: L2CAPSignallingPDU>(
        _ answer: Answer, _ identifier: UInt8, linkAt index: Int, into out: inout [HostOutput]
    ) {
        let payload = Array(answer.pdu(identifier: identifier).dropFirst(L2CAPHeader.length))
        enqueue(payload, on: .signalling, tag: nil, linkAt: index, into: &out)
    }

    /// Sends the next wish for connection parameters, once the one before it is answered.
    mutating func sendSignalling(linkAt index: Int, at now: Instant, into out: inout [HostOutput]) {
        guard links.all[index].signalling.isReady else { return }
        let timeout = configuration.controller.signallingTimeout
        let identifier = links.all[index].channels.identifiers.take()
        guard let parameters = links.all[index].signalling.next(identifier, at: now, timeout: timeout) else { return }
        let request = L2CAPConnectionParameterUpdateRequest(
            intervalMinimum: parameters.intervalMinimum, intervalMaximum: parameters.intervalMaximum,
            latency: parameters.latency, supervisionTimeout: parameters.supervisionTimeout)
        answer(request, identifier, linkAt: index, into: &out)
        noteDeadline(of: index)
    }

    /// The peer hasn't answered. [Vol 3, Part A, 6.2.1]
    mutating func signallingTimedOut(linkAt index: Int, at now: Instant, into out: inout [HostOutput]) {
        if let identifier = links.all[index].signalling.outstanding {
            links.all[index].channels.identifiers.release(identifier)
        }
        links.all[index].signalling.expired()
        let error = HostError.invalidResponse("no answer to the request for connection parameters")
        answerUpdate(linkAt: index, error, into: &out)
        sendSignalling(linkAt: index, at: now, into: &out)
    }
}

extension L2CAPSignallingCode {
    /// Whether a command with this code may wait for an answer: not if it is an answer itself, or brings credits.
    var mayAsk: Bool {
        switch self {
        case .commandReject, .disconnectionResponse, .connectionParameterUpdateResponse,
            .leCreditBasedConnectionResponse, .flowControlCredit, .creditBasedConnectionResponse,
            .creditBasedReconfigureResponse:
            false
        default: true
        }
    }
}

extension L2CAPConnectionParameterUpdateRequest {
    var parameters: ConnectionParameters {
        var parameters = ConnectionParameters()
        parameters.intervalMinimum = intervalMinimum
        parameters.intervalMaximum = intervalMaximum
        parameters.latency = latency
        parameters.supervisionTimeout = supervisionTimeout
        return parameters
    }
}
