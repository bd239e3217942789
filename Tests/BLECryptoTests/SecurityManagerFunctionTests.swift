import BLECrypto
import BLEWire
import Testing

@Suite struct SecurityManagerFunctionTests {
    @Test(arguments: Vectors.list("c1", of: Vectors.C1.self))
    func `c1 gives the specification's confirm value`(vector: Vectors.C1) {
        let request = UInt64(vector.preq.value)
        let response = UInt64(vector.pres.value)
        let initiator = UInt64(vector.ia.value)
        let responder = UInt64(vector.ra.value)
        #expect(LegacyPairing.p1(request, response, vector.iat, vector.rat) == vector.p1.value)
        #expect(LegacyPairing.p2(initiator, responder) == vector.p2.value)
        let confirm = LegacyPairing.c1(
            k: vector.k.value, r: vector.r.value, request: request, response: response, initiatorType: vector.iat,
            responderType: vector.rat, initiator: initiator, responder: responder)
        #expect(confirm == vector.result.value)
    }

    @Test(arguments: Vectors.list("s1", of: Vectors.S1.self))
    func `s1 gives the specification's short term key`(vector: Vectors.S1) {
        #expect(
            LegacyPairing.s1(k: vector.k.value, r1: vector.r1.value, r2: vector.r2.value) == vector.result.value)
    }

    @Test(arguments: Vectors.list("f4", of: Vectors.F4.self))
    func `f4 gives the specification's confirm value`(vector: Vectors.F4) {
        let value = SecureConnections.f4(
            u: vector.u.octets, v: vector.v.octets, x: vector.x.value, z: UInt8(vector.z.value))
        #expect(value == vector.result.value)
    }

    @Test(arguments: Vectors.list("f5", of: Vectors.F5.self))
    func `f5 gives the specification's keys`(vector: Vectors.F5) {
        let keys = SecureConnections.f5(
            dhKey: vector.w.octets, n1: vector.n1.value, n2: vector.n2.value, a1: UInt64(vector.a1.value),
            a2: UInt64(vector.a2.value))
        #expect(keys.macKey == vector.mackey.value)
        #expect(keys.ltk == vector.ltk.value)
    }

    @Test(arguments: Vectors.list("f6", of: Vectors.F6.self))
    func `f6 gives the specification's check value`(vector: Vectors.F6) {
        let value = SecureConnections.f6(
            macKey: vector.w.value, n1: vector.n1.value, n2: vector.n2.value, r: vector.r.value,
            ioCapabilities: UInt32(vector.iocap.value), a1: UInt64(vector.a1.value), a2: UInt64(vector.a2.value))
        #expect(value == vector.result.value)
    }

    @Test(arguments: Vectors.list("g2", of: Vectors.G2.self))
    func `g2 gives the specification's six digits`(vector: Vectors.G2) {
        let value = SecureConnections.g2(
            u: vector.u.octets, v: vector.v.octets, x: vector.x.value, y: vector.y.value)
        #expect(value == UInt32(vector.resultHex.value))
        #expect(value % 1_000_000 == vector.displayed)
    }

    @Test(arguments: Vectors.list("h6", of: Vectors.H6.self))
    func `h6 gives the specification's key`(vector: Vectors.H6) {
        #expect(
            KeyDerivation.h6(w: vector.w.value, keyID: UInt32(vector.keyId.value)) == vector.result.value)
    }

    @Test(arguments: Vectors.list("h7", of: Vectors.H7.self))
    func `h7 gives the specification's key`(vector: Vectors.H7) {
        #expect(KeyDerivation.h7(salt: vector.salt.value, w: vector.w.value) == vector.result.value)
    }

    @Test(arguments: Vectors.list("ah", of: Vectors.AH.self))
    func `ah gives the specification's hash`(vector: Vectors.AH) {
        let hash = KeyDerivation.ah(irk: vector.irk.value, random: UInt32(vector.prand.value))
        #expect(UInt128(hash) == vector.result.value)
    }

    @Test(arguments: Vectors.list("rpa", of: Vectors.RPA.self))
    func `a resolvable address resolves with its own key only`(vector: Vectors.RPA) throws {
        let address = try #require(DeviceAddress(vector.address, .randomDevice))
        #expect(KeyDerivation.resolves(address, irk: vector.irk.value) == vector.resolves)
    }
}

@Suite struct ResolvableAddressTests {
    @Test(arguments: [0, 0x3F_FFFF, 0x12_3456, 0xFFFF_FFFF] as [UInt32])
    func `an address that was made is resolved by its key, and by no other`(random: UInt32) {
        let address = KeyDerivation.resolvableAddress(irk: 0x1234_5678, random: random)
        #expect(address.isResolvablePrivate)
        #expect(KeyDerivation.resolves(address, irk: 0x1234_5678))
        #expect(!KeyDerivation.resolves(address, irk: 0x1234_5679))
        let part = address.bits >> 24 & 0x3F_FFFF
        #expect(part != 0 && part != 0x3F_FFFF)
    }
}
