import BLEWire

/// The bonds of a host, in the order in which they were made.
///
/// *Role*: finds the bond of an identity; whose a private address is, `PrivacyControl` knows. [Vol 3, Part C, 10.8.2.3]
struct BondTable {
    private(set) var all: [Bond] = [] { didSet { changes &+= 1 } }
    /// Counts changes, for who remembers what follows from the bonds.
    private(set) var changes = 0

    func index(of identity: DeviceAddress) -> Int? {
        all.firstIndex { $0.peer.bits == identity.bits && $0.peer.isRandom == identity.isRandom }
    }

    subscript(identity: DeviceAddress) -> Bond? { index(of: identity).map { all[$0] } }

    /// Another peer's bond that has the same key for its addresses.
    func other(than bond: Bond) -> Bond? {
        guard let irk = bond.irk else { return nil }
        return all.first { $0.irk == irk && $0.peer != bond.peer }
    }

    mutating func set(_ bond: Bond) {
        if let index = index(of: bond.peer) {
            all[index] = bond
        } else {
            all.append(bond)
        }
    }

    mutating func remove(_ identity: DeviceAddress) -> Bond? { index(of: identity).map { all.remove(at: $0) } }
}
