import BLEWire

// Channels that the peer opens. [Vol 3, Part A, 4.23], [Vol 3, Part A, 4.26]
extension CreditChannels {
    /// What decides on a request of the peer.
    struct Gate {
        /// The services that channels may lead to, by their SPSM.
        var listeners: SortedTable<UInt16, ChannelListener>
        var security: LinkSecurity
        /// The shortest key that the host takes as encryption at all.
        var minimumKeySize: Int

        /// Whether a channel to the service may open. SPSM 0 names none. [Vol 3, Part A, 4.22]
        fileprivate func verdict(on spsm: UInt16) -> L2CAPConnectionResult {
            guard let listener = listeners[spsm] else { return .spsmNotSupported }
            return listener.verdict(on: security, minimumKeySize: minimumKeySize)
        }
    }

    mutating func receive(
        _ request: L2CAPLECreditBasedConnectionRequest, _ identifier: UInt8, _ gate: Gate,
        into out: inout [ChannelOutput]
    ) {
        let result = verdict(on: request, gate)
        guard result == .success, let own = freeIdentifiers(1).first else {
            let refusal = result == .success ? .noResources : result
            let response = L2CAPLECreditBasedConnectionResponse(mtu: 0, mps: 0, result: refusal)
            return answer(.leCreditBasedConnectionResponse(response), identifier, into: &out)
        }
        let info = insert(
            own: own, remote: request.source, spsm: request.spsm, isEnhanced: false,
            peer: (request.mtu, request.mps, request.initialCredits))
        let terms = ChannelTerms(configuration, isEnhanced: false)
        let response = L2CAPLECreditBasedConnectionResponse(
            destination: own, mtu: UInt16(terms.mtu), mps: UInt16(terms.mps), initialCredits: UInt16(terms.window))
        answer(.leCreditBasedConnectionResponse(response), identifier, into: &out)
        out.append(.event(.opened(info, nil)))
    }

    private func verdict(on request: L2CAPLECreditBasedConnectionRequest, _ gate: Gate) -> L2CAPConnectionResult {
        let verdict = gate.verdict(on: request.spsm)
        if verdict != .success { return verdict }
        guard count < limit else { return .noResources }
        guard request.mtu >= 23, (23...0xFFFD).contains(request.mps) else { return .unacceptableParameters }
        return self.verdict(onSource: request.source)
    }

    private func verdict(onSource source: ChannelIdentifier) -> L2CAPConnectionResult {
        guard Self.dynamic.contains(source.rawValue) else { return .invalidSourceChannel }
        return index(ofRemote: source) == nil ? .success : .sourceChannelAlreadyAllocated
    }

    // MARK: Several at once

    /// - Parameter request: nil where its fields couldn't be read.
    /// - Parameter asked: channels that it asks for.
    mutating func receive(
        _ request: L2CAPCreditBasedConnectionRequest?, asked: Int, _ identifier: UInt8, _ gate: Gate,
        into out: inout [ChannelOutput]
    ) {
        var result = L2CAPConnectionResult.invalidParameters
        if let request { result = verdict(on: request, gate) }
        guard let request, result == .success else {
            let none = Array(repeating: L2CAPChannelElement(.none), count: asked)
            let response = L2CAPCreditBasedConnectionResponse(mtu: 0, mps: 0, result: result, destinations: none)
            return answer(.creditBasedConnectionResponse(response), identifier, into: &out)
        }
        var opened: [ChannelInfo] = []
        var destinations: [L2CAPChannelElement] = []
        for source in request.sources {
            var verdict = self.verdict(onSource: source.channel)
            var own: ChannelIdentifier?
            if verdict == .success {
                own = count < limit ? freeIdentifiers(1).first : nil
                if own == nil { verdict = .noResources }
            }
            if let own {
                opened.append(
                    insert(
                        own: own, remote: source.channel, spsm: request.spsm, isEnhanced: true,
                        peer: (request.mtu, request.mps, request.initialCredits)))
            }
            // The last refusal stands for all of them. [Vol 3, Part A, 4.26]
            if verdict != .success { result = verdict }
            destinations.append(L2CAPChannelElement(own ?? .none))
        }
        let terms = ChannelTerms(configuration, isEnhanced: true)
        let response = L2CAPCreditBasedConnectionResponse(
            mtu: UInt16(terms.mtu), mps: UInt16(terms.mps), initialCredits: UInt16(terms.window), result: result,
            destinations: destinations)
        answer(.creditBasedConnectionResponse(response), identifier, into: &out)
        for info in opened { out.append(.event(.opened(info, nil))) }
    }

    private func verdict(on request: L2CAPCreditBasedConnectionRequest, _ gate: Gate) -> L2CAPConnectionResult {
        guard (1...5).contains(request.sources.count), request.initialCredits > 0 else { return .invalidParameters }
        guard request.mtu >= 64, (64...0xFFFD).contains(request.mps) else { return .unacceptableParameters }
        return gate.verdict(on: request.spsm)
    }

    func answer(_ signal: L2CAPSignal, _ identifier: UInt8, into out: inout [ChannelOutput]) {
        out.append(.signal(.init(identifier: identifier, signal: signal)))
    }
}
