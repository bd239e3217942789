import BLEWire

/// Cases that only parse.
enum ParsedCases {
    static func advertising(_ message: [String: Any]) -> Frame {
        guard let data = message.octets("data") else { return Driver.unsupported("data that isn't hexadecimal") }
        let fields = ADFields(data)
        let nothing: Any = Null.value
        return .message([
            "event": "parse_ad", "flags": fields.flags.map { Int($0) } ?? nothing, "local_name": fields.name ?? nothing,
            "name_complete": fields.completeName != nil, "tx_power": fields.txPower.map { Int($0) } ?? nothing,
            "uuids": fields.services.map { $0.description.lowercased() },
        ])
    }

    /// 4 or 8 digits, with or without `0x`, or 36 characters.
    static func uuid(_ message: [String: Any]) -> Frame {
        var text = Substring(message.text("text") ?? "")
        if text.hasPrefix("0x") || text.hasPrefix("0X"), text.utf8.count <= 10 { text = text.dropFirst(2) }
        guard let uuid = BluetoothUUID(text) else { return .message(["event": "uuid", "error": "not a UUID"]) }
        return .message(["event": "uuid", "uuid128": BluetoothUUID(full: uuid.full).description.lowercased()])
    }
}
