internal import BLEBackend
internal import BLEWire
internal import Foundation

/// What a peripheral manager has running: the services that it published, and what it advertises.
struct PeripheralState: RestorableState {
    static let currentVersion = 1
    var version = currentVersion
    var services: [Service] = []
    var advertisement: Advertisement?

    var isEmpty: Bool { services.isEmpty && advertisement == nil }

    struct Service: Codable, Equatable {
        /// Its name in the run that published it; others include it by that.
        var id: UInt64
        var uuid: String
        var isPrimary: Bool
        var includes: [UInt64]
        var characteristics: [Characteristic]

        init(_ service: LocalService) {
            id = service.id.rawValue
            uuid = CBUUID(service.uuid).uuidString
            isPrimary = service.isPrimary
            includes = service.includes.map(\.rawValue)
            characteristics = service.characteristics.map(Characteristic.init)
        }

        /// The object, and those that it includes must be among the ones made before. nil where the file lies.
        func object(after made: [UInt64: CBMutableService]) -> CBMutableService? {
            guard let uuid = RestoredUUID.parse(uuid) else { return nil }
            let included = includes.compactMap { made[$0] }
            let objects = characteristics.compactMap { $0.object() }
            guard included.count == includes.count, objects.count == characteristics.count else { return nil }
            let service = CBMutableService(type: uuid, primary: isPrimary)
            if !included.isEmpty { service.includedServices = included }
            service.characteristics = objects
            return service
        }
    }

    struct Characteristic: Codable, Equatable {
        var uuid: String
        var properties: UInt
        var permissions: UInt
        /// A fixed value; nil = dynamic.
        var value: Data?
        var descriptors: [Descriptor]

        init(_ characteristic: LocalCharacteristic) {
            uuid = CBUUID(characteristic.uuid).uuidString
            properties = UInt(characteristic.properties)
            permissions = UInt(characteristic.permissions.rawValue)
            value = characteristic.value.map { Data($0) }
            descriptors = characteristic.descriptors.map(Descriptor.init)
        }

        func object() -> CBMutableCharacteristic? {
            let objects = descriptors.compactMap { $0.object() }
            guard let uuid = RestoredUUID.parse(uuid), objects.count == descriptors.count else { return nil }
            let properties = CBCharacteristicProperties(rawValue: properties)
            let permissions = CBAttributePermissions(rawValue: permissions)
            // What `add` would end the program for. [contract 90]
            if value != nil, !properties.isSubset(of: .read) { return nil }
            let object = CBMutableCharacteristic(
                type: uuid, properties: properties, value: value, permissions: permissions)
            if !objects.isEmpty { object.descriptors = objects }
            return object
        }
    }

    struct Descriptor: Codable, Equatable {
        var uuid: String
        var value: Data

        init(_ descriptor: LocalDescriptor) {
            uuid = CBUUID(descriptor.uuid).uuidString
            value = Data(descriptor.value)
        }

        func object() -> CBMutableDescriptor? {
            switch uuid {
            case CBUUIDCharacteristicUserDescriptionString:
                String(data: value, encoding: .utf8).map {
                    CBMutableDescriptor(type: CBUUID(string: CBUUIDCharacteristicUserDescriptionString), value: $0)
                }
            case CBUUIDCharacteristicFormatString:
                CBMutableDescriptor(type: CBUUID(string: CBUUIDCharacteristicFormatString), value: value)
            default: nil
            }
        }
    }

    struct Advertisement: Codable, Equatable {
        var localName: String?
        var services: [String]

        init(_ request: AdvertisingRequest) {
            localName = request.localName
            services = request.services.map { CBUUID($0).uuidString }
        }

        /// As it was given to `startAdvertising`; nil where a text is no UUID.
        var data: [String: Any]? {
            guard let uuids = RestoredUUID.list(services) else { return nil }
            var data: [String: Any] = [:]
            data[CBAdvertisementDataLocalNameKey] = localName
            if !uuids.isEmpty { data[CBAdvertisementDataServiceUUIDsKey] = uuids }
            return data
        }

        var request: AdvertisingRequest? {
            RestoredUUID.list(services).map {
                AdvertisingRequest(localName: localName, services: $0.map(\.bluetoothUUID))
            }
        }
    }

    mutating func remove(_ id: LocalAttributeID) { services.removeAll { $0.id == id.rawValue } }

    /// All service objects in the order in which they were published, each with the name it had. A service that can't
    /// be made, and one that includes such a one, is left out.
    func objects() -> [(id: UInt64, service: CBMutableService)] {
        var made: [UInt64: CBMutableService] = [:]
        var all: [(id: UInt64, service: CBMutableService)] = []
        for service in services where made[service.id] == nil {
            guard let object = service.object(after: made) else { continue }
            made[service.id] = object
            all.append((service.id, object))
        }
        return all
    }
}
