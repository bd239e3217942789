import BLEWire

// How channels end. [Vol 3, Part A, 4.6]
extension CreditChannels {
    /// The user has had enough of a channel.
    mutating func close(_ own: ChannelIdentifier, at now: Instant, into out: inout [ChannelOutput]) {
        guard let index = index(ofOwn: own), !channels[index].isClosing else { return }
        disconnect(index, at: now, into: &out)
    }

    /// Asks the peer to end a channel.
    mutating func disconnect(_ index: Int, at now: Instant, into out: inout [ChannelOutput]) {
        channels[index].isClosing = true
        let request = L2CAPDisconnectionRequest(destination: channels[index].remote, source: channels[index].own)
        ask(.disconnectionRequest(request), .close(own: channels[index].own), at: now, into: &out)
    }

    /// The peer broke a rule: the channel ends, and no other. [Vol 3, Part A, 3.4.3]
    mutating func violated(_ index: Int, _ text: String, at now: Instant, into out: inout [ChannelOutput]) {
        guard !channels[index].isClosing else { return }
        trace(.warning, "channel \(channels[index].own) ends: \(text)", into: &out)
        channels[index].isEndTold = true
        out.append(.drop(channels[index].remote))
        disconnect(index, at: now, into: &out)
        out.append(.event(.closed(channels[index].own, .violation(text))))
    }

    /// A K-frame that was too long to be stored.
    mutating func frameTooLong(on own: ChannelIdentifier, at now: Instant, into out: inout [ChannelOutput]) {
        guard let index = index(ofOwn: own) else { return }
        violated(index, "a K-frame longer than the MPS", at: now, into: &out)
    }

    mutating func receive(
        _ request: L2CAPDisconnectionRequest, _ identifier: UInt8, into out: inout [ChannelOutput]
    ) {
        guard let index = index(ofOwn: request.destination), channels[index].remote == request.source else {
            let names = [request.destination.rawValue, request.source.rawValue]
            let data = names.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
            let reject = L2CAPCommandReject(reason: .invalidChannel, data: data)
            return answer(.commandReject(reject), identifier, into: &out)
        }
        // What hasn't left has nowhere to go.
        out.append(.drop(channels[index].remote))
        let response = L2CAPDisconnectionResponse(destination: request.destination, source: request.source)
        answer(.disconnectionResponse(response), identifier, into: &out)
        let isOwn = channels[index].isClosing
        remove(request.destination, isOwn ? .own : .peer, into: &out)
    }

    mutating func receive(
        _ response: L2CAPDisconnectionResponse, _ identifier: UInt8, into out: inout [ChannelOutput]
    ) {
        let found = answered(identifier) { if case .close(response.source) = $0 { true } else { false } }
        guard case .close(let own) = found?.kind else { return }
        remove(own, .own, into: &out)
    }

    /// A channel is there no more.
    mutating func remove(_ own: ChannelIdentifier, _ end: ChannelEnd, into out: inout [ChannelOutput]) {
        guard let index = index(ofOwn: own) else { return }
        let channel = channels.remove(at: index)
        if !channel.isEndTold { out.append(.event(.closed(own, end))) }
        // Its end needs no answer any more.
        let pending = requests.first { if case .close(own) = $0.kind { true } else { false } }
        if let pending { _ = answered(pending.identifier) { _ in true } }
    }
}
