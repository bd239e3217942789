/// The functions of LE Secure Connections pairing. Coordinates and DHKey are 32 octets, most significant first;
/// an address with its type has 56 bits: the type, then the address.
package enum SecureConnections {
    /// Confirm value generation function f4. [Vol 3, Part H, 2.2.6]
    package static func f4(u: [UInt8], v: [UInt8], x: UInt128, z: UInt8) -> UInt128 {
        AESCMAC.code(u + v + [z], key: x)
    }

    /// Key generation function f5: MacKey and LTK. [Vol 3, Part H, 2.2.7]
    package static func f5(
        dhKey: [UInt8], n1: UInt128, n2: UInt128, a1: UInt64, a2: UInt64
    ) -> (macKey: UInt128, ltk: UInt128) {
        let salt: UInt128 = 0x6C88_8391_AAF5_A538_6037_0BDB_5A60_83BE
        let key = AESCMAC.code(dhKey, key: salt)
        // Counter, keyID "btle", nonces, addresses, and the length of the result in bits.
        let tail: [UInt8] =
            [0x62, 0x74, 0x6C, 0x65] + n1.octets + n2.octets + octets(a1, 7) + octets(a2, 7) + [0x01, 0x00]
        return (AESCMAC.code([0] + tail, key: key), AESCMAC.code([1] + tail, key: key))
    }

    /// Check value generation function f6. [Vol 3, Part H, 2.2.8]
    package static func f6(
        macKey: UInt128, n1: UInt128, n2: UInt128, r: UInt128, ioCapabilities: UInt32, a1: UInt64, a2: UInt64
    ) -> UInt128 {
        let message =
            n1.octets + n2.octets + r.octets + octets(UInt64(ioCapabilities), 3) + octets(a1, 7) + octets(a2, 7)
        return AESCMAC.code(message, key: macKey)
    }

    /// Numeric comparison value generation function g2; six decimal digits of it are shown. [Vol 3, Part H, 2.2.9]
    package static func g2(u: [UInt8], v: [UInt8], x: UInt128, y: UInt128) -> UInt32 {
        UInt32(truncatingIfNeeded: AESCMAC.code(u + v + y.octets, key: x))
    }

    /// The `count` octets that count least, most significant first.
    private static func octets(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }
}
