internal import BLEBackend

/// The peripherals of a central manager: one object for each device while the program keeps it. [contract 34]
///
/// Objects are held weakly. Whether a device is connected or being connected is kept beside the reference, so that a
/// connection whose object is gone ends exactly once, whoever notices first. [contract 33]
struct PeripheralTable {
    private struct Entry {
        weak var peripheral: CBPeripheral?
        /// Which of the objects that a device had in turn.
        var generation: UInt64
        /// The backend connects it, or has connected it, for this object.
        var isEngaged = false
    }

    private var entries: [PeerID: Entry] = [:]
    private var generations: UInt64 = 0

    subscript(id: PeerID) -> CBPeripheral? { entries[id]?.peripheral }

    /// All objects that the program keeps.
    var all: [CBPeripheral] {
        entries.sorted { $0.key.bits < $1.key.bits }.compactMap { $0.value.peripheral }
    }

    /// The number for a new object.
    mutating func nextGeneration() -> UInt64 {
        generations += 1
        return generations
    }

    /// Enters a new object. True: the one before was connected or being connected and is gone; that must end first.
    mutating func insert(_ peripheral: CBPeripheral) -> Bool {
        let id = peripheral.peerID
        let wasEngaged = entries[id]?.isEngaged ?? false
        entries[id] = Entry(peripheral: peripheral, generation: peripheral.generation)
        return wasEngaged
    }

    mutating func setEngaged(_ isEngaged: Bool, _ id: PeerID, generation: UInt64) {
        guard entries[id]?.generation == generation else { return }
        entries[id]?.isEngaged = isEngaged
    }

    /// Takes out an object that is going away. True: its connection must end.
    mutating func remove(_ id: PeerID, generation: UInt64) -> Bool {
        guard let entry = entries[id], entry.generation == generation else { return false }
        entries[id] = nil
        return entry.isEngaged
    }

    mutating func removeAll() { entries = [:] }
}
