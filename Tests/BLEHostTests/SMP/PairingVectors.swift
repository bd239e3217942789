import BLEWire
import Foundation

/// A whole pairing of `Tests/Vectors/vectors.json`.
struct PairingVector: Decodable, Sendable, CustomStringConvertible {
    struct Side: Decodable, Sendable {
        let type: UInt8
        let address: String
    }

    let name: String
    let kind: String
    let method: String
    let initiator: Side
    let responder: Side
    let stk: String?
    let ltk: String?
    let tk: String?
    let passkey: UInt32?
    let displayed: UInt32?
    let privateKey: String?
    let privateKeyOf: String?
    let mustFail: String?
    let authenticated: Bool
    /// Who sends, and what.
    let pdus: [[String]]

    var description: String { name }

    static let all: [PairingVector] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Vectors/vectors.json")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard let data = try? Data(contentsOf: file),
            let whole = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
            let part = try? JSONSerialization.data(withJSONObject: whole["smp_pairings"] ?? [])
        else { return [] }
        return (try? decoder.decode([PairingVector].self, from: part)) ?? []
    }()

    /// A pairing and the side of it whose secrets are known.
    struct Played: Sendable, CustomStringConvertible {
        let vector: PairingVector
        let isInitiator: Bool
        var description: String { "\(vector.name) as \(isInitiator ? "initiator" : "responder")" }
    }

    /// Each with every side that can be played.
    static let played: [Played] = all.flatMap { vector in
        [true, false].compactMap { isInitiator in
            if let side = vector.privateKeyOf, (side == "initiator") != isInitiator { return nil }
            return Played(vector: vector, isInitiator: isInitiator)
        }
    }

    /// The key that encrypts the link at the end.
    var key: Key128? {
        (ltk ?? stk).flatMap { UInt128($0, radix: 16) }.map { Key128($0) }
    }

    func address(ofInitiator isInitiator: Bool) -> DeviceAddress {
        let side = isInitiator ? initiator : responder
        return DeviceAddress(side.address, side.type == 0 ? .publicDevice : .randomDevice) ?? DeviceAddress(0)
    }

    /// The commands in their order: whether the initiator sends, and the octets.
    var commands: [(fromInitiator: Bool, octets: [UInt8])] {
        pdus.map { ($0[0] == "initiator", Hex.octets($0[1]) ?? []) }
    }
}

/// Words in the order in which they're to be given out, then a counter.
struct WordList: RandomNumberGenerator, Sendable {
    var words: [UInt64] = []
    private var counter: UInt64 = 0x5EED

    init(_ words: [UInt64] = []) { self.words = words }

    mutating func next() -> UInt64 {
        counter &+= 0x9E37_79B9_7F4A_7C15
        return words.isEmpty ? counter : words.removeFirst()
    }

    /// A number of 128 bits as `Key128(using:)` draws it.
    mutating func append(nonce octets: [UInt8]) {
        let big = Array(octets.reversed())
        for half in [big[0..<8], big[8..<16]] { words.append(half.reduce(0) { $0 << 8 | UInt64($1) }) }
    }

    /// A private key as `P256KeyPair(using:)` draws it.
    mutating func append(privateKey octets: [UInt8]) {
        for start in stride(from: 0, to: 32, by: 8) {
            words.append(octets[start..<(start + 8)].reversed().reduce(0) { $0 << 8 | UInt64($1) })
        }
    }

    /// A passkey as a pairing draws it.
    mutating func append(passkey: UInt32) { words.append(UInt64(passkey) << 44) }
}
