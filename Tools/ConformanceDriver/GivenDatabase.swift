import BLEHost
import BLEWire

/// A database as a test gives it: every row with its handle, exactly.
struct GivenDatabase {
    private(set) var rows: [GATTAttribute] = []

    /// From the flat table, or where there's none from the tree of services; nil where neither can be read.
    init?(_ database: [String: Any]) {
        let table = database.objects("attributes")
        for row in table {
            guard let handle = row.handle("handle"), let type = row.uuid("type") else { return nil }
            add(
                handle, type, row.octets("value") ?? [], Self.permissions(row), end: row.handle("group_end"),
                properties: row.number("properties"))
        }
        if table.isEmpty {
            for service in database.objects("services") where !add(service: service) { return nil }
            rows.sort { $0.handle < $1.handle }
        }
    }

    /// From what was discovered.
    init(_ characteristics: [GATTCharacteristic], _ descriptors: [(owner: Int, descriptor: GATTDescriptor)]) {
        for (position, characteristic) in characteristics.enumerated() {
            add(characteristic.declaration, GATTType.characteristic, [characteristic.properties], [])
            add(characteristic.value, characteristic.uuid, [], [], properties: Int(characteristic.properties))
            for found in descriptors where found.owner == position {
                add(found.descriptor.handle, found.descriptor.uuid, [], [])
            }
        }
    }

    /// The properties stand with the value of a characteristic; they hold for its descriptors too.
    private mutating func add(
        _ handle: AttributeHandle, _ type: BluetoothUUID, _ value: [UInt8], _ permissions: AttributePermissions,
        end: AttributeHandle? = nil, properties: Int? = nil
    ) {
        var octet = UInt8(truncatingIfNeeded: properties ?? Int(rows.last?.properties ?? 0))
        if type == GATTType.characteristic { octet = value.first ?? 0 }
        if type == GATTType.primaryService || type == GATTType.secondaryService { octet = 0 }
        let content: GATTAttribute.Content =
            type == GATTType.clientConfiguration ? .clientConfiguration : .stored(value)
        rows.append(
            GATTAttribute(
                handle: handle, type: type, permissions: permissions, content: content, groupEnd: end,
                properties: octet))
    }

    private mutating func add(service: [String: Any]) -> Bool {
        guard let start = service.handle("start"), let end = service.handle("end"), let uuid = service.uuid("uuid")
        else { return false }
        let isPrimary = (service["primary"] as? Bool) ?? true
        add(
            start, isPrimary ? GATTType.primaryService : GATTType.secondaryService, uuid.attLittleEndian, .read,
            end: end)
        for include in service.objects("includes") {
            guard let handle = include.handle("handle"), let first = include.handle("start"),
                let last = include.handle("end"), let included = include.uuid("uuid")
            else { return false }
            var value: [UInt8] = []
            for octets in [first.rawValue, last.rawValue] {
                value += [UInt8(truncatingIfNeeded: octets), UInt8(truncatingIfNeeded: octets >> 8)]
            }
            if included.width == .bits16 { value += included.attLittleEndian }
            add(handle, GATTType.include, value, .read)
        }
        for characteristic in service.objects("characteristics") {
            guard let declaration = characteristic.handle("declaration"), let value = characteristic.handle("handle"),
                let type = characteristic.uuid("uuid")
            else { return false }
            let properties = characteristic.number("properties") ?? 0
            let head = [
                UInt8(truncatingIfNeeded: properties), UInt8(truncatingIfNeeded: value.rawValue),
                UInt8(truncatingIfNeeded: value.rawValue >> 8),
            ]
            add(declaration, GATTType.characteristic, head + type.attLittleEndian, .read)
            add(
                value, type, characteristic.octets("value") ?? [], Self.permissions(characteristic),
                properties: properties)
            for descriptor in characteristic.objects("descriptors") {
                guard let handle = descriptor.handle("handle"), let type = descriptor.uuid("uuid") else { return false }
                add(
                    handle, type, descriptor.octets("value") ?? [], Self.permissions(descriptor), properties: properties
                )
            }
        }
        return true
    }

    private static func permissions(_ row: [String: Any]) -> AttributePermissions {
        let names: [String: AttributePermissions] = [
            "read": .read, "write": .write, "read-encrypted": .readEncrypted, "write-encrypted": .writeEncrypted,
            "read-authenticated": .readAuthenticated, "write-authenticated": .writeAuthenticated,
            "read-secure": .readSecure, "write-secure": .writeSecure, "authorize": .authorize,
        ]
        return (row["permissions"] as? [String] ?? []).reduce(into: []) { $0.formUnion(names[$1] ?? []) }
    }

    /// The CCCD of the characteristic whose value has the handle, or the handle itself where that is a CCCD; and
    /// whether the characteristic can only be indicated.
    func configuration(of value: AttributeHandle) -> (descriptor: AttributeHandle, indicates: Bool)? {
        guard let start = rows.firstIndex(where: { $0.handle == value }) else { return nil }
        for row in rows[start...] {
            let isNext = row.type == GATTType.characteristic || row.type == GATTType.primaryService
            if isNext, row.handle != value { return nil }
            if row.content == .clientConfiguration { return (row.handle, row.properties & GATTProperties.notify == 0) }
        }
        return nil
    }
}
