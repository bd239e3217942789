internal import CCrypto

/// AES with a key of 128 bits: the security function e. [Vol 3, Part H, 2.2.1]
///
/// Keys and blocks are numbers whose most significant octet comes first in the cipher.
package enum AES128 {
    /// Encrypts one block.
    package static func encrypt(_ block: UInt128, key: UInt128) -> UInt128 {
        AESCipher(key: key).encrypt(block)
    }
}

/// A keyed cipher for any number of blocks within one call.
struct AESCipher: ~Copyable {
    private let context: OpaquePointer

    init(key: UInt128) {
        let context = withUnsafeBytes(of: key.bigEndian) { octets in
            ccrypto_aes128_new(octets.baseAddress?.assumingMemoryBound(to: UInt8.self))
        }
        // Fails only where there's no memory, which ends a Swift program anyway.
        guard let context else { preconditionFailure("libcrypto gives no AES-128 cipher") }
        self.context = context
    }

    deinit { ccrypto_aes128_free(context) }

    func encrypt(_ block: UInt128) -> UInt128 {
        var output: UInt128 = 0
        let done = withUnsafeBytes(of: block.bigEndian) { input in
            withUnsafeMutableBytes(of: &output) { result in
                ccrypto_aes128_block(
                    context, result.baseAddress?.assumingMemoryBound(to: UInt8.self),
                    input.baseAddress?.assumingMemoryBound(to: UInt8.self))
            }
        }
        precondition(done == 1, "libcrypto encrypts no block")
        return UInt128(bigEndian: output)
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
