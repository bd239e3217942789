/// A private scalar with its point on P-256. [Vol 2, Part H, 7.1]
package struct P256KeyPair: KeyAgreement {
    private let scalar: [UInt8]
    package let publicKey: P256PublicKey

    /// From a scalar of 32 octets, most significant first; nil where it isn't between 1 and the order of the curve.
    package init?(privateKey: [UInt8]) {
        guard privateKey.count == 32, let point = LibCrypto.multiply(privateKey, point: nil),
            let key = P256PublicKey(x: Array(point[0..<32]), y: Array(point[32..<64]))
        else { return nil }
        scalar = privateKey
        publicKey = key
    }

    /// A new pair out of the generator's randomness.
    package init(using generator: inout some RandomNumberGenerator) {
        // A random scalar is out of range once in 2^32 times.
        while true {
            var octets: [UInt8] = []
            for _ in 0..<4 {
                let word: UInt64 = generator.next()
                withUnsafeBytes(of: word) { octets.append(contentsOf: $0) }
            }
            if let pair = P256KeyPair(privateKey: octets) {
                self = pair
                return
            }
        }
    }

    package func sharedSecret(with peer: P256PublicKey) -> [UInt8]? {
        LibCrypto.multiply(scalar, point: peer.x + peer.y).map { Array($0[0..<32]) }
    }

    /// The pair that the specification publishes for debugging. [Vol 3, Part H, 2.3.5.6.1]
    package static let debug = P256KeyPair(privateKey: [
        0x3F, 0x49, 0xF6, 0xD4, 0xA3, 0xC5, 0x5F, 0x38, 0x74, 0xC9, 0xB3, 0xE3, 0xD2, 0x10, 0x3F, 0x50,
        0x4A, 0xFF, 0x60, 0x7B, 0xEB, 0x40, 0xB7, 0x99, 0x58, 0x99, 0xB8, 0xA6, 0xCD, 0x3C, 0x1A, 0xBD,
    ])

    /// x of the public debug key. [Vol 3, Part H, 2.3.5.6.1]
    static let debugX: [UInt8] = [
        0x20, 0xB0, 0x03, 0xD2, 0xF2, 0x97, 0xBE, 0x2C, 0x5E, 0x2C, 0x83, 0xA7, 0xE9, 0xF9, 0xA5, 0xB9,
        0xEF, 0xF4, 0x91, 0x11, 0xAC, 0xF4, 0xFD, 0xDB, 0xCC, 0x03, 0x01, 0x48, 0x0E, 0x35, 0x9D, 0xE6,
    ]
}
