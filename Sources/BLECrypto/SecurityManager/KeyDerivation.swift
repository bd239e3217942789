package import BLEWire

/// Functions that make keys and hashes out of keys.
package enum KeyDerivation {
    /// Link key conversion function h6. [Vol 3, Part H, 2.2.10]
    package static func h6(w: UInt128, keyID: UInt32) -> UInt128 {
        AESCMAC.code((0..<4).reversed().map { UInt8(truncatingIfNeeded: keyID >> (8 * UInt32($0))) }, key: w)
    }

    /// Link key conversion function h7. [Vol 3, Part H, 2.2.11]
    package static func h7(salt: UInt128, w: UInt128) -> UInt128 {
        AESCMAC.code(w.octets, key: salt)
    }

    /// Random address hash function ah, 24 bits of 24. [Vol 3, Part H, 2.2.2]
    package static func ah(irk: UInt128, random: UInt32) -> UInt32 {
        UInt32(truncatingIfNeeded: AES128.encrypt(UInt128(random & 0xFF_FFFF), key: irk) & 0xFF_FFFF)
    }

    /// Whether a resolvable private address was made with the key. [Vol 6, Part B, 1.3.2.3]
    ///
    /// A key of zeros means that the peer has no privacy, and resolves nothing.
    package static func resolves(_ address: DeviceAddress, irk: UInt128) -> Bool {
        guard irk != 0, address.isResolvablePrivate else { return false }
        return ah(irk: irk, random: UInt32(address.bits >> 24)) == UInt32(address.bits & 0xFF_FFFF)
    }
}

extension KeyDerivation {
    /// A resolvable private address of 22 random bits. [Vol 6, Part B, 1.3.2.2]
    ///
    /// Bits that are all 0 or all 1, which no such address has, are changed in one place.
    package static func resolvableAddress(irk: UInt128, random: UInt32) -> DeviceAddress {
        var part = random & 0x3F_FFFF
        if part == 0 || part == 0x3F_FFFF { part ^= 1 }
        part |= 0x40_0000
        return DeviceAddress(UInt64(part) << 24 | UInt64(ah(irk: irk, random: part)), .randomDevice)
    }
}
