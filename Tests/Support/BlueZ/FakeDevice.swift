package import BLEBlueZ

/// A device as BlueZ shows it.
package struct FakeDevice: Equatable {
    package var address: String
    package var name: String?
    package var rssi: Int16 = -50
    package var services: [String] = []
    package var manufacturerData: [UInt8] = []
    package var resolvesServices = true
    /// The ATT_MTU that its characteristics tell; nil = an old BlueZ's, which doesn't.
    package var mtu: UInt16? = 185
    package var database: [Service] = []

    package struct Service: Equatable {
        package var handle: UInt16
        package var uuid: String
        package var characteristics: [Characteristic] = []

        package init(_ handle: UInt16, _ uuid: String, _ characteristics: [Characteristic] = []) {
            self.handle = handle
            self.uuid = uuid
            self.characteristics = characteristics
        }
    }
    package struct Characteristic: Equatable {
        package var handle: UInt16
        package var uuid: String
        package var flags: [String]
        package var value: [UInt8]
        package var descriptors: [UInt16: String]

        package init(
            _ handle: UInt16, _ uuid: String, _ flags: [String], _ value: [UInt8] = [],
            descriptors: [UInt16: String] = [:]
        ) {
            self.handle = handle
            self.uuid = uuid
            self.flags = flags
            self.value = value
            self.descriptors = descriptors
        }
    }

    package init(_ address: String, name: String? = nil) {
        self.address = address
        self.name = name
    }

    package var path: String {
        FakeBlueZ.adapter + "/dev_" + address.split(separator: ":").joined(separator: "_")
    }

    /// What each of its packets tells.
    package var advertised: DBusProperties {
        var properties: DBusProperties = ["RSSI": .int16(rssi)]
        if let name { properties["Name"] = .string(name) }
        if !services.isEmpty { properties["UUIDs"] = .strings(services.map(Self.long)) }
        if !manufacturerData.isEmpty {
            properties["ManufacturerData"] = .dictionary(
                key: "q", value: "v", [.init(.uint16(0xFFFF), .variant(.bytes(manufacturerData)))])
        }
        return properties
    }

    package var properties: DBusProperties {
        advertised.merging([
            "Address": .string(address), "AddressType": .string("random"), "Connected": .bool(false),
            "Paired": .bool(false), "ServicesResolved": .bool(false), "Adapter": .path(FakeBlueZ.adapter),
        ]) { $1 }
    }

    /// Its attributes' objects, parents first.
    package var attributes: [(String, String, DBusProperties)] {
        var objects: [(String, String, DBusProperties)] = []
        for service in database {
            let own = "\(path)/service\(Self.hex(service.handle))"
            objects.append(
                (
                    own, BlueZName.gattService,
                    ["UUID": .string(Self.long(service.uuid)), "Primary": .bool(true), "Device": .path(path)]
                ))
            for one in service.characteristics {
                let place = "\(own)/char\(Self.hex(one.handle))"
                var properties: DBusProperties = [
                    "UUID": .string(Self.long(one.uuid)), "Service": .path(own), "Flags": .strings(one.flags),
                ]
                if let mtu { properties["MTU"] = .uint16(mtu) }
                objects.append((place, BlueZName.gattCharacteristic, properties))
                for (handle, uuid) in one.descriptors.sorted(by: { $0.key < $1.key }) {
                    objects.append(
                        (
                            "\(place)/desc\(Self.hex(handle))", BlueZName.gattDescriptor,
                            ["UUID": .string(Self.long(uuid)), "Characteristic": .path(place)]
                        ))
                }
            }
        }
        return objects
    }

    package func value(at path: String) -> [UInt8]? {
        database.lazy.flatMap(\.characteristics).first { path.hasSuffix("char" + Self.hex($0.handle)) }?.value
    }

    private static func hex(_ handle: UInt16) -> String {
        let digits = String(handle, radix: 16)
        return String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }

    private static func long(_ uuid: String) -> String {
        uuid.utf8.count == 4 ? "0000\(uuid.lowercased())-0000-1000-8000-00805f9b34fb" : uuid.lowercased()
    }
}
