import BLEHost
import BLEWire
import Testing

@Suite struct ClientAccessTests {
    @Test func `reads a value`() {
        var peer = ScriptedPeer()
        peer.start(.read(3))
        peer.play("→ 0A 03 00", "← 0B 01 02 03")
        #expect(peer.result() == .success(.value([1, 2, 3])))
    }

    @Test(arguments: [UInt8(0x01), 0x02, 0x05, 0x08, 0x0C, 0x80, 0xFF]) func `an error is handed on as it is`(
        code: UInt8
    ) {
        var peer = ScriptedPeer()
        peer.start(.read(0))
        peer.play("→ 0A 00 00", "← 01 0A 00 00 \(Hex.octet(code))")
        #expect(peer.result() == .failure(.att(ATTErrorCode(rawValue: code))))
    }

    @Test func `reads several values`() {
        var peer = ScriptedPeer()
        peer.start(.readMultiple([3, 7]))
        peer.play("→ 0E 03 00 07 00", "← 0F 01 02 03")
        #expect(peer.result() == .success(.value([1, 2, 3])))
    }

    @Test func `one handle is too few and twelve are too many for the MTU`() {
        var peer = ScriptedPeer()
        peer.start(.readMultiple([3]), token: 1)
        peer.start(.readMultiple(Array(repeating: 3, count: 12)), token: 2)
        peer.play("→ nothing")
        #expect(peer.result(1) == .failure(.invalidParameters("read multiple wants two handles")))
        #expect(peer.result(2) == .failure(.invalidParameters("a request longer than ATT_MTU")))
    }

    @Test func `10,000 impossible procedures in the queue end one by one`() {
        var peer = ScriptedPeer()
        peer.start(.read(3), token: 0)
        for token in UInt64(1)...10_000 { peer.start(.readMultiple([]), token: token) }
        peer.play("→ 0A 03 00", "← 0B")
        #expect(peer.events.count == 10_001)
    }

    // MARK: Long reads

    @Test func `a long read goes on while parts fill their responses`() {
        var peer = ScriptedPeer()
        peer.start(.readLong(3))
        let full = Array(repeating: "AA", count: 22).joined(separator: " ")
        peer.play("→ 0A 03 00", "← 0B " + full, "→ 0C 03 00 16 00", "← 0D " + full, "→ 0C 03 00 2C 00", "← 0D")
        #expect(peer.result() == .success(.value(Array(repeating: 0xAA, count: 44))))
    }

    @Test func `Attribute Not Long behind a full response means that it was all`() {
        var peer = ScriptedPeer()
        peer.start(.readLong(3))
        let full = Array(repeating: "AA", count: 22).joined(separator: " ")
        peer.play("→ 0A 03 00", "← 0B " + full, "→ 0C 03 00 16 00", "← 01 0C 03 00 0B")
        #expect(peer.result() == .success(.value(Array(repeating: 0xAA, count: 22))))
    }

    @Test func `an Invalid Offset in a long read is an error`() {
        var peer = ScriptedPeer()
        peer.start(.readLong(3))
        let full = Array(repeating: "AA", count: 22).joined(separator: " ")
        peer.play("→ 0A 03 00", "← 0B " + full, "→ 0C 03 00 16 00", "← 01 0C 03 00 07")
        #expect(peer.result() == .failure(.att(.invalidOffset)))
    }

    // MARK: Writes

    @Test func `writes with and without a response`() {
        var peer = ScriptedPeer()
        peer.start(.write(7, [1, 2]), token: 1)
        peer.start(.writeWithoutResponse(9, [3]), token: 2)
        peer.play("→ 12 07 00 01 02", "→ 52 09 00 03", "← 13")
        #expect(peer.result(1) == .success(.done))
        #expect(peer.result(2) == .success(.done))
    }

    @Test func `a command overtakes requests, but no write of the same attribute`() {
        var peer = ScriptedPeer()
        peer.start(.read(3), token: 1)
        peer.start(.write(7, [1]), token: 2)
        peer.start(.writeWithoutResponse(7, [2]), token: 3)
        peer.start(.writeWithoutResponse(9, [3]), token: 4)
        peer.play("→ 0A 03 00", "→ 52 09 00 03", "← 0B", "→ 12 07 00 01", "← 13", "→ 52 07 00 02")
    }

    @Test func `a command that doesn't fit the MTU is refused`() {
        var peer = ScriptedPeer()
        peer.start(.writeWithoutResponse(9, Array(repeating: 1, count: 21)))
        peer.play("→ nothing")
        #expect(peer.result() == .failure(.invalidParameters("a command longer than ATT_MTU")))
    }

    @Test func `a write that doesn't fit the MTU goes by the prepare queue`() {
        var peer = ScriptedPeer()
        peer.start(.write(7, Array(repeating: 1, count: 21)))
        let part = Array(repeating: "01", count: 18).joined(separator: " ")
        peer.play(
            "→ 16 07 00 00 00 " + part, "← 17 07 00 00 00 " + part, "→ 16 07 00 12 00 01 01 01",
            "← 17 07 00 12 00 01 01 01", "→ 18 01", "← 19")
        #expect(peer.result() == .success(.done))
    }

    @Test func `a long write of nothing prepares one empty part`() {
        var peer = ScriptedPeer()
        peer.start(.writeLong(7, []))
        peer.play("→ 16 07 00 00 00", "← 17 07 00 00 00", "→ 18 01", "← 19")
        #expect(peer.result() == .success(.done))
    }

    @Test(arguments: [UInt8(0x01), 0x03, 0x05, 0x09]) func `a part that is refused cancels the queue`(code: UInt8) {
        var peer = ScriptedPeer()
        peer.start(.writeLong(7, [1, 2, 3]))
        peer.play("→ 16 07 00 00 00 01 02 03", "← 01 16 07 00 \(Hex.octet(code))", "→ 18 00", "← 19")
        #expect(peer.result() == .failure(.att(ATTErrorCode(rawValue: code))))
    }

    @Test func `an execution that is refused is the error`() {
        var peer = ScriptedPeer()
        peer.start(.writeLong(7, [1]))
        peer.play("→ 16 07 00 00 00 01", "← 17 07 00 00 00 01", "→ 18 01", "← 01 18 07 00 0D")
        #expect(peer.result() == .failure(.att(.invalidAttributeValueLength)))
    }

    @Test func `more than 512 octets are refused at once`() {
        var peer = ScriptedPeer()
        peer.start(.writeLong(7, Array(repeating: 0, count: 513)))
        peer.play("→ nothing")
        #expect(peer.result() == .failure(.att(.invalidAttributeValueLength)))
    }

    @Test func `a reliable write of several attributes is one queue`() {
        var peer = ScriptedPeer()
        peer.start(
            .writeReliable([GATTWrite(handle: 7, offset: 0, value: [1]), GATTWrite(handle: 9, offset: 2, value: [2])]))
        peer.play(
            "→ 16 07 00 00 00 01", "← 17 07 00 00 00 01", "→ 16 09 00 02 00 02", "← 17 09 00 02 00 02", "→ 18 01",
            "← 19")
        #expect(peer.result() == .success(.done))
    }

    // MARK: Signed writes

    @Test func `a signed write carries its counter and its signature`() {
        var peer = ScriptedPeer()
        peer.connection.signingKey = GATTSigningKey(csrk: 0x8881_3088_2E5A_C00D_32EA_1F45_4859_51D8)
        peer.start(.signedWrite(7, [1, 2, 3]), token: 1)
        peer.play("→ D2 07 00 01 02 03 00 00 00 00 31 1F 0A CD 1C 3A 5B 0A")
        #expect(peer.connection.signingKey?.counter == 1)
    }

    @Test func `on an encrypted link a signed write needs no signature`() {
        var peer = ScriptedPeer { $0.security.isEncrypted = true }
        peer.start(.signedWrite(7, [1, 2, 3]))
        peer.play("→ 52 07 00 01 02 03")
    }

    @Test func `without a key nothing is signed`() {
        var peer = ScriptedPeer()
        peer.start(.signedWrite(7, [1]))
        peer.play("→ nothing")
        #expect(peer.result() == .failure(.invalidParameters("no key to sign with")))
    }

    // MARK: Security

    @Test func `an error that asks for security is repeated under more of it`() {
        var peer = ScriptedPeer { $0.elevatesSecurity = true }
        peer.start(.read(3))
        peer.play("→ 0A 03 00", "← 01 0A 03 00 05", "→ nothing")
        #expect(peer.elevations == [.insufficientAuthentication])
        #expect(peer.connection.nextDeadline == nil)
        peer.changeSecurity { $0.isEncrypted = true }
        peer.play("→ 0A 03 00", "← 0B 01")
        #expect(peer.result() == .success(.value([1])))
    }

    @Test func `security that doesn't rise leaves the error`() {
        var peer = ScriptedPeer { $0.elevatesSecurity = true }
        peer.start(.read(3))
        peer.play("→ 0A 03 00", "← 01 0A 03 00 0F")
        peer.changeSecurity { _ in }
        #expect(peer.result() == .failure(.att(.insufficientEncryption)))
    }

    @Test func `a request is repeated once`() {
        var peer = ScriptedPeer { $0.elevatesSecurity = true }
        peer.start(.read(3))
        peer.play("→ 0A 03 00", "← 01 0A 03 00 05")
        peer.changeSecurity { $0.isEncrypted = true }
        peer.play("→ 0A 03 00", "← 01 0A 03 00 05", "→ nothing")
        #expect(peer.result() == .failure(.att(.insufficientAuthentication)))
    }

    @Test func `without the setting the error is the result`() {
        var peer = ScriptedPeer()
        peer.start(.read(3))
        peer.play("→ 0A 03 00", "← 01 0A 03 00 05", "→ nothing")
        #expect(peer.elevations == [])
        #expect(peer.result() == .failure(.att(.insufficientAuthentication)))
    }
}
