package import BLEBackend
package import BLEWire
import BLELocking

/// A store that lasts as long as the object: for worlds and tests.
///
/// The same key gives the same identifiers, in any process.
package final class MemoryDeviceStore: DeviceStore {
    private let table: Locked<PeerTable>

    package init(key: (UInt64, UInt64) = (0, 0), limit: Int = 65_536) {
        table = Locked(PeerTable(hash: PeerIdentifierHash(key: key), limit: limit))
    }

    package func peer(at address: DeviceAddress) -> PeerID { table.withLock { $0.peer(at: address).0 } }
    package func address(of peer: PeerID) -> DeviceAddress? { table.withLock { $0[peer]?.address } }
    package func name(of peer: PeerID) -> String? { table.withLock { $0[peer]?.name } }
    package func setAdvertisedName(_ name: String, of peer: PeerID) {
        table.withLock { _ = $0.change(peer) { $0.advertisedName = name } }
    }
    package func setDeviceName(_ name: String, of peer: PeerID) {
        table.withLock { _ = $0.change(peer) { $0.deviceName = name } }
    }
    package func setIdentity(_ address: DeviceAddress, of peer: PeerID) {
        table.withLock { _ = $0.setIdentity(address, of: peer) }
    }
    package func keep(_ peer: PeerID) {
        table.withLock { _ = $0.change(peer) { $0.isKept = true } }
    }
    package func hold(_ peer: PeerID) { table.withLock { $0.hold(peer) } }
    package func release(_ peer: PeerID) { table.withLock { $0.release(peer) } }
    package var needsSaving: Bool { false }
    package func save() {}
}
