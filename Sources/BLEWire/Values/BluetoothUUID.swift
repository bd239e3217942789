/// A UUID of 16, 32 or 128 bits; equal where the 128-bit forms are equal. [Vol 3, Part B, 2.5.1]
package struct BluetoothUUID: Sendable {
    /// How many bits the short form has.
    package enum Width: Int, Sendable { case bits16 = 16, bits32 = 32, bits128 = 128 }

    /// 00000000-0000-1000-8000-00805F9B34FB
    package static let base: UInt128 = 0x0000_0000_0000_1000_8000_0080_5F9B_34FB

    /// The 128-bit form; the most significant octet is the one that is printed first.
    @inlinable package var full: UInt128 { UInt128(high) << 64 | UInt128(low) }
    // Kept in halves: Swift 6.3 gives a temporary copy of a small enumeration that holds a UInt128 a slot of the
    // wrong alignment (a crash in debug builds), and halves take 8 octets less.
    @usableFromInline let high: UInt64
    @usableFromInline let low: UInt64
    /// The form that it was made from.
    package let width: Width

    package init(_ short: UInt16) {
        self.init(Self.base | UInt128(short) << 96, .bits16)
    }
    package init(bits32 short: UInt32) {
        self.init(Self.base | UInt128(short) << 96, .bits32)
    }
    package init(full: UInt128) {
        self.init(full, .bits128)
    }
    private init(_ full: UInt128, _ width: Width) {
        high = UInt64(truncatingIfNeeded: full >> 64)
        low = UInt64(truncatingIfNeeded: full)
        self.width = width
    }

    /// The 16-bit value, where there is one.
    package var short16: UInt16? {
        guard full & ~(UInt128(0xFFFF) << 96) == Self.base else { return nil }
        return UInt16(truncatingIfNeeded: full >> 96)
    }
    /// The 32-bit value, where there is one.
    package var short32: UInt32? {
        guard full & ~(UInt128(0xFFFF_FFFF) << 96) == Self.base else { return nil }
        return UInt32(truncatingIfNeeded: full >> 96)
    }

    /// From octets in the order of ATT and of advertising data, least significant first: 2, 4 or 16 of them.
    package init?(littleEndian octets: some BidirectionalCollection<UInt8>) {
        self.init(bigEndian: octets.reversed())
    }
    /// From 2, 4 or 16 octets, most significant first.
    package init?(bigEndian octets: some Collection<UInt8>) {
        let value = octets.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        switch octets.count {
        case 2: self.init(UInt16(value))
        case 4: self.init(bits32: UInt32(value))
        case 16: self.init(full: value)
        default: return nil
        }
    }
    /// Octets of the form it was made from, least significant first.
    package var littleEndian: [UInt8] { bigEndian.reversed() }
    /// Octets of the form it was made from, most significant first.
    package var bigEndian: [UInt8] {
        let all = (0..<16).map { UInt8(truncatingIfNeeded: full >> (120 - 8 * UInt128($0))) }
        switch width {
        case .bits16: return Array(all[2..<4])
        case .bits32: return Array(all[0..<4])
        case .bits128: return all
        }
    }
    /// The octets as an ATT or GATT attribute type carries them: 2 where a 16-bit form exists and was used, else 16.
    /// ATT knows no 32-bit form [Vol 3, Part F, 3.2.1].
    package var attLittleEndian: [UInt8] {
        width == .bits16 ? littleEndian : BluetoothUUID(full: full).littleEndian
    }
}

extension BluetoothUUID: Hashable {
    @inlinable package static func == (left: BluetoothUUID, right: BluetoothUUID) -> Bool {
        left.high == right.high && left.low == right.low
    }
    package func hash(into hasher: inout Hasher) {
        hasher.combine(high)
        hasher.combine(low)
    }
}

extension BluetoothUUID: CustomStringConvertible, ExpressibleByIntegerLiteral {
    package init(integerLiteral value: UInt16) { self.init(value) }

    /// 4, 8 or 36 upper-case characters.
    package var description: String {
        let text = Hex.string(bigEndian)
        if width != .bits128 { return text }
        var groups: [Substring] = []
        var rest = text[...]
        for length in [8, 4, 4, 4, 12] {
            groups.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return groups.joined(separator: "-")
    }

    /// Reads 4, 8 or 36 characters; nil for anything else.
    package init?(_ text: some StringProtocol) {
        if text.utf8.count == 36 {
            let groups = text.split(separator: "-", omittingEmptySubsequences: false)
            guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12] else { return nil }
            guard let octets = Hex.octets(groups.joined()), octets.count == 16 else { return nil }
            self.init(bigEndian: octets)
        } else {
            guard text.utf8.count == 4 || text.utf8.count == 8, !text.contains(" ") else { return nil }
            guard let octets = Hex.octets(text) else { return nil }
            self.init(bigEndian: octets)
        }
    }
}
