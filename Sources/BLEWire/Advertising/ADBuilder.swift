/// Puts AD structures together within a limit. [Vol 3, Part C, 11]
package struct ADBuilder: Sendable {
    /// Octets there may be: 31 for a legacy advertisement or scan response. [Vol 6, Part B, 2.3.1.1]
    package let limit: Int
    package private(set) var octets: [UInt8] = []

    package init(limit: Int = 31) { self.limit = limit }

    /// Octets of data that one more structure may have.
    package var room: Int { min(max(0, limit - octets.count - 2), 0xFE) }

    /// Adds a structure; changes nothing and answers false where there is no room for it.
    @discardableResult
    package mutating func append(_ type: ADType, _ data: [UInt8]) -> Bool {
        guard octets.count + 2 + data.count <= limit, data.count <= 0xFE else { return false }
        octets.append(UInt8(data.count + 1))
        octets.append(type.rawValue)
        octets.append(contentsOf: data)
        return true
    }

    /// Flags. [Vol 3, Part C, 11]
    @discardableResult
    package mutating func appendFlags(_ flags: ADFlags) -> Bool { append(.flags, [flags.rawValue]) }

    /// The name, whole where it fits, else cut between code points and marked as shortened. Answers whether any of it
    /// was added.
    @discardableResult
    package mutating func appendName(_ name: String) -> Bool {
        if append(.completeLocalName, Array(name.utf8)) { return true }
        var cut: [UInt8] = []
        for character in name.unicodeScalars {
            let piece = Array(String(character).utf8)
            if cut.count + piece.count > room { break }
            cut += piece
        }
        return cut.isEmpty ? false : append(.shortenedLocalName, cut)
    }

    /// The services in their order: a list for each width, marked as incomplete where not all fit. Answers those that
    /// found no room.
    @discardableResult
    package mutating func appendServices(_ services: [BluetoothUUID]) -> [BluetoothUUID] {
        var left: [BluetoothUUID] = []
        for width in [BluetoothUUID.Width.bits16, .bits32, .bits128] {
            let group = services.filter { $0.width == width }
            if group.isEmpty { continue }
            let size = width.rawValue / 8
            let count = min(group.count, room / size)
            left += group.dropFirst(count)
            if count == 0 { continue }
            append(Self.listType(width, isComplete: count == group.count), group.prefix(count).flatMap(\.littleEndian))
        }
        return left
    }

    private static func listType(_ width: BluetoothUUID.Width, isComplete: Bool) -> ADType {
        switch width {
        case .bits16: isComplete ? .completeServices16 : .incompleteServices16
        case .bits32: isComplete ? .completeServices32 : .incompleteServices32
        case .bits128: isComplete ? .completeServices128 : .incompleteServices128
        }
    }
}

/// The data of the AD type Flags. [Vol 3, Part C, 11]
package struct ADFlags: WireCode, OptionSet {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let limitedDiscoverable = ADFlags(rawValue: 1 << 0)
    package static let generalDiscoverable = ADFlags(rawValue: 1 << 1)
    package static let brEDRNotSupported = ADFlags(rawValue: 1 << 2)
}
