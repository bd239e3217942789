import BLECrypto
import BLEWire
import Testing

@Suite struct P256Tests {
    @Test(arguments: Vectors.list("p256", of: Vectors.P256.self))
    func `both sides of a sample agree on its secret`(vector: Vectors.P256) throws {
        let first = try #require(P256KeyPair(privateKey: vector.privateA.octets))
        let second = try #require(P256KeyPair(privateKey: (vector.privateB ?? vector.privateA).octets))
        #expect(first.publicKey == P256PublicKey(x: vector.publicAX.octets, y: vector.publicAY.octets))
        if let x = vector.publicBX, let y = vector.publicBY {
            #expect(second.publicKey == P256PublicKey(x: x.octets, y: y.octets))
        }
        #expect(first.sharedSecret(with: second.publicKey) == vector.dhkey.octets)
        #expect(second.sharedSecret(with: first.publicKey) == vector.dhkey.octets)
    }

    @Test func `the specification's debug key is recognised`() throws {
        let vector = try Vectors.one("p256_debug_key", of: Vectors.DebugKey.self)
        let pair = try #require(P256KeyPair(privateKey: vector.private.octets))
        #expect(pair.publicKey == P256PublicKey(x: vector.x.octets, y: vector.y.octets))
        #expect(pair.publicKey.isDebugKey)
    }

    @Test(arguments: Vectors.list("p256_must_reject", of: Vectors.Reject.self))
    func `a point off the curve gives no secret`(vector: Vectors.Reject) throws {
        var generator = Counting()
        let pair = P256KeyPair(using: &generator)
        let point = try #require(P256PublicKey(x: vector.x.octets, y: vector.y.octets))
        #expect((pair.sharedSecret(with: point) != nil) == (vector.onCurve ?? false))
    }

    @Test(arguments: ["00", "FF"]) func `a scalar outside the order of the curve makes no key`(digits: String) {
        let octets = [UInt8](repeating: digits == "00" ? 0 : 0xFF, count: 32)
        #expect(P256KeyPair(privateKey: octets) == nil)
    }

    @Test func `the same randomness makes the same key and other randomness another`() {
        var first = Counting()
        var second = Counting()
        let key = P256KeyPair(using: &first).publicKey
        #expect(P256KeyPair(using: &second).publicKey == key)
        #expect(P256KeyPair(using: &second).publicKey != key)
    }

    @Test func `a public key crosses the air least significant octet first`() throws {
        let vector = try Vectors.one("p256_debug_key", of: Vectors.DebugKey.self)
        let key = try #require(P256PublicKey(x: vector.x.octets, y: vector.y.octets))
        #expect(key.littleEndian.first == vector.x.octets.last)
        #expect(P256PublicKey(littleEndian: key.littleEndian) == key)
        #expect(P256PublicKey(littleEndian: [1, 2, 3]) == nil)
    }

    /// A generator whose words are known.
    private struct Counting: RandomNumberGenerator {
        var word: UInt64 = 0x0123_4567_89AB_CDEF
        mutating func next() -> UInt64 {
            word = word &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return word
        }
    }
}

@Suite struct ATTSignatureTests {
    private static func key(_ vector: Vectors.Signature) -> UInt128 {
        vector.key.octets.reversed().reduce(0) { $0 << 8 | UInt128($1) }
    }

    @Test(arguments: Vectors.list("att_signature", of: Vectors.Signature.self))
    func `a message is signed as the samples say`(vector: Vectors.Signature) {
        let signature = ATTSignature.sign(
            vector.message.octets, csrk: Self.key(vector), counter: vector.counter)
        #expect(signature == vector.signature.octets)
    }

    @Test(arguments: Vectors.list("att_signature", of: Vectors.Signature.self))
    func `a right signature gives its counter`(vector: Vectors.Signature) {
        let counter = ATTSignature.verify(
            vector.message.octets, signature: vector.signature.octets, csrk: Self.key(vector))
        #expect(counter == vector.counter)
    }

    @Test(arguments: 0..<12) func `a signature with one octet changed is wrong`(position: Int) throws {
        let vector = try #require(Vectors.list("att_signature", of: Vectors.Signature.self).last)
        var signature = vector.signature.octets
        signature[position] ^= 0x80
        #expect(
            ATTSignature.verify(vector.message.octets, signature: signature, csrk: Self.key(vector)) == nil)
    }

    @Test(arguments: [0, 11, 13]) func `a signature of another length is wrong`(count: Int) {
        #expect(ATTSignature.verify([], signature: Array(repeating: 0, count: count), csrk: 0) == nil)
    }
}
