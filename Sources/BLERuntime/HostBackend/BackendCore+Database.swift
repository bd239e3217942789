import BLEBackend
import BLEHost
import BLEWire

// What is remembered of the databases of bonded peers, and answers discoveries without traffic. [Vol 3, Part G, 2.5.2]
//
// Answers count from the moment on at which the Database Hash was read on their link, so that they are never older than
// the hash that they are kept with; and they are kept only of links that the bond's key has encrypted, so that nobody but
// the peer itself decides what is remembered of it.
extension BackendCore {
    /// A link has come: with a bonded peer the hash is read before something is discovered.
    func recallDatabase(of link: inout Link) {
        guard profile.remembersDatabases, let address = pairing.bonded[link.peer] else { return }
        let known = bonds.database(of: address) ?? RememberedDatabase()
        // So that a change is understood that the peer tells at once.
        link.policy.serviceChanged = known.serviceChanged
        link.database = LinkDatabase(known: known)
        link.policy.readDatabaseHash()
    }

    /// The hash, or that there is none: only Service Changed tells of changes then. [Vol 3, Part G, 2.5.2.1]
    mutating func databaseHashRead(_ result: Result<GATTOutcome, HostError>, on handle: ConnectionHandle) {
        guard let link = links[handle], let database = link.database else { return }
        var hash: [UInt8]?
        switch result {
        case .success(.values(let list)):
            hash = list.first?.value
            if let hash, hash.count != 16 || list.contains(where: { $0.value != hash }) {
                trace(.notice, "gatt", "\(link.peer) has a Database Hash that is none: nothing is remembered of it")
                return forgetDatabase(of: link.peer)
            }
        case .failure(.att(.attributeNotFound)): break
        case .success, .failure:
            // Neither that nothing has changed is known, nor that something has.
            trace(.debug, "gatt", "the Database Hash of \(link.peer) couldn't be read")
            links.update(handle) { $0.database = nil }
            return
        }
        if database.known.hash != hash {
            if !database.known.answers.isEmpty {
                trace(.info, "gatt", "the database of \(link.peer) has changed: it is discovered anew")
                if let address = pairing.bonded[link.peer] { bonds.setDatabase(nil, of: address) }
                links.update(handle) { $0.policy.serviceChanged = nil }
            }
            links.update(handle) { $0.database = LinkDatabase(known: RememberedDatabase(hash: hash)) }
        }
        links.update(handle) { $0.database?.isCurrent = true }
    }

    /// A procedure has found something by asking the peer.
    mutating func noteDatabase(_ outcome: GATTOutcome, of procedure: GATTProcedure, on handle: ConnectionHandle) {
        let isNew = links.update(handle) { link in
            guard link.database?.isCurrent == true, link.database?.known.note(outcome, of: procedure) == true else {
                return false
            }
            link.database?.isChanged = true
            return true
        }
        guard isNew == true, !timers.contains(.saveDatabase(handle)) else { return }
        timers.set(.saveDatabase(handle), at: now + .seconds(2))
    }

    /// Keeps what was found since the last time; without a hash only if changes are told.
    mutating func saveDatabase(of handle: ConnectionHandle) {
        timers.cancel(.saveDatabase(handle))
        guard let link = links[handle], let database = link.database, database.isChanged, database.isCurrent,
            link.isEncrypted, database.known.hash != nil || link.policy.followsChanges,
            let address = pairing.bonded[link.peer]
        else { return }
        bonds.setDatabase(database.known, of: address)
        links.update(handle) { $0.database?.isChanged = false }
    }

    /// Service Changed: what was known is worth nothing, the new hash is to be read. [Vol 3, Part G, 7.1]
    mutating func databaseChanged(on handle: ConnectionHandle) {
        guard let link = links[handle], link.database != nil, let address = pairing.bonded[link.peer] else { return }
        bonds.setDatabase(nil, of: address)
        links.update(handle) { link in
            link.database = LinkDatabase(known: RememberedDatabase())
            link.policy.readDatabaseHash()
        }
    }

    /// Nothing is remembered of the peer any more, nor on its links that there are.
    mutating func forgetDatabase(of peer: PeerID) {
        if let address = pairing.bonded[peer] { bonds.setDatabase(nil, of: address) }
        for link in links.keys where links[link]?.peer == peer { links.update(link) { $0.database = nil } }
    }
}
