import BLEWire

/// Names in the Bluetooth SIG's assigned numbers. The tables are generated: `Scripts/assigned_numbers.py`.
package enum AssignedNumbers {
    /// The name of a service, characteristic or descriptor, or of the member to which a service UUID is assigned.
    package static func name(ofUUID uuid: UInt16) -> String? { UUIDNames.name(of: uuid) ?? members.line(of: uuid) }

    package static func name(ofCompany company: UInt16) -> String? { companies.line(of: company) }

    /// A type of advertising data. [Vol 3, Part C, 11]
    package static func name(ofAdvertisingType type: UInt8) -> String? { advertisingTypes.line(of: UInt16(type)) }

    /// `Watch: Sports Watch` for 193: the category, and the subcategory where there is one with a name.
    package static func name(ofAppearance appearance: UInt16) -> String? {
        guard let category = appearances.line(of: appearance & ~0x3F) else { return nil }
        guard appearance & 0x3F != 0, let part = appearances.line(of: appearance) else { return category }
        return "\(category): \(part)"
    }

    /// A unit by its UUID: its symbol, where it has one here, or else its name.
    package static func name(ofUnit unit: UInt16) -> String? {
        guard let line = units.line(of: unit) else { return nil }
        let parts = line.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
        return String(parts[0].isEmpty ? parts[parts.count - 1] : parts[0])
    }

    /// What a name stands for.
    package enum NamedKind: Sendable {
        case service
        case characteristic

        /// Where the assigned UUIDs of the kind lie.
        fileprivate var range: ClosedRange<UInt16> {
            switch self {
            case .service: 0x1800...0x1FFF
            case .characteristic: 0x2A00...0x2FFF
            }
        }
    }

    /// The UUIDs that have a name, whatever its capitals and whatever stands between its letters and digits:
    /// `battery-level` is `Battery Level`.
    package static func uuids(of kind: NamedKind, named name: some StringProtocol) -> [UInt16] {
        let wanted = letters(of: name)
        guard !wanted.isEmpty else { return [] }
        return UUIDNames.uuids { letters(of: $0) == wanted }.filter(kind.range.contains)
    }

    private static func letters(of name: some StringProtocol) -> String {
        String(
            String.UnicodeScalarView(
                name.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic || ("0"..."9").contains($0) }))
    }
}
