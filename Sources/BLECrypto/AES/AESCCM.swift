/// AES-CCM as the link layer uses it: a nonce of 13 octets, a message integrity check of 4. [Vol 6, Part E, 2]
package enum AESCCM {
    package static let nonceLength = 13
    package static let checkLength = 4

    /// The encrypted octets and behind them the message integrity check.
    package static func seal(_ plain: [UInt8], key: UInt128, nonce: [UInt8], additional: [UInt8]) -> [UInt8] {
        let cipher = AESCipher(key: key)
        let check = authentication(of: plain, cipher, nonce, additional)
        return counted(plain, cipher, nonce) + tag(check, cipher, nonce)
    }

    /// The plain octets; nil where the message integrity check is wrong or missing.
    package static func open(_ sealed: [UInt8], key: UInt128, nonce: [UInt8], additional: [UInt8]) -> [UInt8]? {
        guard sealed.count >= checkLength else { return nil }
        let cipher = AESCipher(key: key)
        let plain = counted(Array(sealed.dropLast(checkLength)), cipher, nonce)
        let expected = tag(authentication(of: plain, cipher, nonce, additional), cipher, nonce)
        // All octets are compared, so that the time says nothing about the first wrong one.
        let difference = zip(expected, sealed.suffix(checkLength)).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) }
        return difference == 0 ? plain : nil
    }

    /// CBC-MAC over the first block, the additional data and the plain text. RFC 3610, 2.2
    private static func authentication(
        of plain: [UInt8], _ cipher: borrowing AESCipher, _ nonce: [UInt8], _ additional: [UInt8]
    ) -> UInt128 {
        precondition(nonce.count == nonceLength && plain.count <= 0xFFFF && additional.count < 0xFF00)
        // Flags: additional data there or not, 4 octets of check, 2 octets of length.
        let flags: UInt8 = (additional.isEmpty ? 0 : 0x40) | UInt8((checkLength - 2) / 2) << 3 | 1
        var state = cipher.encrypt(block(flags, nonce, UInt16(plain.count)))
        if !additional.isEmpty {
            let length = [UInt8(additional.count >> 8), UInt8(truncatingIfNeeded: additional.count)]
            state = absorb(length + additional, into: state, cipher)
        }
        return absorb(plain, into: state, cipher)
    }

    private static func absorb(
        _ octets: [UInt8], into state: UInt128, _ cipher: borrowing AESCipher
    ) -> UInt128 {
        var state = state
        for start in stride(from: 0, to: octets.count, by: 16) {
            state = cipher.encrypt(state ^ padded(octets, from: start))
        }
        return state
    }

    /// Counter mode: encrypts and decrypts. RFC 3610, 2.3
    private static func counted(_ octets: [UInt8], _ cipher: borrowing AESCipher, _ nonce: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(octets.count + checkLength)
        for start in stride(from: 0, to: octets.count, by: 16) {
            let stream = cipher.encrypt(block(1, nonce, UInt16(start / 16 + 1))) ^ padded(octets, from: start)
            for index in 0..<min(16, octets.count - start) {
                result.append(UInt8(truncatingIfNeeded: stream >> (120 - 8 * UInt128(index))))
            }
        }
        return result
    }

    private static func tag(_ check: UInt128, _ cipher: borrowing AESCipher, _ nonce: [UInt8]) -> [UInt8] {
        Array((check ^ cipher.encrypt(block(1, nonce, 0))).octets.prefix(checkLength))
    }

    /// Flags, nonce, and a number of two octets.
    private static func block(_ flags: UInt8, _ nonce: [UInt8], _ number: UInt16) -> UInt128 {
        nonce.reduce(UInt128(flags)) { $0 << 8 | UInt128($1) } << 16 | UInt128(number)
    }

    /// 16 octets from `start` on, with zeros behind the end.
    private static func padded(_ octets: [UInt8], from start: Int) -> UInt128 {
        var value: UInt128 = 0
        for index in start..<(start + 16) { value = value << 8 | UInt128(index < octets.count ? octets[index] : 0) }
        return value
    }
}
