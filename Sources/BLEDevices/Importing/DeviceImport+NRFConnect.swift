import BLEValues
import BLEWire

// nRF Connect for Android: a configuration of its GATT server, as it exports it.
extension DeviceImport {
    /// - Parameter xml: `server-configuration` with services, characteristics, descriptors, permissions and properties.
    package init(nRFConnect xml: String) throws(DocumentError) {
        self.init()
        var reader = XMLReader(xml)
        let root = try reader.read()
        guard root.name == "server-configuration" else {
            throw DocumentError(root.position, "<\(root.name)>", expected: "<server-configuration>")
        }
        device.title = root.attribute("name") ?? ""
        for child in root.children {
            guard child.name == "service" else {
                warn(child.position, "left out: <\(child.name)>")
                continue
            }
            var service = DeviceService(try uuid(child))
            warnOfOthers(child, ["uuid", "name"])
            for child in child.children {
                guard child.name == "characteristic" else {
                    warn(child.position, "left out: <\(child.name)>")
                    continue
                }
                service.characteristics.append(try characteristic(child))
            }
            add(service, at: child.position)
        }
    }

    private func uuid(_ element: XMLElement) throws(DocumentError) -> BluetoothUUID {
        let text = element.attribute("uuid") ?? ""
        guard let uuid = BluetoothUUID(text) else {
            throw DocumentError(element.position, "the UUID \"\(text)\"", expected: "4, 8 or 32 hexadecimal digits")
        }
        // It writes all of them in their long form.
        return uuid.short16.map { BluetoothUUID($0) } ?? uuid
    }

    private mutating func warnOfOthers(_ element: XMLElement, _ known: [String]) {
        for (name, value) in element.attributes where !known.contains(name) {
            warn(element.position, "left out: \(name)=\"\(value)\"")
        }
    }

    private func octets(_ element: XMLElement) throws(DocumentError) -> [UInt8] {
        let text = element.attribute("value") ?? ""
        guard let octets = WrittenValue.hexadecimal(text) else {
            throw DocumentError(element.position, "the value \"\(text)\"", expected: "octets in hexadecimal")
        }
        return octets
    }

    private mutating func characteristic(_ element: XMLElement) throws(DocumentError) -> DeviceCharacteristic {
        warnOfOthers(element, ["uuid", "name", "value"])
        var properties: CharacteristicProperties = []
        var permissions: DevicePermissions = []
        var encryption: EncryptedAccess = []
        for child in element.children where child.name == "property" || child.name == "permission" {
            let name = child.attribute("name") ?? ""
            warnOfOthers(child, ["name"])
            if child.name == "property" {
                let word =
                    name == "EXTENDED_PROPERTIES"
                    ? "extended" : name.lowercased().split(separator: "_").joined(separator: "-")
                if let known = CharacteristicProperties.words.first(where: { $0.0 == word }) {
                    properties.insert(known.1)
                } else {
                    warn(child.position, "left out: the property \(name)")
                }
            } else {
                takePermission(name, child.position, &permissions, &encryption)
            }
        }
        var characteristic = DeviceCharacteristic(
            try uuid(element), properties: publishable(properties, at: element.position), permissions: permissions,
            encryption: encryption, value: ValueTemplate(octets: try octets(element)))
        for child in element.children where child.name != "property" && child.name != "permission" {
            guard child.name == "descriptor" else {
                warn(child.position, "left out: <\(child.name)>")
                continue
            }
            let descriptor = DeviceDescriptor(try uuid(child), octets: try octets(child))
            for permission in child.children where permission.attribute("name") != "READ" {
                // The client's own configuration is always written.
                if descriptor.uuid == 0x2902 { continue }
                let name = permission.attribute("name") ?? permission.name
                warn(
                    permission.position,
                    "left out: \(name) of the descriptor \(descriptor.uuid), which can only be read")
            }
            add(descriptor, to: &characteristic, at: child.position)
        }
        return characteristic
    }

    private mutating func takePermission(
        _ name: String, _ position: DocumentNode.Position, _ permissions: inout DevicePermissions,
        _ encryption: inout EncryptedAccess
    ) {
        switch name {
        case "READ": permissions.insert(.read)
        case "WRITE": permissions.insert(.write)
        case _ where name.hasPrefix("READ_ENCRYPTED"):
            permissions.insert(.read)
            encryption.insert(.read)
        case _ where name.hasPrefix("WRITE_ENCRYPTED"):
            permissions.insert(.write)
            encryption.insert(.write)
        case _ where name.hasPrefix("WRITE_SIGNED"): permissions.insert(.write)
        default: return warn(position, "left out: the permission \(name)")
        }
        if name.hasSuffix("_MITM") { warn(position, "\(name): encryption stands for it, whoever paired") }
    }
}
