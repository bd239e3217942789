import BLEBackend
import BLEWire

/// An attribute of a peer, with the object that BlueZ has for it.
struct RemoteObject<Attribute> {
    let path: String
    let attribute: Attribute
}

// What BlueZ has found at a device. The objects' names end in the handle of the declaration, in hexadecimal:
// service0001/char0002/desc0004. [BlueZ, gatt-api]
extension ObjectTree {
    /// Services in the order of their handles.
    ///
    /// BlueZ doesn't tell where a service ends: it counts as going on to the next one.
    func services(of device: String) -> [RemoteObject<RemoteService>] {
        let found = children(of: device, named: "service", with: BlueZName.gattService)
        return found.enumerated().compactMap { index, one in
            guard let uuid = uuid(one.path, BlueZName.gattService) else { return nil }
            let end = index + 1 < found.count ? found[index + 1].handle.before : .last
            let isPrimary = self[one.path, BlueZName.gattService]?["Primary"]?.flag ?? true
            return RemoteObject(
                path: one.path,
                attribute: RemoteService(uuid: uuid, isPrimary: isPrimary, handles: one.handle...max(end, one.handle)))
        }
    }

    func includedServices(of service: String, on device: String) -> [RemoteService] {
        let paths = self[service, BlueZName.gattService]?["Includes"]?.texts ?? []
        return services(of: device).filter { paths.contains($0.path) }.map(\.attribute)
    }

    func characteristics(of service: RemoteObject<RemoteService>) -> [RemoteObject<RemoteCharacteristic>] {
        let found = children(of: service.path, named: "char", with: BlueZName.gattCharacteristic)
        return found.enumerated().compactMap { index, one in
            guard let uuid = uuid(one.path, BlueZName.gattCharacteristic) else { return nil }
            let end = index + 1 < found.count ? found[index + 1].handle.before : service.attribute.handles.upperBound
            // The value comes right behind the declaration. [Vol 3, Part G, 3.3]
            let value = one.handle.next
            let flags = self[one.path, BlueZName.gattCharacteristic]?["Flags"]?.texts ?? []
            return RemoteObject(
                path: one.path,
                attribute: RemoteCharacteristic(
                    uuid: uuid, properties: CharacteristicFlags.properties(flags), declaration: one.handle,
                    value: value, end: max(end, value)))
        }
    }

    func descriptors(of characteristic: String) -> [RemoteObject<RemoteDescriptor>] {
        children(of: characteristic, named: "desc", with: BlueZName.gattDescriptor).compactMap { one in
            uuid(one.path, BlueZName.gattDescriptor).map {
                RemoteObject(path: one.path, attribute: RemoteDescriptor(uuid: $0, handle: one.handle))
            }
        }
    }

    /// The object of a characteristic's value or of a descriptor, and its interface.
    func attribute(_ handle: AttributeHandle, on device: String) -> (path: String, interface: String)? {
        for path in paths(with: BlueZName.gattCharacteristic, below: device) {
            if Self.handle(ofLast: "char", in: path)?.next == handle { return (path, BlueZName.gattCharacteristic) }
        }
        for path in paths(with: BlueZName.gattDescriptor, below: device) {
            if Self.handle(ofLast: "desc", in: path) == handle { return (path, BlueZName.gattDescriptor) }
        }
        return nil
    }

    /// The handle of the value of the characteristic with this path.
    static func valueHandle(ofCharacteristic path: String) -> AttributeHandle? {
        handle(ofLast: "char", in: path)?.next
    }

    /// The handle of the declaration of the service with this path.
    static func serviceHandle(_ path: String) -> AttributeHandle? { handle(ofLast: "service", in: path) }

    private func children(
        of parent: String, named name: String, with interface: String
    ) -> [(path: String, handle: AttributeHandle)] {
        paths(with: interface, below: parent).compactMap { path in
            guard !path.dropFirst(parent.count + 1).contains("/") else { return nil }
            return Self.handle(ofLast: name, in: path).map { (path, $0) }
        }.sorted { $0.handle < $1.handle }
    }

    private static func handle(ofLast name: String, in path: String) -> AttributeHandle? {
        guard let last = path.split(separator: "/").last, last.hasPrefix(name) else { return nil }
        let digits = last.dropFirst(name.count)
        guard digits.utf8.count == 4, let number = UInt16(digits, radix: 16), number > 0 else { return nil }
        return AttributeHandle(rawValue: number)
    }

    private func uuid(_ path: String, _ interface: String) -> BluetoothUUID? {
        self[path, interface]?["UUID"]?.text.flatMap(BluetoothUUID.init(bluez:))
    }
}

extension AttributeHandle {
    /// The handle before this one; the first has none.
    fileprivate var before: AttributeHandle { AttributeHandle(rawValue: max(rawValue, 2) - 1) }
    fileprivate var next: AttributeHandle { AttributeHandle(rawValue: min(rawValue, 0xFFFE) + 1) }
}

extension BluetoothUUID {
    /// BlueZ writes all of them with 36 characters; those on the base UUID get their short form back. [contract 126]
    init?(bluez text: String) {
        guard let uuid = BluetoothUUID(text) else { return nil }
        if let short = uuid.short16 {
            self = BluetoothUUID(short)
        } else if let short = uuid.short32 {
            self = BluetoothUUID(bits32: short)
        } else {
            self = uuid
        }
    }

    /// 36 characters, in lower case as BlueZ has them.
    var bluez: String { BluetoothUUID(full: full).description.lowercased() }
}
