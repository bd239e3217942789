import BLEBackend
import BLEWire

/// What programs publish through BlueZ.
///
/// BlueZ takes services as applications, each of which it reads once. So each service is an application of its own, but
/// services that include each other are in one, which is registered anew where another one comes to it.
struct PublishedServices {
    struct Service {
        let service: LocalService
        let session: SessionID
        /// The program was told that it's there.
        var isTold = false
    }
    struct Application {
        var services: [LocalAttributeID]
        var isRegistered = false
    }
    /// Where a characteristic is.
    struct Characteristic {
        let characteristic: LocalCharacteristic
        let session: SessionID
    }

    static let root = "/org/ravning"

    private(set) var services: SortedTable<LocalAttributeID, Service> = .init()
    var applications: SortedTable<UInt64, Application> = .init()

    mutating func insert(_ service: LocalService, _ session: SessionID) {
        services[service.id] = Service(service: service, session: session)
    }

    mutating func remove(_ id: LocalAttributeID) { services[id] = nil }

    mutating func removeAll() {
        services.removeAll()
        applications.removeAll()
    }

    mutating func told(_ id: LocalAttributeID) { services.update(id) { $0.isTold = true } }

    func application(of service: LocalAttributeID) -> UInt64? {
        applications.first { $0.value.services.contains(service) }?.key
    }

    func characteristic(_ id: LocalAttributeID) -> Characteristic? {
        for service in services.values {
            guard let found = service.service.characteristics.first(where: { $0.id == id }) else { continue }
            return Characteristic(characteristic: found, session: service.session)
        }
        return nil
    }

    // MARK: - Objects

    static func path(application: UInt64) -> String { "\(root)/app\(application)" }

    private func path(ofService service: LocalAttributeID) -> String? {
        application(of: service).map { "\(Self.path(application: $0))/s\(service.rawValue)" }
    }

    func path(of characteristic: LocalAttributeID) -> String? {
        let service = services.values.first { $0.service.characteristics.contains { $0.id == characteristic } }
        return service.flatMap { path(ofService: $0.service.id) }.map { "\($0)/c\(characteristic.rawValue)" }
    }

    /// The attribute that a path ends in, by the letter of its kind.
    static func identifier(_ kind: Character, at path: String) -> LocalAttributeID? {
        guard path.hasPrefix(root + "/app"), let last = path.split(separator: "/").last, last.first == kind else {
            return nil
        }
        return UInt64(last.dropFirst()).map(LocalAttributeID.init(rawValue:))
    }

    /// Objects of an application, in order: parents before what is in them. [BlueZ, gatt-api]
    func objects(of application: UInt64) -> [(path: String, interface: String, properties: DBusValue)] {
        var objects: [(String, String, DBusValue)] = []
        for id in applications[application]?.services ?? [] {
            guard let service = services[id]?.service, let path = path(ofService: id) else { continue }
            objects.append((path, BlueZName.gattService, properties(of: service)))
            for characteristic in service.characteristics {
                let own = "\(path)/c\(characteristic.id.rawValue)"
                objects.append((own, BlueZName.gattCharacteristic, Self.properties(of: characteristic, in: path)))
                for descriptor in characteristic.descriptors {
                    let place = "\(own)/d\(descriptor.id.rawValue)"
                    objects.append((place, BlueZName.gattDescriptor, Self.properties(of: descriptor, in: own)))
                }
            }
        }
        return objects
    }

    /// The object at a path, whatever it is.
    func object(at path: String) -> (interface: String, properties: DBusValue)? {
        for application in applications.keys where path.hasPrefix(Self.path(application: application) + "/") {
            if let found = objects(of: application).first(where: { $0.path == path }) {
                return (found.interface, found.properties)
            }
        }
        return nil
    }

    func descriptor(_ id: LocalAttributeID) -> LocalDescriptor? {
        services.values.lazy.flatMap(\.service.characteristics).flatMap(\.descriptors).first { $0.id == id }
    }

    private func properties(of service: LocalService) -> DBusValue {
        .properties([
            "UUID": .string(service.uuid.bluez), "Primary": .bool(service.isPrimary),
            "Includes": .paths(service.includes.compactMap(path(ofService:))),
        ])
    }

    private static func properties(of characteristic: LocalCharacteristic, in service: String) -> DBusValue {
        let uuid = DBusValue.string(characteristic.uuid.bluez)
        let flags = DBusValue.strings(CharacteristicFlags.flags(characteristic))
        guard characteristic.isNotifiedBySocket else {
            return .properties(["UUID": uuid, "Service": .path(service), "Flags": flags])
        }
        // That the property is there makes BlueZ use `AcquireNotify`, which tells who subscribes.
        return .properties([
            "UUID": uuid, "Service": .path(service), "Flags": flags, "NotifyAcquired": .bool(false),
        ])
    }

    private static func properties(of descriptor: LocalDescriptor, in characteristic: String) -> DBusValue {
        .properties([
            "UUID": .string(descriptor.uuid.bluez), "Characteristic": .path(characteristic),
            "Flags": .strings(["read"]),
        ])
    }
}

extension LocalCharacteristic {
    var canNotify: Bool { properties & 0x110 != 0 }
    var canIndicate: Bool { properties & 0x220 != 0 }
    /// Indications by a socket would go without their confirmations.
    var isNotifiedBySocket: Bool { canNotify }

    /// Whether writes of that kind are offered. [contract 78, 101]
    func offers(command: Bool) -> Bool { properties & (command ? 0x04 : 0x08) != 0 }
}
