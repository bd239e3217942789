/// The message authentication code AES-CMAC. [Vol 3, Part H, 2.2.5], RFC 4493
package enum AESCMAC {
    /// The code of a message.
    package static func code(_ message: [UInt8], key: UInt128) -> UInt128 {
        let cipher = AESCipher(key: key)
        let (first, second) = subkeys(cipher)
        // The last block holds 1 to 16 octets; only an empty message has none.
        let last = message.isEmpty ? 0 : (message.count - 1) / 16 * 16
        var state: UInt128 = 0
        for start in stride(from: 0, to: last, by: 16) {
            state = cipher.encrypt(state ^ UInt128(octets: message, from: start))
        }
        let rest = message[last...]
        if rest.count == 16 {
            return cipher.encrypt(state ^ UInt128(octets: message, from: last) ^ first)
        }
        let padded = Array(rest) + [0x80] + Array(repeating: 0, count: 15 - rest.count)
        return cipher.encrypt(state ^ UInt128(octets: padded, from: 0) ^ second)
    }

    /// The subkeys K1 and K2 of a key.
    package static func subkeys(key: UInt128) -> (UInt128, UInt128) { subkeys(AESCipher(key: key)) }

    private static func subkeys(_ cipher: borrowing AESCipher) -> (UInt128, UInt128) {
        let first = doubled(cipher.encrypt(0))
        return (first, doubled(first))
    }

    /// Twice the value in the field that CMAC counts in.
    private static func doubled(_ value: UInt128) -> UInt128 {
        value << 1 ^ (value >> 127 == 1 ? 0x87 : 0)
    }
}
