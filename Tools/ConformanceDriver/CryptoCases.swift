import BLECrypto
import BLEWire
import Foundation

/// JSON's null.
enum Null { static var value: Any { NSNull() } }

/// Cases of the cryptographic functions. Numbers are most significant octet first, keys and signatures of ATT as they
/// are stored and sent.
enum CryptoCases {
    static func answer(_ test: [String: Any]) -> Frame {
        switch test.text("op") {
        case "h6":
            guard let w = test.octets("w", "key"), let id = test.octets("key_id", "keyid", "keyID", "message") else {
                break
            }
            return result(KeyDerivation.h6(w: number(w), keyID: UInt32(truncatingIfNeeded: number(id))))
        case "att-sign":
            guard let key = test.octets("key", "csrk"), let message = test.octets("message") else { break }
            let counter = UInt32(truncatingIfNeeded: test.number("counter", "sign_counter") ?? 0)
            return result(ATTSignature.sign(message, csrk: key.key, counter: counter))
        case "att-verify":
            guard let key = test.octets("key", "csrk"), var message = test.octets("message") else { break }
            // The signature stands by itself, or at the end of the message.
            var signature = test.octets("signature")
            if signature == nil, message.count >= ATTSignature.length {
                signature = Array(message.suffix(ATTSignature.length))
                message.removeLast(ATTSignature.length)
            }
            let counter = ATTSignature.verify(message, signature: signature ?? [], csrk: key.key)
            let isExpected = test.number("counter").map { counter == UInt32(truncatingIfNeeded: $0) } ?? true
            return valid(counter != nil && isExpected)
        case "database-hash":
            guard let message = test.octets("message", "data", "attributes") else { break }
            return result(AESCMAC.code(message, key: 0))
        case "p256-ecdh":
            guard let scalar = test.octets("private", "private_a", "private_key"),
                let pair = P256KeyPair(privateKey: scalar), let point = point(test)
            else { break }
            guard let secret = pair.sharedSecret(with: point) else { return valid(false) }
            return result(secret)
        case "p256-reject":
            guard let point = point(test) else { return valid(false) }
            var generator = SystemRandomNumberGenerator()
            return valid(P256KeyPair(using: &generator).sharedSecret(with: point) != nil)
        default: return Driver.unsupported("an operation that isn't known: \(test.text("op") ?? "none")")
        }
        return Driver.unsupported("a case with members missing")
    }

    /// The peer's public key: two coordinates, or both in one.
    private static func point(_ test: [String: Any]) -> P256PublicKey? {
        if let x = test.octets("x", "public_b_x", "public_x", "peer_x"),
            let y = test.octets("y", "public_b_y", "public_y", "peer_y")
        {
            return P256PublicKey(x: x, y: y)
        }
        guard let both = test.octets("public", "peer", "public_key", "point"), both.count == 64 else { return nil }
        return P256PublicKey(x: Array(both[..<32]), y: Array(both[32...]))
    }

    private static func number(_ octets: [UInt8]) -> UInt128 { octets.reduce(0) { $0 << 8 | UInt128($1) } }

    private static func result(_ number: UInt128) -> Frame {
        result((0..<16).map { UInt8(truncatingIfNeeded: number >> (120 - 8 * UInt128($0))) })
    }

    private static func result(_ octets: [UInt8]) -> Frame { .message(["event": "crypto", "result": octets.hex]) }

    private static func valid(_ isValid: Bool) -> Frame { .message(["event": "crypto", "valid": isValid]) }
}
