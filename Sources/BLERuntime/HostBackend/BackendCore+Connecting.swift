import BLEBackend
import BLEHost
import BLEWire

// Connections as wishes of sessions; a link serves all of them. [contract 42-52]
extension BackendCore {
    mutating func connect(_ peer: PeerID, _ options: ConnectOptions, in session: SessionID) {
        guard isReady(session, .central, "connect") else { return }
        guard store.address(of: peer) != nil else {
            return emit(.connectFailed(peer, BackendError(.unknownDevice)), to: session)
        }
        store.keep(peer)
        saveSoon()
        var wish = ConnectionWish(state: .pending, options: options, pause: profile.reconnectPause)
        switch sessions[session]?.wishes[peer]?.state {
        case .connected(let link):
            // Told once more, without traffic. [contract 44]
            sessions.update(session) { $0.wishes.update(peer) { $0.options = options } }
            if links[link]?.isEnding == false { return emit(.connected(peer), to: session) }
        case .delayed, .pending:
            sessions.update(session) { $0.wishes.update(peer) { $0.options = options } }
            return
        case .disconnecting(let link): wish.owedEnd = link
        case nil: break
        }
        if options.startDelay > 0 {
            wish.state = .delayed
            timers.set(.connect(session, peer), at: now + .seconds(Int64(min(options.startDelay, 1 << 31))))
        }
        sessions.update(session) { $0.wishes[peer] = wish }
        if wish.state == .pending { pursue(peer, in: session) }
    }

    /// The start delay, or the pause before a further attempt, has passed.
    mutating func connectDelayed(_ peer: PeerID, in session: SessionID) {
        guard state == .poweredOn, sessions[session]?.wishes[peer]?.state == .delayed else { return }
        sessions.update(session) { $0.wishes.update(peer) { $0.state = .pending } }
        pursue(peer, in: session)
    }

    /// Uses the link that is there, or has the host make one. A link that is about to end is waited for.
    mutating func pursue(_ peer: PeerID, in session: SessionID) {
        if let link = link(to: peer) {
            if links[link]?.isEnding == false { join(link, session) }
            return
        }
        guard attempts[peer] == nil, let address = store.address(of: peer) else { return }
        attempts[peer] = address
        var settings = ConnectionSettings()
        settings.parameters = profile.connection
        settings.scanInterval = profile.scan.interval
        settings.scanWindow = profile.scan.window
        ask(.connect(address, settings))
    }

    mutating func linkCame(_ info: LinkInfo) {
        let peer = store.peer(at: info.peer)
        var link = Link(info, peer: peer)
        link.policy = LinkPolicySteps(profile)
        recallDatabase(of: &link)
        links[info.handle] = link
        let pursuers = sessions.filter { $0.value.wishes[peer]?.state == .pending }.map(\.key)
        change(.linkUp(peer, mtu: link.mtu, isClient: link.isClient))
        if let address = attempts.removeValue(forKey: peer), !info.isCentral { ask(.cancelConnect(address)) }
        guard info.isCentral || !pursuers.isEmpty else { return }
        if pursuers.isEmpty {
            // Everybody who wanted it has changed their mind.
            return end(info.handle)
        }
        for session in pursuers { join(info.handle, session) }
    }

    /// The session is connected by this link from now on.
    private mutating func join(_ handle: ConnectionHandle, _ session: SessionID) {
        guard let peer = links[handle]?.peer else { return }
        links.update(handle) { if !$0.users.contains(session) { $0.users.append(session) } }
        sessions.update(session) { session in
            session.wishes.update(peer) { wish in
                wish.state = .connected(handle)
                wish.isReconnection = false
                wish.pause = profile.reconnectPause
            }
        }
        change(.isClient(peer, true))
        shareServices(of: handle)
        emit(.connected(peer), to: session)
        runOperations(on: handle)
    }

    mutating func connectFailed(_ address: DeviceAddress, _ error: HostError) {
        // Only we cancel, and then the wish is gone or new.
        guard error != .cancelled else { return }
        let peer = store.peer(at: address)
        guard attempts.removeValue(forKey: peer) != nil else { return }
        for id in sessions.keys {
            guard let wish = sessions[id]?.wishes[peer], wish.state == .pending else { continue }
            if wish.isReconnection {
                retryLater(peer, in: id, wish)
            } else {
                sessions.update(id) { $0.wishes[peer] = nil }
                emit(.connectFailed(peer, BackendError(connecting: error)), to: id)
            }
        }
    }

    private mutating func retryLater(_ peer: PeerID, in session: SessionID, _ wish: ConnectionWish) {
        timers.set(.connect(session, peer), at: now + wish.pause)
        sessions.update(session) { session in
            session.wishes.update(peer) { wish in
                wish.state = .delayed
                wish.pause = min(wish.pause * 2, profile.longestReconnectPause)
            }
        }
    }

    // MARK: - Which link

    /// The link by which programs use a peer: the one that we made before the one that it made, an ending one last.
    func link(to peer: PeerID) -> ConnectionHandle? {
        let candidates = links.filter { $0.value.peer == peer }
        let usable = candidates.filter { !$0.value.isEnding }
        return (usable.first { $0.value.isCentral } ?? usable.first ?? candidates.first)?.key
    }

    /// The link that a session may use for operations on the peer.
    func link(to peer: PeerID, in session: SessionID) -> ConnectionHandle? {
        guard let link = sessions[session]?.wishes[peer]?.link, links[link]?.isEnding == false else { return nil }
        return link
    }

    /// Sessions that are connected to the peer.
    func users(of peer: PeerID) -> [SessionID] { links.filter { $0.value.peer == peer }.flatMap(\.value.users) }
}
