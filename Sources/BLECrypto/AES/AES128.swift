/// AES with a key of 128 bits: the security function e. [Vol 3, Part H, 2.2.1]
///
/// Keys and blocks are numbers whose most significant octet comes first in the cipher.
package enum AES128 {
    /// Encrypts one block.
    package static func encrypt(_ block: UInt128, key: UInt128) -> UInt128 {
        AESCipher(key: key).encrypt(block)
    }
}

extension UInt128 {
    /// From 16 octets at `start`, most significant first.
    init(octets: [UInt8], from start: Int) {
        var value: UInt128 = 0
        for index in start..<(start + 16) { value = value << 8 | UInt128(octets[index]) }
        self = value
    }

    /// 16 octets, most significant first.
    var octets: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
