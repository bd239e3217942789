internal import BLEWire

/// The names that descriptions print for assigned UUIDs. [contract 127]
enum AssignedNames {
    /// Apple's two names that aren't the assigned ones.
    private static let exceptions: [UInt16: String] = [
        0x1800: "Generic Access Profile", 0x1801: "Generic Attribute Profile",
    ]

    /// `Battery` for 0x180F: the assigned name without the word that says what it is.
    static func name(of uuid: UInt16) -> String? {
        if let name = exceptions[uuid] { return name }
        guard let name = UUIDNames.name(of: uuid) else { return nil }
        return name.hasSuffix(" Service") ? String(name.dropLast(" Service".count)) : name
    }
}
