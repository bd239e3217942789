import BLEBackend
import BLEWire

/// The records of a store, with a limit: whoever sends under ever new addresses doesn't make it grow without end.
///
/// *Limits*: beyond the limit the records that were made first go first; those of peers that a program has connected to
/// only when nothing else is left. Those of peers that a program holds don't count, and stay.
struct PeerTable {
    private let hash: PeerIdentifierHash
    private let limit: Int
    private var identifiers: [DeviceAddress: PeerID] = [:]
    private var records: [PeerID: PeerRecord] = [:]
    /// Identifiers in the order in which they were made; those that are gone are skipped.
    private var order: [PeerID] = []
    /// How many objects of a program stand for a peer.
    private var holders: [PeerID: Int] = [:]

    init(hash: PeerIdentifierHash, limit: Int) {
        self.hash = hash
        self.limit = max(limit, 1)
    }

    subscript(peer: PeerID) -> PeerRecord? { records[peer] }

    /// Records in the order in which they were made.
    var ordered: [PeerRecord] { order.compactMap { records[$0] } }

    /// The identifier, and whether it's new.
    mutating func peer(at address: DeviceAddress) -> (PeerID, isNew: Bool) {
        if let known = identifiers[address] { return (known, false) }
        let identity = DeviceAddress(address.bits, address.isRandom ? .randomDevice : .publicDevice)
        let peer = identifiers[identity] ?? hash.peer(of: identity)
        identifiers[address] = peer
        if records[peer] != nil { return (peer, false) }
        if records.count - holders.count >= limit { makeRoom() }
        records[peer] = PeerRecord(address: identity)
        order.append(peer)
        return (peer, true)
    }

    /// An object of a program stands for the peer: its record stays until `release`.
    mutating func hold(_ peer: PeerID) {
        if records[peer] != nil { holders[peer, default: 0] += 1 }
    }

    /// One such object is gone.
    mutating func release(_ peer: PeerID) {
        guard let count = holders[peer] else { return }
        holders[peer] = count > 1 ? count - 1 : nil
    }

    /// Changes a record; true if it's another one than before.
    mutating func change(_ peer: PeerID, _ change: (inout PeerRecord) -> Void) -> Bool {
        guard var record = records[peer] else { return false }
        let before = record
        change(&record)
        guard record != before else { return false }
        records[peer] = record
        return true
    }

    /// Gives a peer its identity address; it keeps its identifier. True if that is something new.
    mutating func setIdentity(_ address: DeviceAddress, of peer: PeerID) -> Bool {
        let identity = DeviceAddress(address.bits, address.isRandom ? .randomDevice : .publicDevice)
        guard let old = records[peer]?.address, old != identity else { return false }
        identifiers[old] = nil
        identifiers[identity] = peer
        return change(peer) { record in
            record.address = identity
            record.identifier = peer
        }
    }

    mutating func insert(_ record: PeerRecord) {
        if let identifier = record.identifier {
            identifiers[record.address] = identifier
            if records[identifier] == nil { order.append(identifier) }
            records[identifier] = record
            return
        }
        let (peer, _) = peer(at: record.address)
        records[peer] = record
    }

    /// Drops a quarter, so that the work is shared by many insertions.
    private mutating func makeRoom() {
        var excess = max(limit / 4, 1)
        for spareKept in [true, false] where excess > 0 {
            order.removeAll { peer in
                guard excess > 0, holders[peer] == nil, let record = records[peer], !(spareKept && record.isKept) else {
                    return false
                }
                excess -= 1
                records[peer] = nil
                return true
            }
        }
        identifiers = identifiers.filter { records[$0.value] != nil }
    }
}
