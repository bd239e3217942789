package import BLEHost
package import BLEWire
import BLELocking

/// Where a device keeps its bonds from run to run, and the key that its own private addresses are made with.
///
/// *Threading*: every method may be called from any thread.
package protocol BondStore: AnyObject, Sendable {
    /// All of them, in the order in which they were made, as far as that is known.
    var bonds: [Bond] { get }
    /// Keeps a bond, in place of the one with the same peer.
    func set(_ bond: Bond)
    /// Forgets a bond, and what is remembered of the peer's database with it.
    func remove(_ peer: DeviceAddress)
    /// What is remembered of a bonded peer's database; nil = nothing. [Vol 3, Part G, 2.5.2]
    func database(of peer: DeviceAddress) -> RememberedDatabase?
    /// Remembers a bonded peer's database, or forgets it with nil.
    func setDatabase(_ database: RememberedDatabase?, of peer: DeviceAddress)
    /// The key of this device's private addresses, made once; 0 = there is none. [Vol 3, Part H, 2.4.2.1]
    var identityResolvingKey: Key128 { get }
}

/// Bonds that last as long as the object: for worlds and tests.
package final class MemoryBondStore: BondStore {
    private let stored = Locked<[Bond]>([])
    private let databases = Locked<[DeviceAddress: RememberedDatabase]>([:])
    package let identityResolvingKey: Key128

    package init(identityResolvingKey: Key128 = 0) { self.identityResolvingKey = identityResolvingKey }

    package var bonds: [Bond] { stored.withLock { $0 } }

    package func set(_ bond: Bond) {
        stored.withLock { bonds in
            if let index = bonds.firstIndex(where: { $0.peer == bond.peer }) {
                bonds[index] = bond
            } else {
                bonds.append(bond)
            }
        }
    }

    package func remove(_ peer: DeviceAddress) {
        stored.withLock { $0.removeAll { $0.peer == peer } }
        setDatabase(nil, of: peer)
    }

    package func database(of peer: DeviceAddress) -> RememberedDatabase? { databases.withLock { $0[peer] } }

    package func setDatabase(_ database: RememberedDatabase?, of peer: DeviceAddress) {
        databases.withLock { $0[peer] = database }
    }
}
