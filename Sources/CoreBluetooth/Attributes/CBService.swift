internal import BLEBackend
internal import BLEWire
internal import Foundation

/// A service of a peripheral, or one that this program publishes. [contract 1.6]
open class CBService: CBAttribute, @unchecked Sendable {
    /// Where it lies on the peripheral; nil for a published one.
    let remote: RemoteService?
    private let primary: Bool
    let storage = Guarded(Storage())

    struct Storage {
        weak var peripheral: CBPeripheral?
        var includedServices: [CBService]?
        var characteristics: [CBCharacteristic]?
    }

    init(_ remote: RemoteService, peripheral: CBPeripheral) {
        self.remote = remote
        primary = remote.isPrimary
        super.init(uuid: CBUUID(remote.uuid))
        storage.withLock { $0.peripheral = peripheral }
    }

    /// A service to be published.
    init(uuid: CBUUID, isPrimary: Bool) {
        remote = nil
        primary = isPrimary
        super.init(uuid: uuid)
    }

    /// The peripheral whose service it is; nil for a published one.
    open weak var peripheral: CBPeripheral? { storage.withLock { $0.peripheral } }

    /// Whether it stands for itself, and not only to be included.
    open var isPrimary: Bool { primary }

    /// The services it includes, as far as they were discovered; nil before that. [contract 62]
    open var includedServices: [CBService]? { storage.withLock { $0.includedServices } }

    /// Its characteristics, as far as they were discovered, in the order of their handles; nil before that.
    /// [contract 61]
    open var characteristics: [CBCharacteristic]? { storage.withLock { $0.characteristics } }

    open override var description: String {
        "\(descriptionHead), isPrimary = \(isPrimary ? "YES" : "NO"), UUID = \(uuid)>"
    }

    var startHandle: AttributeHandle { remote?.handles.lowerBound ?? .none }

    /// Adds what a discovery found to what was there. [contract 61]
    func addCharacteristics(_ found: [CBCharacteristic]) {
        storage.withLock { storage in
            var all = storage.characteristics ?? []
            for characteristic in found where !all.contains(where: { $0 === characteristic }) {
                all.removeAll { $0.valueHandle == characteristic.valueHandle }
                all.append(characteristic)
            }
            storage.characteristics = all.sorted { $0.valueHandle < $1.valueHandle }
        }
    }

    func addIncluded(_ found: [CBService]) {
        storage.withLock { storage in
            let all = storage.includedServices ?? []
            storage.includedServices = all + found.filter { service in !all.contains { $0 === service } }
        }
    }
}
