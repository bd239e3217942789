import BLEBackend
import BLEWire

// The adapter's state, and what ends with it. [contract 7-14]
extension BlueZMachine {
    /// How long what was lost may be away before its absence is said to last.
    static let patience = Delay.seconds(5)

    /// Takes the adapter that was named; else stays with the one in use, else takes the first one that is on.
    mutating func chooseAdapter() {
        let paths = objects.paths(with: BlueZName.adapter)
        let old = adapter
        if let wantedAdapter {
            adapter = paths.first { $0 == "\(BlueZName.managerPath)/\(wantedAdapter)" }
        } else if old.map({ objects[$0, BlueZName.adapter] == nil }) ?? true {
            adapter = paths.first { objects[$0, BlueZName.adapter]?["Powered"]?.flag == true } ?? paths.first
        }
        if adapter != old {
            if let adapter { trace(.info, "the adapter is \(adapter)") }
            shareDevices()
        }
        updateState()
    }

    /// The state that managers are to see.
    private var wantedState: AdapterState {
        if let adapter {
            return objects[adapter, BlueZName.adapter]?["Powered"]?.flag == true ? .poweredOn : .poweredOff
        }
        if bus == .closed || (owner != nil && bus == .open && !isTold) { return isEverFound ? .resetting : .unknown }
        if let lostAt, now - lostAt < Self.patience { return .resetting }
        if case .failed(let failure) = bus, failure.isAccessDenied { return .unauthorized }
        return .unsupported
    }

    /// Whether BlueZ has told its objects, which are never none.
    private var isTold: Bool { !objects.paths(with: BlueZName.agentManager).isEmpty }

    mutating func updateState() {
        if adapter != nil {
            isEverFound = true
            lostAt = nil
            timers.cancel(.patience)
        } else if isEverFound, lostAt == nil {
            lostAt = now
            timers.set(.patience, at: now + Self.patience)
        }
        let wanted = wantedState
        guard wanted != state else { return }
        if state == .poweredOn { endEverything(isReset: wanted != .poweredOff) }
        if wanted != .poweredOn && wanted != .poweredOff { clearDatabase() }
        state = wanted
        explain(wanted)
        change(.state(wanted))
        for session in sessions.keys { emit(.stateChanged(wanted), to: session) }
    }

    /// Says once what a person can do about it.
    private mutating func explain(_ state: AdapterState) {
        switch state {
        case .poweredOff:
            trace(
                .notice,
                "the adapter \(adapter ?? "") is off; switch it on in the desktop, or with `bluetoothctl power on` (and "
                    + "`rfkill unblock bluetooth` where a switch blocks it)")
        case .unauthorized, .unsupported: trace(.error, absence(state))
        case .resetting: trace(.warning, "BlueZ or its adapter is gone; waiting for it")
        case .unknown, .poweredOn: break
        }
    }

    private func absence(_ state: AdapterState) -> String {
        if state == .unauthorized {
            return "the bus doesn't let this user talk to BlueZ; add the user to the group that its policy names "
                + "(often `bluetooth`), and log in again"
        }
        if case .failed(let failure) = bus {
            return "BlueZ can't be reached (\(failure)); start it with `systemctl start bluetooth`, or set "
                + "RAVNING_ADAPTER=virtual, which needs no hardware"
        }
        if owner == nil {
            return "bluetoothd doesn't run; start it with `systemctl start bluetooth`, or set RAVNING_ADAPTER=virtual, "
                + "which needs no hardware"
        }
        let found = objects.paths(with: BlueZName.adapter).compactMap { $0.split(separator: "/").last }
        let list = found.isEmpty ? "none" : found.joined(separator: ", ")
        return "BlueZ has no adapter \(wantedAdapter ?? "at all") (it has \(list)); name another one, or set "
            + "RAVNING_ADAPTER=virtual, which needs no hardware"
    }

    /// Links, scans and what waits end. At a reset each link's loss is told; when the radio is switched off the links go
    /// silently. [contract 8]
    private mutating func endEverything(isReset: Bool) {
        let error = BackendError(.connectionFailed, underlying: "BlueZ: its daemon or the adapter is gone")
        for link in links.values {
            if isReset { emit(.disconnected(link.peer, error, reconnecting: false), to: link.users) }
            change(.linkDown(link.peer))
            dropTimers(of: link.peer)
        }
        links.removeAll()
        for peer in attempts.keys { timers.cancel(.attempt(peer)) }
        attempts.removeAll()
        endRequests()
        discovery = Discovery()
        timers.cancel(.discover)
        timers.cancel(.watchDiscovery)
        heard.removeAll()
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

    mutating func dropTimers(of peer: PeerID) {
        for timer: BlueZTimer in [.askLink(peer), .resolve(peer), .operation(peer), .servicesModified(peer)] {
            timers.cancel(timer)
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
        sessions[id] = nil
        if store.needsSaving { store.save() }
    }

    /// Whether a session of the role may ask for something now. Managers look before they ask, so that it's only a race
    /// that gets here: nothing is answered. [contract 5]
    mutating func isReady(_ session: SessionID, _ role: SessionRole, _ what: StaticString) -> Bool {
        guard let known = sessions[session], known.role == role else { return false }
        if state != .poweredOn { trace(.debug, "\(what) ignored: the state is \(state)") }
        return state == .poweredOn
    }
}
