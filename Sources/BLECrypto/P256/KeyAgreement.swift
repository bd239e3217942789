/// A point on P-256: what a device makes public. [Vol 3, Part H, 2.3.5.6.1]
package struct P256PublicKey: Hashable, Sendable {
    /// The coordinates, 32 octets each, most significant first.
    package let x: [UInt8]
    package let y: [UInt8]

    /// nil where a coordinate doesn't have 32 octets. Says nothing about lying on the curve.
    package init?(x: [UInt8], y: [UInt8]) {
        guard x.count == 32, y.count == 32 else { return nil }
        self.x = x
        self.y = y
    }

    /// From 64 octets as SMP and HCI carry them: x and y, least significant first.
    package init?(littleEndian octets: [UInt8]) {
        guard octets.count == 64 else { return nil }
        x = octets[0..<32].reversed()
        y = octets[32..<64].reversed()
    }

    /// x and y, least significant first.
    package var littleEndian: [UInt8] { x.reversed() + y.reversed() }

    /// The key that the specification publishes for debugging; only sniffers gain by it.
    /// [Vol 3, Part H, 2.3.5.6.1]
    package var isDebugKey: Bool { x == P256KeyPair.debugX }
}

/// One side of a Diffie-Hellman exchange. [Vol 2, Part H, 7.1]
package protocol KeyAgreement: Sendable {
    var publicKey: P256PublicKey { get }
    /// The shared secret DHKey, 32 octets, most significant first; nil where the peer's point isn't on the curve.
    func sharedSecret(with peer: P256PublicKey) -> [UInt8]?
}
