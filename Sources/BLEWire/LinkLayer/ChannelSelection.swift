/// Which data channel a connection event uses.
///
/// Both algorithms are functions of the event's number. It is counted here in 64 bits from the first event of the
/// link: the 16 bits of connEventCounter wrap at a number that 37 doesn't divide, which algorithm #1 would notice.
package enum ChannelSelection: Hashable, Sendable {
    /// Algorithm #1 with its hop increment, 5 to 16. [Vol 6, Part B, 4.5.8.2]
    case first(hopIncrement: UInt8)
    /// Algorithm #2 with its channel identifier. [Vol 6, Part B, 4.5.8.3]
    case second(identifier: UInt16)

    /// Algorithm #2 for a link with this access address.
    package static func second(accessAddress: UInt32) -> ChannelSelection {
        .second(identifier: UInt16(truncatingIfNeeded: accessAddress >> 16 ^ accessAddress))
    }

    package func channel(event number: UInt64, map: ChannelMap) -> UInt8 {
        switch self {
        case .first(let hopIncrement):
            Self.firstChannel(unmapped: Self.firstUnmapped(event: number, hopIncrement: hopIncrement), map: map)
        case .second(let identifier):
            Self.secondChannel(
                pseudoRandom: Self.pseudoRandom(event: UInt16(truncatingIfNeeded: number), identifier: identifier),
                map: map)
        }
    }

    // MARK: Algorithm #1

    /// The event with the number 0 has hopped once from channel 0.
    package static func firstUnmapped(event number: UInt64, hopIncrement: UInt8) -> UInt8 {
        UInt8((number % 37 + 1) * UInt64(hopIncrement) % 37)
    }

    package static func firstChannel(unmapped: UInt8, map: ChannelMap) -> UInt8 {
        if map.contains(unmapped) { return unmapped }
        return map.channel(at: Int(unmapped) % map.count)
    }

    // MARK: Algorithm #2

    /// prn_e of the specification. [Vol 6, Part B, 4.5.8.3.2]
    package static func pseudoRandom(event counter: UInt16, identifier: UInt16) -> UInt16 {
        var value = counter ^ identifier
        for _ in 0..<3 {
            value = permuted(value)
            value = value &* 17 &+ identifier
        }
        return value ^ identifier
    }

    package static func secondChannel(pseudoRandom: UInt16, map: ChannelMap) -> UInt8 {
        let unmapped = UInt8(pseudoRandom % 37)
        if map.contains(unmapped) { return unmapped }
        return map.channel(at: (map.count * Int(pseudoRandom)) >> 16)
    }

    /// PERM: the bits of each octet in reverse order.
    private static func permuted(_ value: UInt16) -> UInt16 {
        var value = value
        value = (value >> 1 & 0x5555) | (value & 0x5555) << 1
        value = (value >> 2 & 0x3333) | (value & 0x3333) << 2
        return (value >> 4 & 0x0F0F) | (value & 0x0F0F) << 4
    }
}
