import BLEBackend
import BLEWire

// How connections end: by a session's wish, by the peer, or by distance. [contract 45-48, 52]
extension BlueZMachine {
    mutating func disconnect(_ peer: PeerID, in session: SessionID) {
        if sessions[session]?.role == .peripheral {
            // Links of centrals are BlueZ's: none of ours stands for them.
            if let path = path(of: peer) { endDevice(path) }
            return
        }
        guard let wish = sessions[session]?.wishes[peer] else { return }
        switch wish.state {
        case .delayed, .pending:
            drop(peer, in: session)
            emit(.disconnected(peer, nil, reconnecting: false), to: session)
        case .connected:
            if leave(peer, session) {
                sessions.update(session) { $0.wishes.update(peer) { $0.state = .disconnecting } }
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
        if wish.state == .connected {
            trace(.notice, "the peripheral \(peer) isn't used any more: its connection is cancelled")
            _ = leave(peer, session)
        }
        drop(peer, in: session)
    }

    /// Forgets a wish; calls the attempt off if nobody else waits for it.
    private mutating func drop(_ peer: PeerID, in session: SessionID) {
        timers.cancel(.connect(session, peer))
        sessions.update(session) { $0.wishes[peer] = nil }
        guard let attempt = attempts[peer], !sessions.contains(where: { $0.value.wishes[peer]?.state == .pending })
        else { return }
        dropAttempt(peer)
        switch attempt.phase {
        case .calling, .checking: if let path = path(of: peer) { endDevice(path) }
        case .finding, .pausing: break
        }
    }

    /// The session no longer uses the link: what it asked for is dropped. True if the link ends with that.
    private mutating func leave(_ peer: PeerID, _ session: SessionID) -> Bool {
        guard let link = links[peer] else { return false }
        let dropped = link.waiting.filter { $0.session == session }
        links.update(peer) { link in
            link.users.removeAll { $0 == session }
            link.waiting.removeAll { $0.session == session }
            if link.running?.session == session { link.running?.isAbandoned = true }
        }
        for operation in dropped { release(operation, of: peer) }
        unsubscribe(session, from: peer)
        guard links[peer]?.users.isEmpty == true else { return false }
        if link.isOurs {
            end(peer)
            return true
        }
        // Another program has made it: it is left alone.
        removeLink(peer)
        return false
    }

    /// Has BlueZ end a link.
    mutating func end(_ peer: PeerID) {
        guard let link = links[peer], !link.isEnding else { return }
        links.update(peer) { $0.isEnding = true }
        call(
            link.path, BlueZName.device, "Disconnect", then: .disconnect(peer, link: link.number),
            patience: .seconds(10))
    }

    /// Ends whatever BlueZ has with a device: a link, or a connection that is being made.
    mutating func endDevice(_ path: String) {
        call(path, BlueZName.device, "Disconnect", then: .ignored, patience: .seconds(10))
    }

    /// A device that lost its power can keep BlueZ from ending its link for long: then it counts as ended.
    mutating func disconnectAnswered(_ peer: PeerID, _ number: UInt64, _ result: Result<[DBusValue], DBusFailure>) {
        guard let link = links[peer], link.number == number else { return }
        if case .failure(let failure) = result { trace(.debug, "Disconnect of \(peer): \(failure)") }
        if objects[link.path, BlueZName.device]?["Connected"]?.flag == true {
            objects.change(link.path, BlueZName.device, ["Connected": .bool(false)], invalid: [])
            shareDevices()
        }
        linkWent(peer)
    }

    // MARK: - What BlueZ tells

    /// Comes before the link's end, with its reason. [BlueZ, device-api]
    mutating func disconnectionExplained(_ path: String, _ arguments: [DBusValue]) {
        guard let peer = peer(at: path), let reason = arguments.first?.text else { return }
        links.update(peer) { $0.reason = BackendError(disconnecting: reason) }
    }

    mutating func linkEnded(_ path: String) {
        guard let peer = peer(at: path) else { return }
        pairingFailed(peer, "BlueZ: the link has ended while it was paired")
        centralWent(peer)
        if links[peer]?.path == path { linkWent(peer) }
    }

    /// BlueZ has forgotten a device.
    mutating func deviceWent(_ path: String) {
        for (peer, link) in links.map({ ($0.key, $0.value) }) where link.path == path { linkWent(peer) }
    }

    private mutating func linkWent(_ peer: PeerID) {
        guard let link = links[peer] else { return }
        removeLink(peer)
        if store.needsSaving { store.save() }
        for id in sessions.keys {
            guard let wish = sessions[id]?.wishes[peer] else { continue }
            if wish.owesEnd {
                sessions.update(id) { $0.wishes.update(peer) { $0.owesEnd = false } }
                emit(.disconnected(peer, nil, reconnecting: false), to: id)
            }
            switch wish.state {
            case .disconnecting:
                sessions.update(id) { $0.wishes[peer] = nil }
                emit(.disconnected(peer, nil, reconnecting: false), to: id)
            case .connected: lost(link, in: id, wish)
            case .pending: pursue(peer, in: id)
            case .delayed: break
            }
        }
    }

    private mutating func removeLink(_ peer: PeerID) {
        guard let link = links.removeValue(forKey: peer) else { return }
        dropTimers(of: peer)
        // BlueZ would subscribe again at the next connection. [contract 55]
        for subscription in link.subscriptions.values { stopNotify(subscription.path) }
        change(.linkDown(peer))
    }

    /// Whether the adapter is being switched off, which BlueZ tells from 5.73 on.
    private var isGoingOff: Bool {
        adapter.flatMap { objects[$0, BlueZName.adapter]?["PowerState"]?.text } == "on-disabling"
    }

    /// A session's connection ended and not by its wish.
    private mutating func lost(_ link: BlueZLink, in session: SessionID, _ wish: BlueZWish) {
        let peer = link.peer, error = link.reason ?? .unexplainedEnd
        // A peer that has lost its key would be met the same way again and again. [contract 50]
        let isTrusted = error.cause != .peerRemovedPairingInformation
        let reconnects = wish.options.autoReconnect && state == .poweredOn && isTrusted && !isGoingOff
        sessions.update(session) { session in
            var again = wish
            again.state = .pending
            again.isReconnection = true
            session.wishes[peer] = reconnects ? again : nil
        }
        // While the radio is being switched off the links go silently. [contract 8]
        guard !isGoingOff else { return }
        emit(.disconnected(peer, error, reconnecting: reconnects), to: session)
        if reconnects { pursue(peer, in: session) }
    }
}
