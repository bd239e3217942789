import BLEWire

// Between the channels of a link and the rest of the host.
extension HostMachine {
    /// Tags of K-frames have this bit, those of ATT PDUs don't.
    static let channelTag: UInt64 = 1 << 63

    /// Lets the channels of a link work, and does what they want done.
    mutating func withChannels(
        linkAt index: Int, into out: inout [HostOutput],
        _ body: (inout CreditChannels, inout [ChannelOutput]) -> Void
    ) {
        var list: [ChannelOutput] = []
        swap(&list, &channelOutputs)
        body(&links.all[index].channels, &list)
        links.all[index].receiving.limits.channels = links.all[index].channels.openBits
        links.all[index].receiving.limits.frame = links.all[index].channels.longestFrame
        let handle = links.all[index].handle
        for output in list {
            switch output {
            case .signal(let packet):
                enqueue(
                    Array(packet.pdu().dropFirst(L2CAPHeader.length)), on: .signalling, tag: nil, linkAt: index,
                    into: &out)
            case .frame(let frame, let channel, let serial):
                enqueue(frame, on: channel, tag: Self.channelTag | serial, linkAt: index, into: &out)
            case .drop(let channel): links.all[index].sending.drop(channel)
            case .event(let event): out.append(.event(.channel(handle, event)))
            case .trace(let event): out.append(.trace(event))
            }
        }
        list.removeAll(keepingCapacity: true)
        swap(&list, &channelOutputs)
        noteDeadline(of: index)
    }

    mutating func perform(
        _ command: ChannelCommand, on handle: ConnectionHandle, at now: Instant, into out: inout [HostOutput]
    ) {
        guard let index = links.index(of: handle), !links.all[index].isEnding else {
            return refuse(command, on: handle, into: &out)
        }
        withChannels(linkAt: index, into: &out) { channels, list in
            switch command {
            case .open(let token, let spsm): channels.open(spsm, token, at: now, into: &list)
            case .openSeveral(let token, let spsm, let count):
                channels.open(spsm, count: count, token, at: now, into: &list)
            case .send(let channel, let sdu): channels.send(sdu, on: channel, into: &list)
            case .taken(let channel, let octets): channels.take(octets, of: channel, into: &list)
            case .close(let channel): channels.close(channel, at: now, into: &list)
            case .reconfigure(let token, let names, let mtu, let mps):
                channels.reconfigure(names, mtu: mtu, mps: mps, token, at: now, into: &list)
            }
        }
    }

    /// The link is gone, and its channels were told.
    private func refuse(_ command: ChannelCommand, on handle: ConnectionHandle, into out: inout [HostOutput]) {
        let error = HostError.disconnected(.unknownConnectionIdentifier)
        switch command {
        case .open(let token, _): out.append(.event(.channel(handle, .openFailed(token, error))))
        case .openSeveral(let token, _, let count):
            for _ in 0..<min(max(count, 1), 5) { out.append(.event(.channel(handle, .openFailed(token, error)))) }
        case .reconfigure(let token, _, _, _): out.append(.event(.channel(handle, .reconfigured(token, error))))
        case .send, .taken, .close: break
        }
    }

    /// Signalling commands about channels. False: it is none.
    mutating func receiveChannelSignal(
        _ signal: L2CAPSignal, _ identifier: UInt8, linkAt index: Int, at now: Instant, into out: inout [HostOutput]
    ) -> Bool {
        var isKnown = true
        let gate = CreditChannels.Gate(
            listeners: listeners, security: links.all[index].gatt.security, minimumKeySize: server.minimumKeySize)
        withChannels(linkAt: index, into: &out) { channels, list in
            switch signal {
            case .leCreditBasedConnectionRequest(let request):
                channels.receive(request, identifier, gate, into: &list)
            case .leCreditBasedConnectionResponse(let response):
                channels.receive(response, identifier, at: now, into: &list)
            case .creditBasedConnectionRequest(let request):
                channels.receive(request, asked: request.sources.count, identifier, gate, into: &list)
            case .creditBasedConnectionResponse(let response):
                channels.receive(response, identifier, at: now, into: &list)
            case .flowControlCredit(let credits): channels.receive(credits, at: now, into: &list)
            case .disconnectionRequest(let request): channels.receive(request, identifier, into: &list)
            case .disconnectionResponse(let response): channels.receive(response, identifier, into: &list)
            case .creditBasedReconfigureRequest(let request): channels.receive(request, identifier, into: &list)
            case .creditBasedReconfigureResponse(let response): channels.receive(response, identifier, into: &list)
            case .commandReject: channels.rejected(identifier, into: &list)
            default: isKnown = false
            }
        }
        return isKnown
    }

    /// A request for several channels that can't be read is still told how many it doesn't get. [Vol 3, Part A, 4.26]
    mutating func refuseUnreadable(
        _ pdu: [UInt8], _ identifier: UInt8, linkAt index: Int, into out: inout [HostOutput]
    ) {
        let gate = CreditChannels.Gate(listeners: .init(), security: .init(), minimumKeySize: 0)
        let fixed = 4 + 8
        withChannels(linkAt: index, into: &out) { channels, list in
            channels.receive(nil, asked: max(pdu.count - fixed, 0) / 2, identifier, gate, into: &list)
        }
    }
}
