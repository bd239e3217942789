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

@Suite struct LinkLayerEncryptionTests {
    private static func nonce(_ packet: Vectors.LinkLayer.Packet, _ vector: Vectors.LinkLayer) -> [UInt8] {
        // 39 bits of counter, the direction in the bit above, then the initialization vector as sent.
        let direction: UInt64 = packet.direction.hasPrefix("central") ? 1 : 0
        let first = packet.counter | direction << 39
        return (0..<5).map { UInt8(truncatingIfNeeded: first >> (8 * UInt64($0))) } + vector.iv.octets.reversed()
    }

    @Test func `the session key is the diversifier encrypted with the long term key`() throws {
        let vector = try Vectors.one("ll_encryption", of: Vectors.LinkLayer.self)
        #expect(AES128.encrypt(vector.skd.value, key: vector.ltk.value) == vector.sessionKey.value)
    }

    @Test(arguments: 0..<4) func `a packet of the specification's sample is sealed and opened`(index: Int) throws {
        let vector = try Vectors.one("ll_encryption", of: Vectors.LinkLayer.self)
        let packet = vector.packets[index]
        let nonce = Self.nonce(packet, vector)
        let additional = [packet.header.octets[0] & 0xE3]
        let sealed = AESCCM.seal(
            packet.plain.octets, key: vector.sessionKey.value, nonce: nonce, additional: additional)
        #expect(sealed == packet.encrypted.octets)
        let opened = AESCCM.open(sealed, key: vector.sessionKey.value, nonce: nonce, additional: additional)
        #expect(opened == packet.plain.octets)
    }

    @Test(arguments: 0..<31) func `one octet changed and the packet does not open`(position: Int) throws {
        let vector = try Vectors.one("ll_encryption", of: Vectors.LinkLayer.self)
        let packet = vector.packets[2]
        var sealed = packet.encrypted.octets
        sealed[position] ^= 1
        let opened = AESCCM.open(
            sealed, key: vector.sessionKey.value, nonce: Self.nonce(packet, vector),
            additional: [packet.header.octets[0] & 0xE3])
        #expect(opened == nil)
    }

    @Test(arguments: 0..<4) func `less than a check does not open`(count: Int) {
        let sealed = [UInt8](repeating: 0, count: count)
        let nonce = [UInt8](repeating: 0, count: AESCCM.nonceLength)
        #expect(AESCCM.open(sealed, key: 0, nonce: nonce, additional: []) == nil)
    }
}
