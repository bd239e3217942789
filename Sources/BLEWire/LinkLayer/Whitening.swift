/// The scrambling of PDU and CRC on the air; doing it twice undoes it. [Vol 6, Part B, 3.2]
package enum Whitening {
    /// The octets that a packet on `channel` is combined with.
    package static func sequence(channel: UInt8, count: Int) -> [UInt8] {
        // Position 0 is one, positions 1 to 6 hold the channel index, its most significant bit first.
        var register: [Bool] = [true] + (0..<6).reversed().map { channel >> UInt8($0) & 1 == 1 }
        var octets: [UInt8] = []
        octets.reserveCapacity(count)
        for _ in 0..<count {
            var octet: UInt8 = 0
            for bit in 0..<8 {
                let out = register[6]
                if out { octet |= 1 << UInt8(bit) }
                // x⁷ + x⁴ + 1: the output enters position 0 and is added into position 4.
                register = [out] + register[0..<6]
                register[4] = register[4] != out
            }
            octets.append(octet)
        }
        return octets
    }

    /// The octets as they are on the air of `channel`, or back.
    package static func apply(to octets: [UInt8], channel: UInt8) -> [UInt8] {
        zip(octets, sequence(channel: channel, count: octets.count)).map { $0 ^ $1 }
    }
}
