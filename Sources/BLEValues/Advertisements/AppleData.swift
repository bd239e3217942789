import BLEWire

/// What Apple's devices advertise: messages of a type, a length and contents that Apple hasn't published, but for iBeacon.
package enum AppleData {
    package static let company: UInt16 = 0x004C

    private static let kinds: [UInt8: String] = [
        0x03: "AirPrint", 0x05: "AirDrop", 0x06: "HomeKit", 0x07: "Proximity Pairing", 0x08: "Hey Siri",
        0x09: "AirPlay Target", 0x0A: "AirPlay Source", 0x0B: "Magic Switch", 0x0C: "Handoff",
        0x0D: "Tethering Target", 0x0E: "Tethering Source", 0x0F: "Nearby Action", 0x10: "Nearby Info", 0x12: "Find My",
    ]

    /// What the data behind the company identifier says: the kinds of its messages, or an iBeacon; nil where it has another
    /// form.
    package static func decode(_ data: ArraySlice<UInt8>) -> DecodedValue? {
        var rest = data
        var fields: [DecodedField] = []
        while let type = rest.popFirst() {
            guard let length = rest.popFirst(), rest.count >= Int(length) else { return nil }
            let contents = Array(rest.prefix(Int(length)))
            rest = rest.dropFirst(Int(length))
            if type == 0x02, length == 0x15 {
                fields += beacon(contents)
            } else {
                fields.append(DecodedField("kind", .text(kinds[type] ?? "type \(Hex.prefixed(type))")))
            }
        }
        return fields.isEmpty ? nil : DecodedValue(fields)
    }

    private static func beacon(_ octets: [UInt8]) -> [DecodedField] {
        func number(_ index: Int) -> String { String(Int(octets[index]) << 8 | Int(octets[index + 1])) }
        let uuid = octets[..<16].reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        return [
            DecodedField("beacon", .text("iBeacon")),
            DecodedField("uuid", .text(BluetoothUUID(full: uuid).description)),
            DecodedField("major", .number(number(16))), DecodedField("minor", .number(number(18))),
            DecodedField("power at 1 m", .number(String(Int8(bitPattern: octets[20]))), unit: "dBm"),
        ]
    }
}
