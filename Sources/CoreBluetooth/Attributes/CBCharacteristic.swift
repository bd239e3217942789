internal import BLEBackend
internal import BLEWire
public import Foundation

/// A characteristic of a peripheral, or one that this program publishes. [contract 1.6]
open class CBCharacteristic: CBAttribute, @unchecked Sendable {
    /// Where it lies on the peripheral; nil for a published one.
    let remote: RemoteCharacteristic?
    let storage: Guarded<Storage>

    struct Storage {
        weak var service: CBService?
        var properties: CBCharacteristicProperties
        var value: Data?
        var descriptors: [CBDescriptor]?
        var isNotifying = false
        /// Subscriptions that were asked for and not answered yet.
        var pendingSubscriptions = 0
    }

    init(_ remote: RemoteCharacteristic, service: CBService) {
        self.remote = remote
        storage = Guarded(Storage(service: service, properties: .init(rawValue: UInt(remote.properties))))
        super.init(uuid: CBUUID(remote.uuid))
    }

    /// A characteristic to be published.
    init(uuid: CBUUID, properties: CBCharacteristicProperties, value: Data?) {
        remote = nil
        storage = Guarded(Storage(properties: properties, value: value))
        super.init(uuid: uuid)
    }

    /// The service it belongs to.
    open weak var service: CBService? { storage.withLock { $0.service } }

    /// What can be done with it.
    open var properties: CBCharacteristicProperties { storage.withLock { $0.properties } }

    /// What was read or notified last; nil before that. [contract 68]
    open var value: Data? { storage.withLock { $0.value } }

    /// Its descriptors, as far as they were discovered; nil before that. [contract 63]
    open var descriptors: [CBDescriptor]? { storage.withLock { $0.descriptors } }

    /// False: no characteristic is broadcast.
    @available(*, deprecated, message: "Broadcasting characteristics isn't supported")
    open var isBroadcasted: Bool { false }

    /// Whether the program is subscribed to it. [contract 55, 79]
    open var isNotifying: Bool { storage.withLock { $0.isNotifying } }

    /// `<CBCharacteristic: 0x…, UUID = …, properties = 0x10, value = …, notifying = NO>`. [contract 129]
    open override var description: String {
        let bits = String(properties.rawValue, radix: 16, uppercase: true)
        return "\(descriptionHead), UUID = \(uuid), properties = 0x\(bits), "
            + "value = \(value?.appleDescription ?? "(null)"), notifying = \(isNotifying ? "YES" : "NO")>"
    }

    var valueHandle: AttributeHandle { remote?.value ?? .none }

    func setService(_ service: CBService) { storage.withLock { $0.service = service } }
    func addDescriptors(_ found: [CBDescriptor]) { storage.withLock { $0.descriptors = found } }
    func setReceived(_ value: Data) { storage.withLock { $0.value = value } }

    /// Notes that a subscription is asked for. False: the state is held already. [contract 80]
    func wishToNotify(_ enabled: Bool) -> Bool {
        storage.withLock { storage in
            guard storage.pendingSubscriptions > 0 || storage.isNotifying != enabled else { return false }
            storage.pendingSubscriptions += 1
            return true
        }
    }

    /// A subscription was answered; nil: with an error, and the state stays as it was.
    func didUpdateNotifying(_ isNotifying: Bool?) {
        storage.withLock { storage in
            storage.pendingSubscriptions = max(0, storage.pendingSubscriptions - 1)
            if let isNotifying { storage.isNotifying = isNotifying }
        }
    }

    /// The connection has ended, and the subscription with it. [contract 55]
    func invalidate() {
        storage.withLock { storage in
            storage.isNotifying = false
            storage.pendingSubscriptions = 0
        }
    }
}
