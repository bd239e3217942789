internal import BLEBackend
public import Foundation

/// A characteristic that this program publishes. [contract 1.6]
///
/// A value given before it is added is cached: the system answers reads with it, and the characteristic must be
/// read-only. Without a value it is dynamic: every request comes to the delegate. A dynamic characteristic stays so,
/// whatever value the program stores in it later. [contract 88, 90, 91]
open class CBMutableCharacteristic: CBCharacteristic, @unchecked Sendable {
    private let publication: Guarded<Publication>

    private struct Publication {
        var permissions: CBAttributePermissions
        var subscribed: [CBCentral]?
        /// Its name in the session where it's published.
        var id: LocalAttributeID?
        /// It was published without a value once.
        var isDynamic = false
    }

    /// A characteristic; a nil value makes it dynamic.
    public init(
        type UUID: CBUUID, properties: CBCharacteristicProperties, value: Data?, permissions: CBAttributePermissions
    ) {
        publication = Guarded(Publication(permissions: permissions))
        super.init(uuid: UUID, properties: properties, value: value)
    }

    /// What a central may do.
    open var permissions: CBAttributePermissions {
        get { publication.withLock { $0.permissions } }
        set { publication.withLock { $0.permissions = newValue } }
    }

    /// The centrals that are subscribed at this moment; nil before the first one was. [contract 103]
    open var subscribedCentrals: [CBCentral]? { publication.withLock { $0.subscribed } }

    open override var properties: CBCharacteristicProperties {
        get { storage.withLock { $0.properties } }
        set { storage.withLock { $0.properties = newValue } }
    }

    /// The cached value, or what the program stores here of a dynamic one.
    open override var value: Data? {
        get { storage.withLock { $0.value } }
        set { storage.withLock { $0.value = newValue } }
    }

    /// Its descriptors; each gets this one as its ``CBDescriptor/characteristic``. Those that the properties ask for
    /// are added by the system. [contract 92]
    open override var descriptors: [CBDescriptor]? {
        get { storage.withLock { $0.descriptors } }
        set {
            for descriptor in newValue ?? [] { descriptor.setCharacteristic(self) }
            storage.set(\.descriptors, newValue)
        }
    }

    open override var description: String {
        let bits = String(properties.rawValue, radix: 16, uppercase: true)
        let permissionBits = String(permissions.rawValue, radix: 16, uppercase: true)
        return "\(descriptionHead), UUID = \(uuid), Value = \(value?.appleDescription ?? "(null)"), "
            + "Properties = 0x\(bits), Permissions = 0x\(permissionBits), "
            + "Descriptors = \(descriptors?.listDescription ?? "(null)"), "
            + "SubscribedCentrals = \(subscribedCentrals?.listDescription ?? "(null)")>"
    }

    /// Its name in the session where it's published; nil where it isn't.
    var localID: LocalAttributeID? { publication.withLock { $0.id } }

    /// The value that the system answers with; nil for a dynamic one. [contract 90, 91]
    var cachedValue: Data? { publication.withLock { $0.isDynamic } ? nil : value }

    func publish(as id: LocalAttributeID) {
        let isDynamic = cachedValue == nil
        publication.withLock {
            $0.id = id
            $0.isDynamic = isDynamic
        }
    }

    func unpublish() {
        publication.withLock { $0.id = nil }
        removeSubscribers()
    }

    /// False: it was subscribed already.
    func addSubscriber(_ central: CBCentral) -> Bool {
        publication.withLock { publication in
            let all = publication.subscribed ?? []
            guard !all.contains(where: { $0 === central }) else { return false }
            publication.subscribed = all + [central]
            return true
        }
    }

    /// False: it wasn't subscribed.
    func removeSubscriber(_ central: CBCentral) -> Bool {
        publication.withLock { publication in
            guard let index = publication.subscribed?.firstIndex(where: { $0 === central }) else { return false }
            publication.subscribed?.remove(at: index)
            return true
        }
    }

    /// Takes out all subscribers and returns them.
    @discardableResult
    func removeSubscribers() -> [CBCentral] {
        publication.withLock { publication in
            defer { if publication.subscribed != nil { publication.subscribed = [] } }
            return publication.subscribed ?? []
        }
    }
}
