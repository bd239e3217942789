import BLEWire
import Foundation

/// The groups of `Tests/Vectors/vectors.json`. Numbers are printed most significant octet first.
enum Vectors {
    private static func group<T: Decodable>(_ name: String, as type: T.Type) throws -> T {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Vectors/vectors.json")
        let all = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        let part = try JSONSerialization.data(withJSONObject: all?[name] ?? [:], options: .fragmentsAllowed)
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(T.self, from: part)
    }

    /// A group that is a list; a group that can't be read is empty, which a test of its own notices.
    static func list<T: Decodable>(_ name: String, of type: T.Type) -> [T] {
        (try? group(name, as: [T].self)) ?? []
    }

    static func one<T: Decodable>(_ name: String, of type: T.Type) throws -> T {
        try group(name, as: T.self)
    }

    struct AES: Decodable, Sendable { let key: Number, plain: Number, cipher: Number }
    struct CMAC: Decodable, Sendable { let key: Number, message: Octets, result: Number }
    struct Subkeys: Decodable, Sendable { let key: Number, aesOfZero: Number, k1: Number, k2: Number }
    struct C1: Decodable, Sendable {
        let k: Number, r: Number, preq: Number, pres: Number, iat: UInt8, rat: UInt8, ia: Number, ra: Number
        let p1: Number, p2: Number, result: Number
    }
    struct S1: Decodable, Sendable { let k: Number, r1: Number, r2: Number, result: Number }
    struct F4: Decodable, Sendable { let u: Octets, v: Octets, x: Number, z: Number, result: Number }
    struct F5: Decodable, Sendable {
        let w: Octets, n1: Number, n2: Number, a1: Number, a2: Number, mackey: Number, ltk: Number
    }
    struct F6: Decodable, Sendable {
        let w: Number, n1: Number, n2: Number, r: Number, iocap: Number, a1: Number, a2: Number, result: Number
    }
    struct G2: Decodable, Sendable {
        let u: Octets, v: Octets, x: Number, y: Number, resultHex: Number, displayed: UInt32
    }
    struct H6: Decodable, Sendable { let w: Number, keyId: Number, result: Number }
    struct H7: Decodable, Sendable { let salt: Number, w: Number, result: Number }
    struct AH: Decodable, Sendable { let irk: Number, prand: Number, result: Number }
    struct RPA: Decodable, Sendable { let irk: Number, address: String, resolves: Bool }
    struct P256: Decodable, Sendable {
        let name: String, privateA: Octets, publicAX: Octets, publicAY: Octets, dhkey: Octets
        /// Missing where a key is agreed with itself.
        let privateB: Octets?, publicBX: Octets?, publicBY: Octets?
    }
    struct DebugKey: Decodable, Sendable { let `private`: Octets, x: Octets, y: Octets }
    struct Reject: Decodable, Sendable { let name: String, x: Octets, y: Octets, onCurve: Bool? }
    struct Signature: Decodable, Sendable { let key: Octets, message: Octets, counter: UInt32, signature: Octets }
    struct Hash: Decodable, Sendable { let message: Octets, result: Number }
    struct LinkLayer: Decodable, Sendable {
        let ltk: Number, skd: Number, sessionKey: Number, iv: Octets, packets: [Packet]
        struct Packet: Decodable, Sendable {
            let name: String, direction: String, counter: UInt64, header: Octets, plain: Octets, encrypted: Octets
        }
    }

    /// Hexadecimal digits as octets.
    struct Octets: Decodable, Sendable {
        let octets: [UInt8]
        init(from decoder: any Decoder) throws {
            octets = Hex.octets(try decoder.singleValueContainer().decode(String.self)) ?? []
        }
    }

    /// Hexadecimal digits as a number.
    struct Number: Decodable, Sendable {
        let value: UInt128
        init(from decoder: any Decoder) throws {
            let text = try decoder.singleValueContainer().decode(String.self)
            value = (Hex.octets(text) ?? []).reduce(0) { $0 << 8 | UInt128($1) }
        }
    }
}
