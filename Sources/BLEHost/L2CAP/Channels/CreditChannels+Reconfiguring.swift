import BLEWire

/// How a reconfiguration ended. [Vol 3, Part A, 4.28]
enum ReconfigurationResult: UInt16 {
    case success = 0
    case mtuReduced = 1
    case mpsReduced = 2
    case invalidChannel = 3
    case unacceptable = 4
}

// Other lengths for enhanced channels. [Vol 3, Part A, 4.27]
extension CreditChannels {
    mutating func reconfigure(
        _ owns: [ChannelIdentifier], mtu: Int, mps: Int, _ token: OperationToken, at now: Instant,
        into out: inout [ChannelOutput]
    ) {
        let indices = owns.compactMap { index(ofOwn: $0) }
        let isAllowed =
            (1...5).contains(owns.count) && indices.count == owns.count && (64...0xFFFF).contains(mtu)
            && (64...0xFFFD).contains(mps)
            && indices.allSatisfy { index in
                let channel = channels[index]
                return channel.isEnhanced && !channel.isClosing && channel.mtu <= mtu && channel.mps <= mps
            }
        guard isAllowed else {
            let error = HostError.invalidParameters("a reconfiguration to MTU \(mtu), MPS \(mps)")
            return out.append(.event(.reconfigured(token, error)))
        }
        let request = L2CAPCreditBasedReconfigureRequest(
            mtu: UInt16(mtu), mps: UInt16(mps), destinations: owns.map(L2CAPChannelElement.init))
        // Longer ones may come as soon as the peer has agreed; so they are taken from now on.
        for index in indices {
            channels[index].mtu = mtu
            channels[index].mps = mps
        }
        ask(
            .creditBasedReconfigureRequest(request), .reconfigure(token, owns, mtu: mtu, mps: mps), at: now, into: &out)
    }

    mutating func receive(
        _ response: L2CAPCreditBasedReconfigureResponse, _ identifier: UInt8, into out: inout [ChannelOutput]
    ) {
        let found = answered(identifier) { if case .reconfigure = $0 { true } else { false } }
        guard case .reconfigure(let token, _, _, _) = found?.kind else { return }
        let isDone = response.result == ReconfigurationResult.success.rawValue
        let error = HostError.invalidResponse("reconfiguration refused, result \(response.result)")
        out.append(.event(.reconfigured(token, isDone ? nil : error)))
    }

    /// The peer names its own ends of the channels.
    mutating func receive(
        _ request: L2CAPCreditBasedReconfigureRequest, _ identifier: UInt8, into out: inout [ChannelOutput]
    ) {
        let result = verdict(on: request)
        let response = L2CAPCreditBasedReconfigureResponse(result: result.rawValue)
        answer(.creditBasedReconfigureResponse(response), identifier, into: &out)
        guard result == .success else { return }
        for element in request.destinations {
            guard let index = index(ofRemote: element.channel) else { continue }
            channels[index].peerMTU = Int(request.mtu)
            channels[index].peerMPS = Int(request.mps)
            out.append(.event(.peerReconfigured(channels[index].own, mtu: Int(request.mtu))))
        }
    }

    private func verdict(on request: L2CAPCreditBasedReconfigureRequest) -> ReconfigurationResult {
        guard (1...5).contains(request.destinations.count) else { return .unacceptable }
        let indices = request.destinations.compactMap { index(ofRemote: $0.channel) }
        guard indices.count == request.destinations.count, indices.allSatisfy({ channels[$0].isEnhanced }) else {
            return .invalidChannel
        }
        if indices.contains(where: { channels[$0].peerMTU > Int(request.mtu) }) { return .mtuReduced }
        guard request.mtu >= 64, (64...0xFFFD).contains(request.mps) else { return .unacceptable }
        // Shorter frames only for one channel at a time. [Vol 3, Part A, 4.27]
        let isReduced = indices.contains { channels[$0].peerMPS > Int(request.mps) }
        return isReduced && indices.count > 1 ? .mpsReduced : .success
    }
}
