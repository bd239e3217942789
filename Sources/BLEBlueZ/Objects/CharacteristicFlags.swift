import BLEBackend

/// What a characteristic allows, in BlueZ's words. [BlueZ, gatt-api]
enum CharacteristicFlags {
    /// The bits of the declaration, lowest first. [Vol 3, Part G, 3.3.1.1]
    private static let words = [
        "broadcast", "read", "write-without-response", "write", "notify", "indicate", "authenticated-signed-writes",
        "extended-properties",
    ]

    /// The octet of the declaration.
    static func properties(_ flags: [String]) -> UInt8 {
        words.enumerated().reduce(0) { flags.contains($1.element) ? $0 | 1 << UInt8($1.offset) : $0 }
    }

    /// What BlueZ is told of a characteristic of ours: its properties, and what of them needs an encrypted link.
    ///
    /// A permission without its property isn't offered: BlueZ makes the one of the other. [contract 101, 102]
    static func flags(_ characteristic: LocalCharacteristic) -> [String] {
        let properties = characteristic.properties, permissions = characteristic.permissions
        var flags = words.enumerated().compactMap { offset, word in
            properties & 1 << UInt16(offset) == 0 || word == "extended-properties" ? nil : word
        }
        if permissions.contains(.readEncryptionRequired) { flags.append("encrypt-read") }
        if permissions.contains(.writeEncryptionRequired) { flags.append("encrypt-write") }
        if properties & 0x100 != 0 { flags += ["notify", "encrypt-notify"] }
        if properties & 0x200 != 0 { flags += ["indicate", "encrypt-indicate"] }
        var seen: Set<String> = []
        return flags.filter { seen.insert($0).inserted }
    }
}
