internal import CCrypto

// The one file that calls libcrypto; what crosses its border is octets.

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

/// AES-128 ciphers of many keys, each keyed once.
///
/// Unchecked because a context of libcrypto changes with each block: `AddressResolver` uses one only while it is its
/// only owner.
final class AESKeyring: @unchecked Sendable {
    /// A cipher for each key; nil for a key of zeros, and for one that stands further in front already.
    private var ciphers: [OpaquePointer?] = []
    private var keys: [UInt128] = []
    /// How many keys have been set up for it.
    private(set) var setups = 0

    init() {}

    deinit { for case let cipher? in ciphers { ccrypto_aes128_free(cipher) } }

    /// Takes other keys; the ciphers of those that it has already stay.
    func use(_ keys: [UInt128]) {
        var spare: [UInt128: Int] = [:]
        for (place, key) in self.keys.enumerated() where ciphers[place] != nil { spare[key] = place }
        var taken: Set<UInt128> = [0]
        let next = keys.map { key -> OpaquePointer? in
            guard taken.insert(key).inserted else { return nil }
            if let place = spare[key] { return ciphers[place].take() }
            setups += 1
            return withUnsafeBytes(of: key.bigEndian) { octets in
                ccrypto_aes128_new(octets.baseAddress?.assumingMemoryBound(to: UInt8.self))
            }
        }
        for case let cipher? in ciphers { ccrypto_aes128_free(cipher) }
        ciphers = next
        self.keys = keys
    }

    /// The place of the first key that hashes the 24 bits to the other 24 bits. [Vol 3, Part H, 2.2.2]
    func firstIndex(random: UInt32, hash: UInt32) -> Int? {
        let place = ccrypto_aes128_find(ciphers, ciphers.count, random, hash)
        return place < 0 ? nil : place
    }
}

/// AES-CCM for the packets of one direction of a link, keyed once.
///
/// Unchecked because a context of libcrypto changes with each packet: `LinkCipher` uses one only while it is its
/// only owner.
final class CCMContext: @unchecked Sendable {
    private let context: OpaquePointer

    init(key: UInt128, seals: Bool) {
        let context = withUnsafeBytes(of: key.bigEndian) { octets in
            ccrypto_ccm_new(octets.baseAddress?.assumingMemoryBound(to: UInt8.self), seals ? 1 : 0)
        }
        guard let context else { preconditionFailure("libcrypto gives no AES-CCM cipher") }
        self.context = context
    }

    deinit { ccrypto_ccm_free(context) }

    /// Encrypts the octets from `start` on in place, and appends the check.
    func seal(_ octets: inout [UInt8], from start: Int, header: UInt8, counter: UInt64, vector: UInt64) {
        let count = octets.count - start
        for _ in 0..<LinkCipher.checkLength { octets.append(0) }
        let done = octets.withUnsafeMutableBufferPointer { buffer -> Int32 in
            guard let base = buffer.baseAddress else { return 0 }
            return ccrypto_ccm_seal(
                context, counter, vector, header, base + start, Int32(truncatingIfNeeded: count), base + start + count)
        }
        precondition(done == 1, "libcrypto seals no packet")
    }

    /// Decrypts the octets from `start` on in place; false where the check, the four octets of `packet` at `check`,
    /// isn't theirs.
    func open(
        _ octets: inout [UInt8], from start: Int, check: Int, of packet: [UInt8], header: UInt8, counter: UInt64,
        vector: UInt64
    ) -> Bool {
        let count = octets.count - start
        return octets.withUnsafeMutableBufferPointer { buffer in
            packet.withUnsafeBufferPointer { packet in
                guard let base = buffer.baseAddress, let tag = packet.baseAddress else { return false }
                return ccrypto_ccm_open(
                    context, counter, vector, header, base + start, Int32(truncatingIfNeeded: count), tag + check) == 1
            }
        }
    }
}

/// Arithmetic on the curve P-256.
enum LibCrypto {
    /// A scalar times a point, or times the generator; nil where the scalar is out of range or the point not on the
    /// curve. A point is x and y, most significant octet first.
    static func multiply(_ scalar: [UInt8], point: [UInt8]?) -> [UInt8]? {
        precondition(scalar.count == 32 && (point?.count ?? 64) == 64)
        var result = [UInt8](repeating: 0, count: 64)
        let done =
            point.map { ccrypto_p256_multiply(scalar, $0, &result) } ?? ccrypto_p256_multiply(scalar, nil, &result)
        return done == 1 ? result : nil
    }
}
