import BLEBackend
import BLEHost
import BLEWire

/// The services of all sessions in the host's one database: which handle is whose attribute.
struct PublishedDatabase {
    /// A service that lies in the database.
    struct Service {
        let id: LocalAttributeID
        let session: SessionID
        let handles: ClosedRange<AttributeHandle>
    }
    /// A characteristic of one.
    struct Characteristic {
        let id: LocalAttributeID
        let session: SessionID
        let service: LocalAttributeID
        /// Of the declaration. [Vol 3, Part G, 3.3.1.1]
        let properties: UInt8

        /// Whether the kind of write is one that the characteristic offers.
        func offers(command: Bool) -> Bool { properties & (command ? 0x04 : 0x08) != 0 }
    }
    /// A service that the host was asked to add.
    struct Addition {
        let service: LocalService
        let session: SessionID
        /// It was removed again before it was there.
        var isRemoved = false
    }

    private(set) var services: SortedTable<LocalAttributeID, Service> = .init()
    /// By value handle.
    private(set) var characteristics: SortedTable<AttributeHandle, Characteristic> = .init()
    /// Value handles.
    private(set) var handles: SortedTable<LocalAttributeID, AttributeHandle> = .init()
    var additions: SortedTable<UInt64, Addition> = .init()

    /// Takes what the host laid out.
    mutating func insert(_ addition: Addition, _ layout: GATTServiceLayout) {
        let id = addition.service.id
        services[id] = Service(id: id, session: addition.session, handles: layout.handles)
        for (characteristic, handle) in zip(addition.service.characteristics, layout.characteristics) {
            characteristics[handle] = Characteristic(
                id: characteristic.id, session: addition.session, service: id,
                properties: UInt8(truncatingIfNeeded: characteristic.properties))
            handles[characteristic.id] = handle
        }
    }

    /// Forgets a service; the characteristics that went with it.
    mutating func remove(_ id: LocalAttributeID) -> [(handle: AttributeHandle, id: LocalAttributeID)] {
        services[id] = nil
        let gone = characteristics.filter { $0.value.service == id }.map { (handle: $0.key, id: $0.value.id) }
        for characteristic in gone {
            characteristics[characteristic.handle] = nil
            handles[characteristic.id] = nil
        }
        return gone
    }

    /// Whether the service is there or on its way, for the session.
    func knows(_ id: LocalAttributeID) -> Bool {
        services[id] != nil || additions.contains { $0.value.service.id == id && !$0.value.isRemoved }
    }
}

extension GATTServiceDefinition {
    /// The definition of a program's service.
    init(_ service: LocalService, includes: [AttributeHandle]) {
        self.init(
            uuid: service.uuid, isPrimary: service.isPrimary, includes: includes,
            characteristics: service.characteristics.map(Characteristic.init))
    }
}

extension GATTServiceDefinition.Characteristic {
    /// 0x100 and 0x200 offer notifications and indications like 0x10 and 0x20, to encrypted links. [contract 102]
    init(_ characteristic: LocalCharacteristic) {
        var properties = UInt8(truncatingIfNeeded: characteristic.properties)
        if characteristic.properties & 0x100 != 0 { properties |= 0x10 }
        if characteristic.properties & 0x200 != 0 { properties |= 0x20 }
        let isEncrypted = characteristic.properties & 0x300 != 0
        self.init(
            uuid: characteristic.uuid, properties: properties,
            permissions: AttributePermissions(characteristic.permissions),
            configurationPermissions: isEncrypted ? [.read, .write, .writeEncrypted] : [.read, .write],
            value: characteristic.value,
            descriptors: characteristic.descriptors.map { .init(uuid: $0.uuid, permissions: .read, value: $0.value) })
    }
}

extension AttributePermissions {
    /// What requires encryption also grants it. [contract 101, 102]
    init(_ permissions: LocalPermissions) {
        self = []
        if permissions.contains(.readable) { insert(.read) }
        if permissions.contains(.writeable) { insert(.write) }
        if permissions.contains(.readEncryptionRequired) { formUnion([.read, .readEncrypted]) }
        if permissions.contains(.writeEncryptionRequired) { formUnion([.write, .writeEncrypted]) }
    }
}
