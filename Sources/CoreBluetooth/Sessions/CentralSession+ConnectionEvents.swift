internal import BLEBackend
internal import Foundation

// Connection events: every manager of a device may hear of connections that any of them makes. [contract 56]

/// What a manager wants to hear of.
struct ConnectionEventFilter {
    var services: [CBUUID]?
    var peers: Set<UUID>?
    /// Peers whose connection was told; their disconnection is too, though their services can't be asked for then.
    var told: Set<PeerID> = []
}

/// The sessions of this process that want connection events.
enum ConnectionEvents {
    private struct Listener { weak var session: CentralSession? }
    private static let listeners = Guarded([Listener]())

    static func add(_ session: CentralSession) {
        listeners.withLock { listeners in
            listeners.removeAll { $0.session == nil || $0.session === session }
            listeners.append(Listener(session: session))
        }
    }

    static func remove(_ session: CentralSession) {
        listeners.withLock { $0.removeAll { $0.session == nil || $0.session === session } }
    }

    /// Tells those on the same device as the session whose connection it is.
    static func tell(_ event: CBConnectionEvent, _ peer: KnownPeer, from source: CentralSession) {
        let sessions = listeners.withLock { $0.compactMap(\.session) }
        for session in sessions where session.isOn(source) { session.hear(event, peer) }
    }
}

extension CentralSession {
    func registerForConnectionEvents(_ options: [CBConnectionEventMatchingOption: Any]?) {
        guard let options else {
            connectionEvents.withLock { $0 = nil }
            return ConnectionEvents.remove(self)
        }
        var filter = ConnectionEventFilter()
        if let services = options[.serviceUUIDs] as? [CBUUID] {
            if services.count > 4 { Report.warning("Connection events can be had of four services at most") }
            filter.services = Array(services.prefix(4))
        }
        if let peers = options[.peripheralUUIDs] as? [UUID] { filter.peers = Set(peers) }
        connectionEvents.withLock { $0 = filter }
        ConnectionEvents.add(self)
    }

    /// Called on the queue of the session whose connection it is: on to the own one.
    func hear(_ event: CBConnectionEvent, _ peer: KnownPeer) {
        guard let filter = connectionEvents.value, filter.told.contains(peer.id) || matches(filter, peer.id) else {
            return
        }
        connectionEvents.withLock { filter in
            if event == .peerConnected { filter?.told.insert(peer.id) } else { filter?.told.remove(peer.id) }
        }
        deliver {
            guard let manager = self.manager, self.state == .poweredOn else { return }
            let peripheral = self.peripheral(for: peer)
            self.willCall("centralManager(_:connectionEventDidOccur:for:)")
            manager.delegate?.centralManager(manager, connectionEventDidOccur: event, for: peripheral)
        }
    }

    /// Without either condition every peripheral matches.
    private func matches(_ filter: ConnectionEventFilter, _ id: PeerID) -> Bool {
        if filter.services == nil && filter.peers == nil { return true }
        if let peers = filter.peers, peers.contains(UUID(bits: id.bits)) { return true }
        guard let services = filter.services, let backend else { return false }
        return backend.connectedPeers(withServices: services.map(\.bluetoothUUID)).contains { $0.id == id }
    }
}
