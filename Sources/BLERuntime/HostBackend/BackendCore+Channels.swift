import BLEBackend
import BLEHost
import BLEWire

// L2CAP channels that programs publish, open and close. [contract 117-122]
extension BackendCore {
    // MARK: Publishing

    mutating func publishChannel(encrypted isEncrypted: Bool, in session: SessionID) {
        guard isReady(session, .peripheral, "publishL2CAPChannel") else { return }
        guard let psm = channels.freePSM else {
            let error = BackendError(.outOfSpace, underlying: "all dynamic PSMs are published")
            return emit(.channelPublished(.failure(error)), to: session)
        }
        channels.published[psm] = session
        ask(.listen(spsm: psm, ChannelListener(needsEncryption: isEncrypted)))
        emit(.channelPublished(.success(psm)), to: session)
    }

    mutating func unpublishChannel(_ psm: UInt16, in session: SessionID) {
        guard channels.published[psm] == session else {
            let error = BackendError(.invalidParameters, underlying: "PSM \(psm) isn't published")
            return emit(.channelUnpublished(psm: psm, error), to: session)
        }
        withdraw(psm)
        emit(.channelUnpublished(psm: psm, nil), to: session)
    }

    /// Nobody can open a channel to the PSM any more, and those that are open end. [contract 120]
    private mutating func withdraw(_ psm: UInt16) {
        channels.published[psm] = nil
        ask(.stopListening(spsm: psm))
        for number in channels.numbers(where: { $0.isAccepted && $0.psm == psm }) {
            channels[number]?.pipe.finish(.closed)
            endChannel(number)
        }
    }

    // MARK: Opening

    mutating func openChannel(_ psm: UInt16, to peer: PeerID, in session: SessionID) {
        guard let link = link(to: peer, in: session) else {
            let error = BackendError(.notConnected)
            return emit(.channelOpened(peer, psm: psm, .failure(error)), to: session)
        }
        open(.init(peer: peer, psm: psm, session: session), on: link)
    }

    private mutating func open(_ opening: ChannelTable.Opening, on link: ConnectionHandle) {
        let token = token()
        channels.openings[token] = opening
        ask(.channel(link, .open(token, spsm: opening.psm)))
    }

    private mutating func openFailed(
        _ opening: ChannelTable.Opening, _ error: HostError, on link: ConnectionHandle
    ) {
        if error.wantsSecurity, !opening.isSecured {
            // The link is made secure, by pairing if need be, and the channel asked for once more. [contract 122]
            let isFirst = !channels.insecure.contains { $0.link == link }
            channels.insecure.append((link, opening))
            if isFirst { ask(.raiseSecurity(link)) }
            return
        }
        emit(
            .channelOpened(opening.peer, psm: opening.psm, .failure(BackendError(operation: error))),
            to: opening.session)
    }

    /// What making a link secure came to, for the channels that wait for it.
    mutating func securityRaised(_ link: ConnectionHandle, _ error: HostError?) {
        let waiting = channels.insecure.filter { $0.link == link }
        channels.insecure.removeAll { $0.link == link }
        for entry in waiting {
            var opening = entry.opening
            opening.isSecured = true
            if let error {
                openFailed(opening, error, on: link)
            } else {
                open(opening, on: link)
            }
        }
    }

    private mutating func opened(_ info: ChannelInfo, _ token: OperationToken?, on link: ConnectionHandle) {
        let opening = token.flatMap { channels.openings.removeValue(forKey: $0) }
        let publisher = token == nil ? channels.published[info.spsm] : nil
        guard let session = opening?.session ?? publisher, let peer = links[link]?.peer, sessions[session] != nil,
            publisher != nil || self.link(to: peer, in: session) == link
        else {
            // Whoever wanted it has gone meanwhile.
            return ask(.channel(link, .close(info.channel)))
        }
        let number = channels.nextNumber()
        let demand = channelDemand
        let pipe = ChannelPipe(capacity: profile.channelRoom) { demand(number) }
        channels[number] = .init(
            pipe: pipe, link: link, identifier: info.channel, psm: info.spsm, session: session,
            isAccepted: publisher != nil, mtu: info.mtu)
        if let opening {
            emit(.channelOpened(opening.peer, psm: info.spsm, .success(pipe)), to: session)
        } else if let central = links[link]?.central {
            emit(.channelAccepted(central: central, psm: info.spsm, pipe), to: session)
        }
    }

    // MARK: Data

    mutating func channelEvent(_ event: ChannelEvent, on link: ConnectionHandle) {
        switch event {
        case .opened(let info, let token): opened(info, token, on: link)
        case .openFailed(let token, let error):
            guard let opening = channels.openings.removeValue(forKey: token) else { return }
            openFailed(opening, error, on: link)
        case .received(let identifier, let sdu):
            guard let number = channels.number(of: identifier, on: link) else { return }
            channels[number]?.pipe.receive(sdu)
        case .sent(let identifier, let octets):
            guard let number = channels.number(of: identifier, on: link) else { return }
            channels.update(number) { $0.unsent -= octets }
            pump(number)
        case .closed(let identifier, let end):
            guard let number = channels.number(of: identifier, on: link) else { return }
            channels[number]?.pipe.finish(.init(end))
            forget(number)
        case .peerReconfigured(let identifier, let mtu):
            guard let number = channels.number(of: identifier, on: link) else { return }
            channels.update(number) { $0.mtu = mtu }
        case .refused(let identifier, let error):
            trace(.error, "l2cap", "channel \(identifier) of \(link): \(error.text)")
        case .reconfigured: break
        }
    }

    /// A program has read, written or closed.
    mutating func serveChannel(_ number: ChannelNumber) {
        guard let channel = channels[number] else { return }
        let demand = channel.pipe.look()
        if demand.read > 0 { ask(.channel(channel.link, .taken(channel.identifier, octets: demand.read))) }
        pump(number)
        if demand.isClosed, channels[number]?.isEnding == false, !timers.contains(.endChannel(number)) {
            timers.set(.endChannel(number), at: now + profile.channelLinger)
        }
    }

    /// The longest piece of what was written that goes as one SDU, and what the host may have of it at a time.
    private static let longestPiece = 4096
    private static let hostRoom = 8192

    /// Hands the host what it has room for; a channel that was closed ends when nothing is left.
    private mutating func pump(_ number: ChannelNumber) {
        guard let channel = channels[number], !channel.isEnding else { return }
        var unsent = channel.unsent
        while unsent < Self.hostRoom {
            let piece = channel.pipe.take(min(channel.mtu, Self.longestPiece))
            if piece.isEmpty { break }
            unsent += piece.count
            ask(.channel(channel.link, .send(channel.identifier, piece)))
        }
        channels.update(number) { $0.unsent = unsent }
        if unsent == 0, channel.pipe.isClosedByProgram { endChannel(number) }
    }

    // MARK: Ending

    /// Has the host end a channel.
    mutating func endChannel(_ number: ChannelNumber) {
        timers.cancel(.endChannel(number))
        guard let channel = channels[number], !channel.isEnding else { return }
        channels.update(number) { $0.isEnding = true }
        ask(.channel(channel.link, .close(channel.identifier)))
    }

    private mutating func forget(_ number: ChannelNumber) {
        timers.cancel(.endChannel(number))
        channels[number] = nil
    }

    /// The session uses the link no more: the channels that it has opened there end.
    mutating func closeChannels(of session: SessionID, on link: ConnectionHandle) {
        for number in channels.numbers(where: { $0.session == session && $0.link == link && !$0.isAccepted }) {
            channels[number]?.pipe.finish(.closed)
            endChannel(number)
        }
    }

    /// The session is gone, and everything that it has published and opened. [contract 16]
    mutating func closeChannels(of session: SessionID) {
        for entry in channels.published.entries where entry.value == session { withdraw(entry.key) }
        for number in channels.numbers(where: { $0.session == session }) {
            channels[number]?.pipe.finish(.closed)
            endChannel(number)
        }
    }

    /// All links are gone.
    mutating func endAllChannels() {
        let error = BackendError(.peripheralDisconnected, underlying: "the radio was switched off or lost")
        for number in channels.numbers(where: { _ in true }) {
            channels[number]?.pipe.finish(.failed(error))
            forget(number)
        }
        channels.openings = [:]
        channels.insecure = []
    }
}

extension ChannelPipe.End {
    /// The end of a channel as its program is to see it. [contract 121]
    fileprivate init(_ end: ChannelEnd) {
        switch end {
        case .own, .peer, .link(.localHostTerminated): self = .closed
        case .violation(let text): self = .failed(BackendError(.unknown, underlying: "L2CAP: \(text)"))
        case .link(let reason): self = .failed(BackendError(disconnecting: reason))
        }
    }
}

extension HostError {
    /// Whether a channel was refused for want of security that can be had. [Vol 3, Part A, 4.23]
    fileprivate var wantsSecurity: Bool {
        switch self {
        case .l2cap(.insufficientAuthentication), .l2cap(.insufficientEncryption): true
        default: false
        }
    }
}
