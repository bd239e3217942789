internal import BLEBackend
internal import BLEWire
internal import Foundation

/// A descriptor of a characteristic. [contract 1.6]
open class CBDescriptor: CBAttribute, @unchecked Sendable {
    /// Where it lies on the peripheral; nil for a published one.
    let remote: RemoteDescriptor?
    private let storage: Guarded<Storage>

    private struct Storage {
        weak var characteristic: CBCharacteristic?
        var value: Any?
    }

    init(_ remote: RemoteDescriptor, characteristic: CBCharacteristic) {
        self.remote = remote
        storage = Guarded(Storage(characteristic: characteristic))
        super.init(uuid: CBUUID(remote.uuid))
    }

    /// A descriptor to be published.
    init(uuid: CBUUID, value: Any?) {
        remote = nil
        storage = Guarded(Storage(value: value))
        super.init(uuid: uuid)
    }

    /// The characteristic it belongs to.
    open weak var characteristic: CBCharacteristic? { storage.withLock { $0.characteristic } }

    /// What was read: an `NSNumber` for 2900, 2902 and 2903, a `String` for 2901, else a `Data`. [contract 83]
    open var value: Any? { storage.withLock { $0.value } }

    open override var description: String {
        let value = value.map { ($0 as? Data)?.appleDescription ?? "\($0)" } ?? "(null)"
        return "\(descriptionHead), UUID = \(uuid), value = \(value)>"
    }

    func setValue(_ value: Any) { storage.withLock { $0.value = value } }
    func setCharacteristic(_ characteristic: CBCharacteristic) {
        storage.withLock { $0.characteristic = characteristic }
    }
}

/// How descriptors' values look to a program. [contract 83]
enum DescriptorValue {
    static func object(_ octets: [UInt8], of uuid: CBUUID) -> Any {
        switch uuid.bluetoothUUID.short16 {
        case 0x2900, 0x2902, 0x2903:
            // Two octets, least significant first [Vol 3, Part G, 3.3.3.1]; a peer may send fewer or more.
            NSNumber(value: octets.prefix(2).reversed().reduce(UInt16(0)) { $0 << 8 | UInt16($1) })
        case 0x2901: String(decoding: octets, as: UTF8.self)
        default: Data(octets)
        }
    }
}
