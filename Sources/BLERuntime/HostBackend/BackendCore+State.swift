import BLEBackend
import BLEHost
import BLEWire

// The adapter's state, and what ends with it. [contract 7-14]
extension BackendCore {
    mutating func setCondition(_ condition: AdapterCondition) {
        guard condition != self.condition else { return }
        let wasOn = self.condition == .on
        self.condition = condition
        if condition == .on {
            // The state follows when the host says that it's ready.
            ask(.powerOn)
        } else {
            // Whatever the host still tells of its time before doesn't count. It may be on its way to be on.
            if wasOn || hostState != .unknown { ask(.powerOff) }
            hostState = .poweredOff
            updateState()
        }
    }

    /// Whether there is a transport to the controller; if not, why. [contract 14]
    package mutating func transportChanged(_ failure: TransportFailure?) {
        transportFailure = failure
        // With a transport the state follows when the host says that it's ready.
        if failure != nil || condition != .on { updateState() }
    }

    mutating func hostStateChanged(_ state: HostState) {
        guard condition == .on || state == .poweredOff else { return }
        hostState = state
        switch state {
        case .resetting(let error): trace(.warning, "hci", "the controller is lost: \(error)")
        // Why, and what to do, the host has said.
        case .unsupported, .unknown, .poweredOff, .poweredOn: break
        }
        updateState()
    }

    /// The state that managers are to see: what the surroundings forbid goes before what the host says.
    private var wantedState: AdapterState {
        switch transportFailure {
        case .unauthorized: return .unauthorized
        case .unsupported: return .unsupported
        case nil: break
        }
        switch condition {
        case .unauthorized: return .unauthorized
        case .unsupported: return .unsupported
        case .off: return .poweredOff
        case nil: return .unknown
        case .on: break
        }
        switch hostState {
        case .unknown: return .unknown
        case .poweredOff: return state == .unknown ? .unknown : .poweredOff
        case .poweredOn: return .poweredOn
        case .resetting: return .resetting
        case .unsupported: return .unsupported
        }
    }

    private mutating func updateState() {
        let wanted = wantedState
        guard wanted != state else { return }
        if state == .poweredOn { endEverything(isReset: wanted == .resetting) }
        if wanted != .poweredOn && wanted != .poweredOff {
            // Below powered off nothing is kept. [contract 10, 13]
            clearDatabase()
        }
        state = wanted
        change(.state(state))
        for session in sessions.keys { tellState(to: session) }
    }

    mutating func tellState(to session: SessionID) { emit(.stateChanged(state), to: session) }

    /// Links, scans and what waits end. At a reset each link's loss is told; when the radio is switched off the links go
    /// silently. [contract 8] Subscriptions to us end audibly in any case, so that programs stop sending. [contract 95]
    private mutating func endEverything(isReset: Bool) {
        if isReset {
            let error = BackendError(.connectionFailed, underlying: "the controller was reset")
            for (session, peer) in establishedWishes() {
                emit(.disconnected(peer, error, reconnecting: false), to: session)
            }
        }
        for link in links.values {
            saveDatabase(of: link.handle)
            endSubscriptions(of: link)
            change(.linkDown(link.peer))
        }
        links.removeAll()
        endAllChannels()
        attempts.removeAll()
        procedures = [:]
        requests = PendingRequests()
        updates = OutgoingUpdates()
        change(.updatesDropped)
        endTrains(BackendError(.notConnected, underlying: "the controller was \(isReset ? "reset" : "switched off")"))
        isScanning = false
        timers.cancel(.scanAgain)
        timers.cancel(.advertiseAgain)
        advertisers.removeAll()
        for id in sessions.keys {
            for peer in sessions[id]?.wishes.keys ?? [] { timers.cancel(.connect(id, peer)) }
            sessions.update(id) { session in
                session.scan = nil
                session.advertising = nil
                session.wishes.removeAll()
            }
        }
        if store.needsSaving { store.save() }
    }

    /// Sessions and the peers that they are connected to.
    private func establishedWishes() -> [(SessionID, PeerID)] {
        sessions.flatMap { session in
            session.value.wishes.compactMap { wish in
                wish.value.link == nil ? nil : (session.key, wish.key)
            }
        }
    }

    /// The program let go of its manager. [contract 16]
    mutating func close(_ id: SessionID) {
        guard let session = sessions[id] else { return }
        if session.scan != nil { stopScan(in: id) }
        for peer in session.wishes.keys { forget(peer, in: id) }
        if session.advertising != nil { stopAdvertising(in: id) }
        if session.role == .peripheral {
            refuseRequests(of: id)
            removeAllServices(in: id)
        }
        closeChannels(of: id)
        stopFollowing(in: id)
        sessions[id] = nil
        if store.needsSaving { store.save() }
    }

    /// Something is worth keeping; it is written a little later, together with what else comes.
    mutating func saveSoon() {
        guard store.needsSaving, !timers.contains(.saveStore) else { return }
        timers.set(.saveStore, at: now + .seconds(2))
    }
}
