import BLEWire

// Channels that we open. [Vol 3, Part A, 4.22], [Vol 3, Part A, 4.25]
extension CreditChannels {
    mutating func open(
        _ spsm: UInt16, _ token: OperationToken, at now: Instant, into out: inout [ChannelOutput]
    ) {
        if let error = refusal(spsm, 1) { return out.append(.event(.openFailed(token, error))) }
        guard let own = freeIdentifiers(1).first else { return }
        let terms = ChannelTerms(configuration, isEnhanced: false)
        let request = L2CAPLECreditBasedConnectionRequest(
            spsm: spsm, source: own, mtu: UInt16(terms.mtu), mps: UInt16(terms.mps),
            initialCredits: UInt16(terms.window))
        ask(.leCreditBasedConnectionRequest(request), .open(token, own: own, spsm: spsm), at: now, into: &out)
    }

    mutating func open(
        _ spsm: UInt16, count: Int, _ token: OperationToken, at now: Instant, into out: inout [ChannelOutput]
    ) {
        let count = min(max(count, 1), 5)
        if let error = refusal(spsm, count) {
            for _ in 0..<count { out.append(.event(.openFailed(token, error))) }
            return
        }
        let own = freeIdentifiers(count)
        let terms = ChannelTerms(configuration, isEnhanced: true)
        let request = L2CAPCreditBasedConnectionRequest(
            spsm: spsm, mtu: UInt16(terms.mtu), mps: UInt16(terms.mps), initialCredits: UInt16(terms.window),
            sources: own.map(L2CAPChannelElement.init))
        ask(.creditBasedConnectionRequest(request), .openSeveral(token, own: own, spsm: spsm), at: now, into: &out)
    }

    /// Why it isn't even asked for.
    private func refusal(_ spsm: UInt16, _ count: Int) -> HostError? {
        guard (1...0xFF).contains(spsm) else { return .invalidParameters("SPSM \(Hex.prefixed(spsm))") }
        return self.count + count <= limit ? nil : .l2cap(.noResources)
    }

    // MARK: Answers

    mutating func receive(
        _ response: L2CAPLECreditBasedConnectionResponse, _ identifier: UInt8, at now: Instant,
        into out: inout [ChannelOutput]
    ) {
        let found = answered(identifier) { if case .open = $0 { true } else { false } }
        guard case .open(let token, let own, let spsm) = found?.kind else {
            return trace(.debug, "a connection response that nobody waits for", into: &out)
        }
        guard response.result == .success else {
            return out.append(.event(.openFailed(token, .l2cap(response.result))))
        }
        let peer = (mtu: response.mtu, mps: response.mps, credits: response.initialCredits)
        finish(own, response.destination, spsm, peer, token, isEnhanced: false, at: now, into: &out)
    }

    mutating func receive(
        _ response: L2CAPCreditBasedConnectionResponse, _ identifier: UInt8, at now: Instant,
        into out: inout [ChannelOutput]
    ) {
        if response.result.isPending, let index = requests.firstIndex(where: { $0.identifier == identifier }) {
            // The answer proper is still to come, after the peer's own time. [Vol 3, Part A, 6.2.2]
            requests[index].deadline = now + timeout
            return
        }
        let found = answered(identifier) { if case .openSeveral = $0 { true } else { false } }
        guard case .openSeveral(let token, let owns, let spsm) = found?.kind else {
            return trace(.debug, "a connection response that nobody waits for", into: &out)
        }
        let peer = (mtu: response.mtu, mps: response.mps, credits: response.initialCredits)
        for (index, own) in owns.enumerated() {
            let remote = index < response.destinations.count ? response.destinations[index].channel : .none
            if remote == .none {
                let result = response.result == .success ? .noResources : response.result
                out.append(.event(.openFailed(token, .l2cap(result))))
            } else {
                finish(own, remote, spsm, peer, token, isEnhanced: true, at: now, into: &out)
            }
        }
    }

    /// The peer says that a channel is open. What it says may be nonsense; then the channel ends at once.
    private mutating func finish(
        _ own: ChannelIdentifier, _ remote: ChannelIdentifier, _ spsm: UInt16,
        _ peer: (mtu: UInt16, mps: UInt16, credits: UInt16), _ token: OperationToken, isEnhanced: Bool,
        at now: Instant, into out: inout [ChannelOutput]
    ) {
        let least: UInt16 = isEnhanced ? 64 : 23
        let isNamed = Self.dynamic.contains(remote.rawValue) && index(ofRemote: remote) == nil
        if isNamed, peer.mtu >= least, (least...0xFFFD).contains(peer.mps) {
            let info = insert(own: own, remote: remote, spsm: spsm, isEnhanced: isEnhanced, peer: peer)
            return out.append(.event(.opened(info, token)))
        }
        let text = "channel \(remote), MTU \(peer.mtu), MPS \(peer.mps)"
        out.append(.event(.openFailed(token, .invalidResponse(text))))
        guard isNamed else { return }
        // The peer believes that it is open.
        _ = insert(own: own, remote: remote, spsm: spsm, isEnhanced: isEnhanced, peer: peer)
        if let index = index(ofOwn: own) {
            channels[index].isEndTold = true
            disconnect(index, at: now, into: &out)
        }
    }

    /// The peer doesn't know the request. [Vol 3, Part A, 4.1]
    mutating func rejected(_ identifier: UInt8, into out: inout [ChannelOutput]) {
        guard let request = answered(identifier, { _ in true }) else { return }
        fail(request, .hci(.unsupportedRemoteFeature), into: &out)
    }
}

extension L2CAPConnectionResult {
    /// [Vol 3, Part A, 4.26]
    fileprivate var isPending: Bool { (0x000D...0x000F).contains(rawValue) }
}

extension ChannelIdentifier {
    /// No channel: where one was refused. [Vol 3, Part A, 4.26]
    static let none = ChannelIdentifier(rawValue: 0)
}
