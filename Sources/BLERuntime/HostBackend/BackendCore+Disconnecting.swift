import BLEBackend
import BLEHost
import BLEWire

// How connections end: by a session's wish, by the peer, or by distance. [contract 45-48, 52]
extension BackendCore {
    mutating func disconnect(_ peer: PeerID, in session: SessionID) {
        if sessions[session]?.role == .peripheral {
            if let link = link(to: peer) { end(link) }
            return
        }
        guard let wish = sessions[session]?.wishes[peer] else { return }
        switch wish.state {
        case .delayed, .pending:
            drop(peer, in: session)
            emit(.disconnected(peer, nil, reconnecting: false), to: session)
        case .connected(let link):
            if leave(link, session) {
                sessions.update(session) { $0.wishes.update(peer) { $0.state = .disconnecting(link) } }
            } else {
                // Others use the link: it stays. [contract 46]
                sessions.update(session) { $0.wishes[peer] = nil }
                emit(.disconnected(peer, nil, reconnecting: false), to: session)
            }
        case .disconnecting: break
        }
    }

    /// The program let go of the peripheral, or of its manager: the same, and nobody is left to be told. [contract 33]
    mutating func forget(_ peer: PeerID, in session: SessionID) {
        guard let wish = sessions[session]?.wishes[peer] else { return }
        if let link = wish.link {
            trace(.notice, "api", "the peripheral \(peer) isn't used any more: its connection is cancelled")
            _ = leave(link, session)
        }
        drop(peer, in: session)
    }

    /// Forgets a wish; cancels the attempt if nobody else waits for it.
    private mutating func drop(_ peer: PeerID, in session: SessionID) {
        timers.cancel(.connect(session, peer))
        sessions.update(session) { $0.wishes[peer] = nil }
        guard !sessions.contains(where: { $0.value.wishes[peer]?.state == .pending }) else { return }
        if let address = attempts.removeValue(forKey: peer) { ask(.cancelConnect(address)) }
    }

    /// The session no longer uses the link: what it asked for is dropped. True if the link ends with that.
    private mutating func leave(_ handle: ConnectionHandle, _ session: SessionID) -> Bool {
        guard let link = links[handle] else { return false }
        let dropped = link.waiting.filter { $0.session == session }
        links.update(handle) { link in
            link.users.removeAll { $0 == session }
            link.waiting.removeAll { $0.session == session }
            link.rssiReaders.replace(session)
            if link.running?.session == session { link.running?.isAbandoned = true }
        }
        for operation in dropped { release(operation, on: link.peer) }
        closeChannels(of: session, on: handle)
        let remaining = links[handle]?.users ?? []
        if remaining.isEmpty && link.isCentral {
            end(handle)
            return true
        }
        unsubscribe(session, on: handle)
        change(.isClient(link.peer, link.isCentral || !remaining.isEmpty))
        runOperations(on: handle)
        return false
    }

    /// Has the host end a link.
    mutating func end(_ handle: ConnectionHandle) {
        let isNew = links.update(handle) { link in
            defer { link.isEnding = true }
            return !link.isEnding
        }
        if isNew == true { ask(.disconnect(handle, reason: .remoteUserTerminated)) }
    }

    mutating func linkWent(_ handle: ConnectionHandle, _ reason: HCIStatus) {
        saveDatabase(of: handle)
        guard let link = links.removeValue(forKey: handle) else { return }
        endSubscriptions(of: link)
        requests.drop(link: handle)
        publishLoss(of: link)
        roomForAdvertising()
        if store.needsSaving { store.save() }
        for id in sessions.keys {
            guard let wish = sessions[id]?.wishes[link.peer] else { continue }
            if wish.owedEnd == handle {
                sessions.update(id) { $0.wishes.update(link.peer) { $0.owedEnd = nil } }
                emit(.disconnected(link.peer, nil, reconnecting: false), to: id)
            }
            switch wish.state {
            case .disconnecting(handle):
                sessions.update(id) { $0.wishes[link.peer] = nil }
                emit(.disconnected(link.peer, nil, reconnecting: false), to: id)
            case .connected(handle): lost(link, reason, in: id, wish)
            case .pending where attempts[link.peer] == nil: pursue(link.peer, in: id)
            case .pending, .delayed, .connected, .disconnecting: break
            }
        }
    }

    /// A session's connection ended and not by its wish.
    private mutating func lost(_ link: Link, _ reason: HCIStatus, in session: SessionID, _ wish: ConnectionWish) {
        let peer = link.peer
        // A peer that has lost its key would be met the same way again and again. [contract 50]
        let isTrusted = link.encryptionFailure == nil
        let reconnects = wish.options.autoReconnect && state == .poweredOn && isTrusted
        sessions.update(session) { session in
            var again = wish
            again.state = .pending
            again.isReconnection = true
            session.wishes[peer] = reconnects ? again : nil
        }
        // While the radio is being switched off the links go silently. [contract 8]
        guard condition == .on else { return }
        let error = isTrusted ? BackendError(disconnecting: reason) : BackendError(encrypting: reason)
        emit(.disconnected(peer, error, reconnecting: reconnects), to: session)
        if reconnects { pursue(peer, in: session) }
    }

    /// Another link to the same peer may be left to be shown instead.
    private mutating func publishLoss(of link: Link) {
        change(.linkDown(link.peer))
        guard let other = self.link(to: link.peer).flatMap({ links[$0] }) else { return }
        change(.linkUp(other.peer, mtu: other.mtu, isClient: other.isClient))
        shareServices(of: other.handle)
    }
}

extension [SessionID] {
    /// Keeps the places of readers that are gone, since the host's answers come by place.
    fileprivate mutating func replace(_ session: SessionID) {
        for index in indices where self[index] == session { self[index] = SessionID(rawValue: 0) }
    }
}
