import BLECrypto
import BLEWire
import Testing

@Suite struct CipherTests {
    @Test(arguments: Vectors.list("aes_128", of: Vectors.AES.self))
    func `AES-128 encrypts as FIPS 197 says`(vector: Vectors.AES) {
        #expect(AES128.encrypt(vector.plain.value, key: vector.key.value) == vector.cipher.value)
    }

    @Test(arguments: Vectors.list("aes_cmac", of: Vectors.CMAC.self))
    func `AES-CMAC gives the codes of RFC 4493`(vector: Vectors.CMAC) {
        #expect(AESCMAC.code(vector.message.octets, key: vector.key.value) == vector.result.value)
    }

    @Test func `AES-CMAC makes the subkeys of RFC 4493`() throws {
        let vector = try Vectors.one("aes_cmac_subkeys", of: Vectors.Subkeys.self)
        #expect(AES128.encrypt(0, key: vector.key.value) == vector.aesOfZero.value)
        #expect(AESCMAC.subkeys(key: vector.key.value) == (vector.k1.value, vector.k2.value))
    }

    @Test func `the database hash of the specification's example comes out`() throws {
        let vector = try #require(Vectors.list("database_hash", of: Vectors.Hash.self).first)
        #expect(AESCMAC.code(vector.message.octets, key: 0) == vector.result.value)
    }

    @Test func `every group of vectors that is used is there`() {
        #expect(Vectors.list("aes_128", of: Vectors.AES.self).count == 1)
        #expect(Vectors.list("aes_cmac", of: Vectors.CMAC.self).count == 4)
        #expect(Vectors.list("p256", of: Vectors.P256.self).count == 3)
        #expect(Vectors.list("p256_must_reject", of: Vectors.Reject.self).count == 6)
        #expect(Vectors.list("att_signature", of: Vectors.Signature.self).count == 5)
        #expect(Vectors.list("rpa", of: Vectors.RPA.self).count == 5)
        for name in ["c1", "s1", "f4", "f5", "f6", "g2", "h6", "h7", "ah"] {
            #expect(Vectors.list(name, of: Empty.self).count == 1, "\(name)")
        }
    }

    private struct Empty: Decodable {}
}

@Suite struct LinkCipherTests {
    private static func cipher(_ vector: Vectors.LinkLayer, isCentral: Bool) -> LinkCipher {
        LinkCipher(
            sessionKey: vector.sessionKey.value,
            initializationVector: vector.iv.octets.reduce(0) { $0 << 8 | UInt64($1) }, isCentral: isCentral)
    }

    @Test func `the session key is the diversifier encrypted with the long term key`() throws {
        let vector = try Vectors.one("ll_encryption", of: Vectors.LinkLayer.self)
        let key = LinkCipher.sessionKey(longTermKey: vector.ltk.value, diversifier: vector.skd.value)
        #expect(key == vector.sessionKey.value)
    }

    @Test(arguments: 0..<4) func `a packet of the specification's sample is sealed and opened`(index: Int) throws {
        let vector = try Vectors.one("ll_encryption", of: Vectors.LinkLayer.self)
        let packet = vector.packets[index]
        let fromCentral = packet.direction.hasPrefix("central")
        var sender = Self.cipher(vector, isCentral: fromCentral)
        var receiver = Self.cipher(vector, isCentral: !fromCentral)
        let header = packet.header.octets[0]
        var octets = packet.header.octets + packet.plain.octets
        sender.seal(&octets, from: 2, header: header, counter: packet.counter)
        #expect(Array(octets.dropFirst(2)) == packet.encrypted.octets)
        var opened = Array(octets.dropLast(4))
        let isRight = receiver.open(
            &opened, from: 2, check: octets.count - 4, of: octets, header: header, counter: packet.counter)
        #expect(isRight)
        #expect(Array(opened.dropFirst(2)) == packet.plain.octets)
    }

    /// The third packet of the sample with one thing changed, as its receiver opens it.
    private static func opens(
        flipping position: Int? = nil, header change: UInt8 = 0, counter: UInt64 = 1, isCentral: Bool = false
    ) throws -> Bool {
        let vector = try Vectors.one("ll_encryption", of: Vectors.LinkLayer.self)
        let packet = vector.packets[2]
        var receiver = cipher(vector, isCentral: isCentral)
        var sealed = packet.encrypted.octets
        if let position { sealed[position] ^= 1 }
        var opened = Array(sealed.dropLast(4))
        return receiver.open(
            &opened, from: 0, check: sealed.count - 4, of: sealed, header: packet.header.octets[0] ^ change,
            counter: counter)
    }

    @Test(arguments: 0..<31) func `one octet changed and the packet does not open`(position: Int) throws {
        #expect(try !Self.opens(flipping: position))
    }

    @Test func `the bits that change when a packet is sent again aren't authenticated, the others are`() throws {
        for bit in 0..<8 {
            #expect(try Self.opens(header: 1 << bit) == (2...4).contains(bit), "bit \(bit)")
        }
    }

    @Test func `the counter and the direction are authenticated`() throws {
        #expect(try Self.opens())
        #expect(try !Self.opens(counter: 0))
        #expect(try !Self.opens(counter: 2))
        #expect(try !Self.opens(isCentral: true))
    }

    @Test func `a check that isn't whole does not open`() {
        var cipher = LinkCipher(sessionKey: 0, initializationVector: 0, isCentral: true)
        var octets: [UInt8] = []
        #expect(!cipher.open(&octets, from: 0, check: 0, of: [1, 2, 3], header: 0, counter: 0))
        #expect(!cipher.open(&octets, from: 0, check: -1, of: [1, 2, 3, 4], header: 0, counter: 0))
    }

    @Test(arguments: [1, 15, 16, 17, 27, 251]) func `any length comes back, by a copy of the cipher too`(count: Int) {
        var sender = LinkCipher(sessionKey: 7, initializationVector: 9, isCentral: true)
        var receiver = LinkCipher(sessionKey: 7, initializationVector: 9, isCentral: false)
        var copy = receiver
        let plain = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        var sealed = plain
        sender.seal(&sealed, from: 0, header: 2, counter: 1 << 39 - 1)
        #expect(sealed.count == count + LinkCipher.checkLength)
        for _ in 0..<2 {
            var first = Array(sealed.dropLast(4))
            var second = first
            let isFirst = receiver.open(&first, from: 0, check: count, of: sealed, header: 2, counter: 1 << 39 - 1)
            let isSecond = copy.open(&second, from: 0, check: count, of: sealed, header: 2, counter: 1 << 39 - 1)
            #expect(isFirst && isSecond)
            #expect(first == plain && second == plain)
        }
    }
}
