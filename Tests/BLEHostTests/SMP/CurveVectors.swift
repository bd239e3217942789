import BLECrypto
import BLEWire
import Foundation

/// Points of `Tests/Vectors/vectors.json`.
enum CurveVectors {
    struct Point: Decodable, Sendable, CustomStringConvertible {
        let name: String
        let x: String
        let y: String
        var description: String { name }
        /// As a command carries them.
        var littleEndian: [UInt8] { (Hex.octets(x) ?? []).reversed() + (Hex.octets(y) ?? []).reversed() }
    }

    private struct DebugKey: Decodable { let `private`: String }

    private static func group<T: Decodable>(_ name: String, as type: T.Type) -> T? {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Vectors/vectors.json")
        guard let data = try? Data(contentsOf: file),
            let whole = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
            let part = try? JSONSerialization.data(withJSONObject: whole[name] ?? [:])
        else { return nil }
        return try? JSONDecoder().decode(T.self, from: part)
    }

    static let rejected = group("p256_must_reject", as: [Point].self) ?? []
    /// The key pair that the specification publishes. [Vol 3, Part H, 2.3.5.6.1]
    static let debugKey: P256KeyPair? = {
        guard let key = group("p256_debug_key", as: DebugKey.self), let octets = Hex.octets(key.private) else {
            return nil
        }
        return P256KeyPair(privateKey: octets)
    }()
}
