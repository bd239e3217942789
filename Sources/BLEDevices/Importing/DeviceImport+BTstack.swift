import BLEValues
import BLEWire

// BTstack: the text that its compiler makes a database of, a line for each attribute.
extension DeviceImport {
    package init(btstack text: String) throws(DocumentError) {
        self.init()
        // Of the service that is read, until the next one begins.
        var service: DeviceService?
        var position = DocumentNode.Position.none
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let here = DocumentNode.Position(line: index + 1, column: 1)
            let line = line.drop { $0.isWhitespace }
            if line.isEmpty || line.hasPrefix("//") { continue }
            if line.hasPrefix("#") {
                warn(here, "left out: \(line)")
                continue
            }
            let parts = Self.parts(line)
            switch parts[0].text {
            case "PRIMARY_SERVICE", "SECONDARY_SERVICE":
                if let service { add(service, at: position) }
                service = DeviceService(
                    try Self.uuid(parts, 1, here, isService: true), isPrimary: parts[0].text == "PRIMARY_SERVICE")
                position = here
            case "INCLUDE_SERVICE":
                let uuid = try Self.uuid(parts, 1, here, isService: true)
                guard let number = device.services.firstIndex(where: { $0.uuid == uuid }) else {
                    warn(here, "left out: the inclusion of \(uuid), which doesn't stand before")
                    continue
                }
                service?.includes.append(number)
            case "CHARACTERISTIC":
                guard service != nil else { throw DocumentError(here, "a characteristic", expected: "a service first") }
                service?.characteristics.append(try characteristic(parts, here))
            default:
                let last = (service?.characteristics.count ?? 0) - 1
                guard last >= 0, let descriptor = try descriptor(parts, here) else {
                    warn(here, "left out: \(parts[0].text)")
                    continue
                }
                if var characteristic = service?.characteristics[last] {
                    add(descriptor, to: &characteristic, at: here)
                    service?.characteristics[last] = characteristic
                }
            }
        }
        if let service { add(service, at: position) }
    }

    private struct Part {
        var text: String
        var isQuoted = false
    }

    /// What stands between commas, quotation marks taken off.
    private static func parts(_ line: Substring) -> [Part] {
        var parts = [Part(text: "")]
        var isInQuotes = false
        for character in line {
            switch character {
            case "\"":
                isInQuotes.toggle()
                parts[parts.count - 1].isQuoted = true
                // Spaces before it aren't of the text.
                if isInQuotes { parts[parts.count - 1].text = "" }
            case "," where !isInQuotes: parts.append(Part(text: ""))
            default:
                // Nor are those behind it.
                if isInQuotes || !parts[parts.count - 1].isQuoted { parts[parts.count - 1].text.append(character) }
            }
        }
        return parts.map { part in
            if part.isQuoted { return part }
            let text = part.text.drop { $0.isWhitespace }
            return Part(text: String(text.reversed().drop { $0.isWhitespace }.reversed()))
        }
    }

    private static func uuid(
        _ parts: [Part], _ index: Int, _ position: DocumentNode.Position, isService: Bool = false
    ) throws(DocumentError) -> BluetoothUUID {
        let text = parts.indices.contains(index) ? parts[index].text : ""
        let digits = text.hasPrefix("0x") ? String(text.dropFirst(2)) : text
        if let uuid = BluetoothUUID(digits) { return uuid.short16.map { BluetoothUUID($0) } ?? uuid }
        if let uuid = assigned(text, isService: isService) { return uuid }
        throw DocumentError(position, "the UUID \"\(text)\"", expected: "hexadecimal digits or an assigned name")
    }

    /// The UUID of a name such as `ORG_BLUETOOTH_SERVICE_BATTERY_SERVICE`, which is the SIG's old name of it.
    private static func assigned(_ text: String, isService: Bool) -> BluetoothUUID? {
        let special: [String: UInt16] = [
            "GAP_SERVICE": 0x1800, "GATT_SERVICE": 0x1801, "GAP_DEVICE_NAME": 0x2A00, "GAP_APPEARANCE": 0x2A01,
            "GAP_PERIPHERAL_PRIVACY_FLAG": 0x2A02, "GAP_RECONNECTION_ADDRESS": 0x2A03,
            "GAP_PERIPHERAL_PREFERRED_CONNECTION_PARAMETERS": 0x2A04, "GATT_SERVICE_CHANGED": 0x2A05,
            "GATT_DATABASE_HASH": 0x2B2A,
        ]
        if let known = special[text] { return BluetoothUUID(known) }
        let name = text.uppercased().split { "._ ".contains($0) }
        let prefix = ["ORG", "BLUETOOTH", isService ? "SERVICE" : "CHARACTERISTIC"]
        guard name.count > 3, name.prefix(3).map(String.init) == prefix else { return nil }
        let wanted = name.dropFirst(3).filter { $0 != "SERVICE" }.map(String.init)
        let range: ClosedRange<UInt16> = isService ? 0x1800...0x18FF : 0x2A00...0x2BFF
        return range.first { number in
            let words = UUIDNames.name(of: number)?.uppercased().split { !$0.isLetter && !$0.isNumber } ?? []
            return !words.isEmpty && words.filter { $0 != "SERVICE" }.map(String.init) == wanted
        }.map { BluetoothUUID($0) }
    }

    /// A text, or octets where each word is hexadecimal digits.
    private static func value(_ parts: ArraySlice<Part>) -> [UInt8] {
        let text = parts.map(\.text).joined(separator: ", ")
        let isText = parts.contains(where: \.isQuoted) || !text.allSatisfy { $0.isHexDigit || $0 == " " }
        guard !isText else { return Array(text.utf8) }
        return text.split(separator: " ").flatMap { word in
            Hex.octets(word.count.isMultiple(of: 2) ? String(word) : "0" + word) ?? []
        }
    }

    private mutating func characteristic(
        _ parts: [Part], _ position: DocumentNode.Position
    ) throws(DocumentError) -> DeviceCharacteristic {
        let uuid = try Self.uuid(parts, 1, position)
        let flags = flags(parts.count > 2 ? parts[2].text : "", position)
        let value = Self.value(parts.dropFirst(3))
        return DeviceCharacteristic(
            uuid, properties: publishable(flags.properties, at: position), encryption: flags.encryption,
            value: ValueTemplate(octets: value))
    }

    private mutating func flags(
        _ text: String, _ position: DocumentNode.Position
    ) -> (properties: CharacteristicProperties, encryption: EncryptedAccess) {
        var properties: CharacteristicProperties = []
        var (encryption, demand): (EncryptedAccess, EncryptedAccess) = ([], [])
        for flag in text.split(separator: "|") {
            let flag = String(flag.filter { !$0.isWhitespace })
            let word = flag.lowercased().split(separator: "_").joined(separator: "-")
            switch flag {
            case "DYNAMIC", "LONG_UUID", "READ_ANYBODY", "WRITE_ANYBODY": break
            case "AUTHENTICATED_SIGNED_WRITE": properties.insert(.signedWrite)
            case "RELIABLE_WRITE", "EXTENDED_PROPERTIES": properties.insert(.extended)
            case "READ_ENCRYPTED": encryption.insert(.read)
            case "WRITE_ENCRYPTED": encryption.insert(.write)
            case _ where flag.hasPrefix("READ_AUTH"):
                encryption.insert(.read)
                warn(position, "\(flag): encryption stands for it, whoever paired")
            case _ where flag.hasPrefix("WRITE_AUTH"):
                encryption.insert(.write)
                warn(position, "\(flag): encryption stands for it, whoever paired")
            case "AUTHENTICATION_REQUIRED", "AUTHORIZATION_REQUIRED":
                demand = [.read, .write]
                warn(position, "\(flag): encryption stands for it, whoever paired")
            case _ where flag.hasPrefix("ENCRYPTION_KEY_SIZE_"):
                demand = [.read, .write]
                warn(position, "left out: \(flag); a key of any size will do")
            default:
                if let known = CharacteristicProperties.words.first(where: { $0.0 == word }) {
                    properties.insert(known.1)
                } else {
                    warn(position, "left out: the property \(flag)")
                }
            }
        }
        // These are for both directions where no direction is named.
        if encryption.isEmpty { encryption = demand }
        if !properties.contains(.read) { encryption.remove(.read) }
        if properties.isDisjoint(with: [.write, .writeWithoutResponse, .signedWrite]) { encryption.remove(.write) }
        return (properties, encryption)
    }

    /// Nil where the line is none, or isn't understood.
    private mutating func descriptor(
        _ parts: [Part], _ position: DocumentNode.Position
    ) throws(DocumentError) -> DeviceDescriptor? {
        func octet(_ index: Int) -> UInt8? {
            guard parts.indices.contains(index) else { return nil }
            let text = parts[index].text
            return UInt8(text.hasPrefix("0x") ? String(text.dropFirst(2)) : text, radix: 16)
        }
        switch parts[0].text {
        case "CHARACTERISTIC_USER_DESCRIPTION":
            if parts.count > 1, parts[1].text.contains("WRITE") {
                warn(position, "left out: writing the user description, which can only be read")
            }
            return DeviceDescriptor(0x2901, octets: Self.value(parts.dropFirst(2)))
        case "CLIENT_CHARACTERISTIC_CONFIGURATION": return DeviceDescriptor(0x2902, octets: [0, 0])
        case "SERVER_CHARACTERISTIC_CONFIGURATION": return DeviceDescriptor(0x2903, octets: [0, 0])
        case "CHARACTERISTIC_FORMAT":
            guard let format = octet(2), let exponent = octet(3), let space = octet(5) else { return nil }
            let unit = try Self.uuid(parts, 4, position)
            let description = try Self.uuid(parts, 6, position)
            return DeviceDescriptor(
                0x2904,
                octets: [format, exponent] + unit.littleEndian.prefix(2) + [space] + description.littleEndian.prefix(2))
        case "REPORT_REFERENCE":
            guard let id = octet(2), let type = octet(3) else { return nil }
            return DeviceDescriptor(0x2908, octets: [id, type])
        case "NUMBER_OF_DIGITALS": return octet(1).map { DeviceDescriptor(0x2909, octets: [$0]) }
        default: return nil
        }
    }
}
