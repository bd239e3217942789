/// The cyclic redundancy check of link layer packets. [Vol 6, Part B, 3.1.1]
///
/// The shift register of the specification is kept mirrored, so that its lowest bit is the one that is sent first.
package enum CRC24 {
    /// What the register starts with in advertising packets.
    package static let advertisingInit: UInt32 = 0x55_5555

    /// x²⁴ + x¹⁰ + x⁹ + x⁶ + x⁴ + x³ + x + 1, mirrored.
    private static let polynomial: UInt32 = 0xDA_6000

    /// Four tables of 256: what one octet does to the register when zero to three octets follow it.
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 1024)
        for octet in 0..<256 {
            var register = UInt32(octet)
            for _ in 0..<8 { register = register & 1 == 1 ? register >> 1 ^ polynomial : register >> 1 }
            tables[octet] = register
        }
        for index in 256..<1024 {
            let before = tables[index - 256]
            tables[index] = before >> 8 ^ tables[Int(before & 0xFF)]
        }
        return tables
    }()

    /// The register after the first `count` octets of `pdu`; sent least significant octet first.
    package static func register(over pdu: [UInt8], count: Int, initial: UInt32) -> UInt32 {
        let tables = self.tables
        var register = mirrored(initial)
        var index = 0
        while index + 4 <= count {
            let mixed =
                register ^ UInt32(pdu[index]) ^ UInt32(pdu[index + 1]) << 8 ^ UInt32(pdu[index + 2]) << 16
            // The register has 24 bits: the fourth octet meets none of them.
            register =
                tables[768 + Int(mixed & 0xFF)] ^ tables[512 + Int(mixed >> 8 & 0xFF)]
                ^ tables[256 + Int(mixed >> 16 & 0xFF)] ^ tables[Int(pdu[index + 3])]
            index += 4
        }
        while index < count {
            register = register >> 8 ^ tables[Int((register ^ UInt32(pdu[index])) & 0xFF)]
            index += 1
        }
        return register
    }

    package static func register(over pdu: [UInt8], initial: UInt32) -> UInt32 {
        register(over: pdu, count: pdu.count, initial: initial)
    }

    /// Appends the CRC of all octets.
    package static func append(to pdu: inout [UInt8], initial: UInt32) {
        let register = register(over: pdu, initial: initial)
        pdu.append(UInt8(truncatingIfNeeded: register))
        pdu.append(UInt8(truncatingIfNeeded: register >> 8))
        pdu.append(UInt8(truncatingIfNeeded: register >> 16))
    }

    /// Whether the last three octets are the CRC of those before them.
    package static func isValid(_ octets: [UInt8], initial: UInt32) -> Bool {
        let count = octets.count - 3
        guard count >= 0 else { return false }
        return register(over: octets, count: count, initial: initial) == received(octets)
    }

    /// The last three octets as a register.
    package static func received(_ octets: [UInt8]) -> UInt32 {
        let count = octets.count - 3
        guard count >= 0 else { return 0 }
        return UInt32(octets[count]) | UInt32(octets[count + 1]) << 8 | UInt32(octets[count + 2]) << 16
    }

    private static func mirrored(_ value: UInt32) -> UInt32 {
        var value = value << 8
        value = (value >> 1 & 0x5555_5555) | (value & 0x5555_5555) << 1
        value = (value >> 2 & 0x3333_3333) | (value & 0x3333_3333) << 2
        value = (value >> 4 & 0x0F0F_0F0F) | (value & 0x0F0F_0F0F) << 4
        return value.byteSwapped
    }
}
