import BLEValues
import BLEWire

// Descriptions in JSON: as blew has them, WHAD's profiles, and what GATTacker found.
extension DeviceImport {
    /// Which of the formats it is, by what it has.
    package static func format(ofJSON node: DocumentNode) -> Format {
        guard case .mapping(let entries) = node.content else { return .gattacker }
        let services = try? entries.first { $0.key == "services" }?.value.list()
        let isWHAD =
            entries.contains { $0.key == "devinfo" }
            || services?.contains { service in
                guard case .mapping(let entries) = service.content else { return false }
                return entries.contains { $0.key == "type_uuid" }
            } == true
        return isWHAD ? .whad : .blew
    }

    /// - Parameter advertisement: what GATTacker keeps in a file of its own; nil = there is none.
    package init(
        json node: DocumentNode, _ format: Format, advertisement: DocumentNode? = nil
    ) throws(DocumentError) {
        self.init()
        if let advertisement {
            var reader = try MappingReader(advertisement, "an advertisement, with eir and scanResponse")
            let data = try reader.take("eir")?.optionalHexadecimal() ?? []
            let response = try reader.take("scanResponse")?.optionalHexadecimal() ?? []
            for key in ["id", "decodedNonEditable", "services"] { _ = reader.take(key) }
            warnOfOthers(reader)
            advertise(data, response, at: advertisement.position)
        }
        switch format {
        case .whad: try readWHAD(node)
        case .gattacker: try readGATTacker(node)
        default: try readBlew(node)
        }
    }

    private mutating func warnOfOthers(_ reader: MappingReader) {
        for entry in reader.unknown { warn(entry.position, "left out: \(entry.key)") }
    }

    // MARK: blew

    private mutating func readBlew(_ node: DocumentNode) throws(DocumentError) {
        var root = try MappingReader(node, "a description with services")
        device.advertisement.name = try root.take("name")?.text()
        device.title = device.advertisement.name ?? ""
        for node in try root.require("services").list() {
            var reader = try MappingReader(node, "a service")
            var service = DeviceService(try reader.require("uuid").writtenUUID())
            service.isPrimary = try reader.take("primary")?.flag() ?? true
            for node in try reader.take("characteristics")?.list() ?? [] {
                var reader = try MappingReader(node, "a characteristic")
                let uuid = try reader.require("uuid").writtenUUID()
                let properties = try self.properties(reader.take("properties"))
                let value = try blewValue(reader.take("value"), reader.take("format"))
                var characteristic = DeviceCharacteristic(
                    uuid, properties: properties, value: ValueTemplate(octets: value))
                for node in try reader.take("descriptors")?.list() ?? [] {
                    add(DeviceDescriptor(try node.writtenUUID(), octets: []), to: &characteristic, at: node.position)
                }
                warnOfOthers(reader)
                service.characteristics.append(characteristic)
            }
            warnOfOthers(reader)
            add(service, at: node.position)
        }
        // It advertises what it publishes.
        if device.advertisement.services.isEmpty {
            device.advertisement.services = device.services.filter(\.isPrimary).map(\.uuid)
        }
        warnOfOthers(root)
    }

    private func blewValue(_ value: DocumentNode?, _ format: DocumentNode?) throws(DocumentError) -> [UInt8] {
        guard let value else { return [] }
        let text = try value.text()
        let types: [String: String] = ["uint8": "u8", "uint16le": "u16", "uint32le": "u32", "float32le": "f32"]
        let name = try format?.text().lowercased() ?? "hex"
        switch name {
        case "utf8": return Array(text.utf8)
        case "hex", "raw": return try value.octets()
        default:
            guard let type = types[name] else {
                throw DocumentError(
                    format?.position ?? value.position, "the format \"\(name)\"",
                    expected: "hex, utf8, uint8, uint16le, uint32le or float32le")
            }
            guard let octets = WrittenValue.number(text, as: type) else {
                throw DocumentError(value.position, value.kind, expected: "a number with room in \(name)")
            }
            return octets
        }
    }

    /// Properties by their names, in one of the spellings.
    private mutating func properties(_ node: DocumentNode?) throws(DocumentError) -> CharacteristicProperties {
        guard let node else { return [] }
        let spellings: [(String, CharacteristicProperties)] = [
            ("writeWithoutResponse", .writeWithoutResponse), ("authenticatedSignedWrites", .signedWrite),
            ("extendedProperties", .extended),
        ]
        var properties: CharacteristicProperties = []
        for node in try node.list("a list of properties") {
            let word = try node.text()
            if let known = (CharacteristicProperties.words + spellings).first(where: { $0.0 == word }) {
                properties.insert(known.1)
            } else {
                warn(node.position, "left out: the property \(word)")
            }
        }
        return publishable(properties, at: node.position)
    }

    // MARK: GATTacker

    private mutating func readGATTacker(_ node: DocumentNode) throws(DocumentError) {
        for node in try node.list("a list of services") {
            var reader = try MappingReader(node, "a service")
            var service = DeviceService(try reader.require("uuid").writtenUUID())
            for node in try reader.take("characteristics")?.list() ?? [] {
                var reader = try MappingReader(node, "a characteristic")
                let uuid = try reader.require("uuid").writtenUUID()
                var characteristic = DeviceCharacteristic(
                    uuid, properties: try properties(reader.take("properties")),
                    value: ValueTemplate(octets: try reader.take("value")?.optionalHexadecimal() ?? []))
                for node in try reader.take("descriptors")?.list() ?? [] {
                    var reader = try MappingReader(node, "a descriptor")
                    let descriptor = DeviceDescriptor(
                        try reader.require("uuid").writtenUUID(),
                        octets: try reader.take("value")?.optionalHexadecimal() ?? [])
                    for key in ["handle", "name", "type"] { _ = reader.take(key) }
                    warnOfOthers(reader)
                    add(descriptor, to: &characteristic, at: node.position)
                }
                for key in ["name", "type", "startHandle", "valueHandle", "endHandle", "asciiValue"] {
                    _ = reader.take(key)
                }
                warnOfOthers(reader)
                service.characteristics.append(characteristic)
            }
            for key in ["name", "type", "startHandle", "endHandle"] { _ = reader.take(key) }
            warnOfOthers(reader)
            add(service, at: node.position)
        }
    }

    // MARK: WHAD

    private mutating func readWHAD(_ node: DocumentNode) throws(DocumentError) {
        var root = try MappingReader(node, "a profile with services")
        if let node = root.take("devinfo") {
            var reader = try MappingReader(node, "what is known of the device")
            let data = try reader.take("adv_data")?.optionalHexadecimal() ?? []
            let response = try reader.take("scan_rsp")?.optionalHexadecimal() ?? []
            advertise(data, response, at: node.position)
            for key in ["bd_addr", "addr_type"] {
                if let node = reader.take(key) { warn(node.position, "left out: \(key), since an adapter has its own") }
            }
            warnOfOthers(reader)
        }
        for node in try root.require("services").list() {
            var reader = try MappingReader(node, "a service")
            var service = DeviceService(try reader.require("uuid").writtenUUID())
            service.isPrimary = try reader.take("type_uuid")?.writtenUUID() != 0x2801
            for node in try reader.take("characteristics")?.list() ?? [] {
                service.characteristics.append(try whadCharacteristic(node))
            }
            for key in ["start_handle", "end_handle"] { _ = reader.take(key) }
            warnOfOthers(reader)
            add(service, at: node.position)
        }
        warnOfOthers(root)
    }

    private mutating func whadCharacteristic(_ node: DocumentNode) throws(DocumentError) -> DeviceCharacteristic {
        var reader = try MappingReader(node, "a characteristic")
        let bits = try reader.require("properties").whole(in: 0...0xFF)
        let security = try reader.take("security")?.whole(in: 0...0xFF) ?? 0
        var value = try MappingReader(try reader.require("value"), "a value with a uuid and data")
        var characteristic = DeviceCharacteristic(
            try value.require("uuid").writtenUUID(),
            properties: publishable(CharacteristicProperties(rawValue: UInt8(bits)), at: node.position),
            value: ValueTemplate(octets: try value.take("data")?.optionalHexadecimal() ?? []))
        _ = value.take("handle")
        warnOfOthers(value)
        // Encryption, authentication and authorization, for reads in the low bits and for writes four higher.
        if security & 0x07 != 0 { characteristic.encryption.insert(.read) }
        if security & 0x70 != 0 { characteristic.encryption.insert(.write) }
        if security & 0x66 != 0 {
            warn(node.position, "authentication or authorization of \(characteristic.uuid): encryption stands for it")
        }
        for node in try reader.take("descriptors")?.list() ?? [] {
            var reader = try MappingReader(node, "a descriptor")
            let descriptor = DeviceDescriptor(
                try reader.require("uuid").writtenUUID(), octets: try reader.take("value")?.optionalHexadecimal() ?? [])
            _ = reader.take("handle")
            warnOfOthers(reader)
            add(descriptor, to: &characteristic, at: node.position)
        }
        for key in ["handle", "uuid"] { _ = reader.take(key) }
        warnOfOthers(reader)
        return characteristic
    }
}

extension DocumentNode {
    /// A UUID with or without hyphens, the long form of a short one as the short one.
    fileprivate func writtenUUID() throws(DocumentError) -> BluetoothUUID {
        let digits = try text("a UUID").filter { $0 != "-" }
        guard [4, 8, 32].contains(digits.count), let octets = Hex.octets(digits),
            let uuid = BluetoothUUID(bigEndian: octets)
        else { throw refuse(expected: "a UUID") }
        return uuid.short16.map { BluetoothUUID($0) } ?? uuid
    }

    /// Octets in hexadecimal; none where there is `null`.
    fileprivate func optionalHexadecimal() throws(DocumentError) -> [UInt8] {
        if case .scalar("null") = content { return [] }
        return try octets()
    }
}
