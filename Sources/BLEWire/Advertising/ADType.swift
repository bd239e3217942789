/// The type of an AD structure. [Vol 3, Part C, 11], numbers from the Assigned Numbers document, section 2.3
package struct ADType: WireCode {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let flags = ADType(rawValue: 0x01)
    package static let incompleteServices16 = ADType(rawValue: 0x02)
    package static let completeServices16 = ADType(rawValue: 0x03)
    package static let incompleteServices32 = ADType(rawValue: 0x04)
    package static let completeServices32 = ADType(rawValue: 0x05)
    package static let incompleteServices128 = ADType(rawValue: 0x06)
    package static let completeServices128 = ADType(rawValue: 0x07)
    package static let shortenedLocalName = ADType(rawValue: 0x08)
    package static let completeLocalName = ADType(rawValue: 0x09)
    package static let txPowerLevel = ADType(rawValue: 0x0A)
    package static let peripheralConnectionIntervalRange = ADType(rawValue: 0x12)
    package static let solicitedServices16 = ADType(rawValue: 0x14)
    package static let solicitedServices128 = ADType(rawValue: 0x15)
    package static let serviceData16 = ADType(rawValue: 0x16)
    package static let appearance = ADType(rawValue: 0x19)
    package static let advertisingInterval = ADType(rawValue: 0x1A)
    package static let leRole = ADType(rawValue: 0x1C)
    package static let solicitedServices32 = ADType(rawValue: 0x1F)
    package static let serviceData32 = ADType(rawValue: 0x20)
    package static let serviceData128 = ADType(rawValue: 0x21)
    package static let uri = ADType(rawValue: 0x24)
    package static let leSupportedFeatures = ADType(rawValue: 0x27)
    package static let manufacturerSpecific = ADType(rawValue: 0xFF)
}

extension ADType: CustomStringConvertible {
    /// The name in the Assigned Numbers, or the number.
    package var description: String { Self.names[rawValue] ?? Hex.prefixed(rawValue) }

    private static let names: [UInt8: String] = [
        0x01: "Flags",
        0x02: "Incomplete List of 16-bit Service UUIDs",
        0x03: "Complete List of 16-bit Service UUIDs",
        0x04: "Incomplete List of 32-bit Service UUIDs",
        0x05: "Complete List of 32-bit Service UUIDs",
        0x06: "Incomplete List of 128-bit Service UUIDs",
        0x07: "Complete List of 128-bit Service UUIDs",
        0x08: "Shortened Local Name",
        0x09: "Complete Local Name",
        0x0A: "Tx Power Level",
        0x0B: "OOB Optional Data Length",
        0x0C: "BD_ADDR",
        0x0D: "Class Of Device",
        0x0E: "Simple Pairing Hash C",
        0x0F: "Simple Pairing Randomizer R",
        0x10: "Device ID / Security Manager TK Value",
        0x11: "Security Manager Out of Band Flags",
        0x12: "Peripheral Connection Interval Range",
        0x14: "List of 16-bit Service Solicitation UUIDs",
        0x15: "List of 128-bit Service Solicitation UUIDs",
        0x16: "Service Data - 16 bit UUID",
        0x17: "Public Target Address",
        0x18: "Random Target Address",
        0x19: "Appearance",
        0x1A: "Advertising Interval",
        0x1B: "LE Bluetooth Device Address",
        0x1C: "LE Role",
        0x1D: "Simple Pairing Hash C-256",
        0x1E: "Simple Pairing Randomizer R-256",
        0x1F: "List of 32-bit Service Solicitation UUIDs",
        0x20: "Service Data - 32 bit UUID",
        0x21: "Service Data - 128 bit UUID",
        0x22: "LE Secure Connections Confirmation Value",
        0x23: "LE Secure Connections Random Value",
        0x24: "URI",
        0x25: "Indoor Positioning",
        0x26: "Transport Discovery Data",
        0x27: "LE Supported Features",
        0x28: "Channel Map Update Indication",
        0x29: "PB-ADV",
        0x2A: "Mesh Message",
        0x2B: "Mesh Beacon",
        0x2C: "BIGInfo",
        0x2D: "Broadcast Code",
        0x2E: "Resolvable Set Identifier",
        0x2F: "Advertising Interval Long",
        0x30: "Broadcast Name",
        0x31: "Encrypted Advertising Data",
        0x32: "Periodic Advertising Response Timing Information",
        0x34: "Electronic Shelf Label",
        0x3D: "3D Information Data",
        0xFF: "Manufacturer Specific",
    ]
}
