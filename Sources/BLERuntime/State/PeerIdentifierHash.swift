package import BLEBackend
package import BLEWire

/// Makes identifiers of peers: a keyed hash of the identity address, formed as a UUID.
///
/// The same store gives a device the same identifier each time, another store another one, and without the store's
/// key nobody gets from an identifier to an address. [contract 35] The hash is SipHash-2-4 with 128 bits of output
/// (Aumasson and Bernstein), made for short input under a secret key.
package struct PeerIdentifierHash: Equatable, Sendable {
    /// The store's key: 16 octets as two little-endian words.
    package let key: (UInt64, UInt64)

    package init(key: (UInt64, UInt64)) { self.key = key }

    /// The identifier of a device. Addresses that a controller resolved count as the identity they were resolved to.
    package func peer(of address: DeviceAddress) -> PeerID {
        var octets = [address.isRandom ? 1 : 0] as [UInt8]
        for index in 0..<6 { octets.append(UInt8(truncatingIfNeeded: address.bits >> (8 * UInt64(index)))) }
        let (low, high) = hash(octets)
        var bits = UInt128(high) << 64 | UInt128(low)
        // Version 8 (own scheme) and the variant of RFC 9562.
        bits = bits & ~(UInt128(0xF) << 76) | UInt128(8) << 76
        bits = bits & ~(UInt128(0b11) << 62) | UInt128(0b10) << 62
        return PeerID(bits: bits)
    }

    /// SipHash-2-4-128 of the octets, as two little-endian words.
    package func hash(_ octets: [UInt8]) -> (UInt64, UInt64) {
        var state = SipState(key)
        var word: UInt64 = 0
        for (index, octet) in octets.enumerated() {
            word |= UInt64(octet) << (8 * UInt64(index % 8))
            if index % 8 == 7 {
                state.absorb(word)
                word = 0
            }
        }
        state.absorb(word | UInt64(truncatingIfNeeded: octets.count) << 56)
        state.v2 ^= 0xEE
        let first = state.squeezed()
        state.v1 ^= 0xDD
        return (first, state.squeezed())
    }

    package static func == (left: Self, right: Self) -> Bool { left.key == right.key }
}

/// The four words of SipHash.
private struct SipState {
    var v0, v1, v2, v3: UInt64

    init(_ key: (UInt64, UInt64)) {
        v0 = key.0 ^ 0x736f_6d65_7073_6575
        v1 = key.1 ^ 0x646f_7261_6e64_6f6d ^ 0xEE
        v2 = key.0 ^ 0x6c79_6765_6e65_7261
        v3 = key.1 ^ 0x7465_6462_7974_6573
    }

    mutating func absorb(_ word: UInt64) {
        v3 ^= word
        round()
        round()
        v0 ^= word
    }

    mutating func squeezed() -> UInt64 {
        for _ in 0..<4 { round() }
        return v0 ^ v1 ^ v2 ^ v3
    }

    private mutating func round() {
        v0 &+= v1
        v1 = v1.rotated(13) ^ v0
        v0 = v0.rotated(32)
        v2 &+= v3
        v3 = v3.rotated(16) ^ v2
        v0 &+= v3
        v3 = v3.rotated(21) ^ v0
        v2 &+= v1
        v1 = v1.rotated(17) ^ v2
        v2 = v2.rotated(32)
    }
}

extension UInt64 {
    fileprivate func rotated(_ count: UInt64) -> UInt64 { self << count | self >> (64 - count) }
}
