package import BLEHost
package import BLEWire
import BLELocking

/// Where a device keeps its bonds.
///
/// *Threading*: every method may be called from any thread.
package protocol BondStore: AnyObject, Sendable {
    /// All of them, in the order in which they were made.
    var bonds: [Bond] { get }
    /// Keeps a bond, in place of the one with the same peer.
    func set(_ bond: Bond)
    func remove(_ peer: DeviceAddress)
}

/// Bonds that last as long as the object: for worlds and tests.
package final class MemoryBondStore: BondStore {
    private let stored = Locked<[Bond]>([])

    package init() {}

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

    package func remove(_ peer: DeviceAddress) { stored.withLock { $0.removeAll { $0.peer == peer } } }
}
