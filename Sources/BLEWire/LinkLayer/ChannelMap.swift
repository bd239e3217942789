/// The data channels in use: bit n is channel n, of 37. [Vol 6, Part B, 1.4.1]
package struct ChannelMap: Hashable, Sendable {
    package var bits: UInt64

    package init(bits: UInt64) { self.bits = bits & Self.all.bits }
    private init(all: Void) { bits = 0x1F_FFFF_FFFF }

    package static let all = ChannelMap(all: ())

    package var count: Int { bits.nonzeroBitCount }
    /// Two channels is the least. [Vol 6, Part B, 4.5.8.1]
    package var isUsable: Bool { count >= 2 }

    package func contains(_ channel: UInt8) -> Bool { channel < 37 && bits >> UInt64(channel) & 1 == 1 }

    /// The used channel at this place in ascending order; the place is below `count`.
    package func channel(at index: Int) -> UInt8 {
        if bits == Self.all.bits { return UInt8(truncatingIfNeeded: index) }
        var rest = bits
        for _ in 0..<index { rest &= rest &- 1 }
        return UInt8(truncatingIfNeeded: rest.trailingZeroBitCount)
    }
}
