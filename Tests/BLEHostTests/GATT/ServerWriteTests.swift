import BLECrypto
import BLEHost
import BLEWire
import Testing

@Suite struct ServerWriteTests {
    @Test func `a stored value is replaced, whatever its length was`() {
        var peer = ScriptedPeer(.with(.stored(0xFFF1, [1, 2, 3])))
        peer.play(
            "← 12 03 00 09", "→ 13", "← 0A 03 00", "→ 0B 09", "← 12 03 00", "→ 13", "← 0A 03 00", "→ 0B",
            "← 52 03 00 07 08", "← 0A 03 00", "→ 0B 07 08")
    }

    @Test(arguments: ["00 00", "04 00", "FF FF"]) func `a write to nothing is an Invalid Handle`(handle: String) {
        var peer = ScriptedPeer(.with(.stored()))
        peer.play("← 12 \(handle) 01", "→ 01 12 \(handle) 01", "← 52 \(handle) 01", "→ nothing")
    }

    @Test func `512 octets are taken and 513 are too long`() {
        var peer = ScriptedPeer(.with(.stored())) { $0.receiveMTU = 600 }
        peer.play("← 02 58 02", "→ 03 58 02")
        peer.receive([0x12, 3, 0] + Array(repeating: 1, count: 512))
        peer.receive([0x12, 3, 0] + Array(repeating: 1, count: 513))
        #expect(peer.sent == [[0x13], [0x01, 0x12, 3, 0, 0x0D]])
    }

    @Test func `a dynamic value goes to the application, which answers`() {
        var peer = ScriptedPeer(.with(.dynamic()))
        peer.play("← 12 03 00 01 02", "→ nothing")
        let link = peer.connection.link
        let id = GATTRequestID(rawValue: 1)
        let write = GATTWrite(handle: 3, offset: 0, value: [1, 2])
        #expect(peer.events == [.writeRequested(link, id, [write], needsResponse: true)])
        peer.respond(id, .writeNotPermitted)
        peer.play("→ 01 12 03 00 03")
    }

    @Test func `a command for a dynamic value is told and never answered`() {
        var peer = ScriptedPeer(.with(.dynamic()))
        peer.play("← 52 03 00 01", "→ nothing")
        let id = GATTRequestID(rawValue: 1)
        let write = GATTWrite(handle: 3, offset: 0, value: [1])
        #expect(peer.events == [.writeRequested(peer.connection.link, id, [write], needsResponse: false)])
        peer.respond(id, .writeNotPermitted)
        peer.play("→ nothing")
    }

    // MARK: Signed writes

    private static let csrk: UInt128 = 0x0102_0304_0506_0708_090A_0B0C_0D0E_0F10

    private func signed(_ value: [UInt8], counter: UInt32, csrk: UInt128 = csrk) -> [UInt8] {
        let message: [UInt8] = [0xD2, 3, 0] + value
        return message + ATTSignature.sign(message, csrk: csrk, counter: counter)
    }

    private func signingPeer() -> ScriptedPeer {
        var peer = ScriptedPeer(.with(.stored(0xFFF1, [0], properties: 0x42)))
        peer.connection.peerSigningKey = GATTSigningKey(csrk: Self.csrk, counter: 5)
        return peer
    }

    @Test func `A24 a signed write counts once`() {
        var peer = signingPeer()
        peer.receive(signed([7], counter: 5))
        peer.play("← 0A 03 00", "→ 0B 07", "← 12 03 00 00", "→ 13")
        peer.receive(signed([7], counter: 5))
        peer.play("← 0A 03 00", "→ 0B 00")
        #expect(peer.connection.peerSigningKey?.counter == 6)
    }

    @Test func `A24 a counter that goes back, another key and a short signature are ignored`() {
        var peer = signingPeer()
        peer.receive(signed([7], counter: 4))
        peer.receive(signed([7], counter: 9, csrk: 1))
        peer.receive(Array(signed([7], counter: 9).dropLast()))
        peer.receive([0xD2, 3, 0] + Array(repeating: 0, count: 11))
        peer.play("← 0A 03 00", "→ 0B 00")
    }

    @Test func `A24 on an encrypted link a signed write is ignored`() {
        var peer = signingPeer()
        peer.changeSecurity { $0.isEncrypted = true }
        peer.receive(signed([7], counter: 5))
        peer.play("← 0A 03 00", "→ 0B 00")
    }

    @Test func `A24 without a key a signed write is ignored`() {
        var peer = ScriptedPeer(.with(.stored(0xFFF1, [0])))
        peer.receive(signed([7], counter: 5))
        peer.play("← 0A 03 00", "→ 0B 00")
    }
}

@Suite struct PrepareQueueTests {
    private static func server() -> GATTServer {
        .with(.stored(0xFFF1, [1, 2, 3, 4, 5]), .dynamic(0xFFF2), .stored(0xFFF3, [1], .read))
    }

    @Test func `a part is echoed and written only when executed`() {
        var peer = ScriptedPeer(Self.server())
        peer.play(
            "← 16 03 00 00 00 07 08", "→ 17 03 00 00 00 07 08", "← 0A 03 00", "→ 0B 01 02 03 04 05",
            "← 16 03 00 02 00 09", "→ 17 03 00 02 00 09", "← 18 01", "→ 19", "← 0A 03 00", "→ 0B 07 08 09")
    }

    @Test func `a part behind the start goes over what is there`() {
        var peer = ScriptedPeer(Self.server())
        peer.play("← 16 03 00 01 00 09", "→ 17 03 00 01 00 09", "← 18 01", "→ 19", "← 0A 03 00", "→ 0B 01 09 03 04 05")
    }

    @Test func `a queue that is cancelled is gone`() {
        var peer = ScriptedPeer(Self.server())
        peer.play(
            "← 16 03 00 00 00 07", "→ 17 03 00 00 00 07", "← 18 00", "→ 19", "← 18 01", "→ 19", "← 0A 03 00",
            "→ 0B 01 02 03 04 05")
    }

    @Test(arguments: ["18 02", "18 FF", "18"]) func `A12 other flags are an Invalid PDU`(request: String) {
        var peer = ScriptedPeer(Self.server())
        peer.play("← " + request, "→ 01 18 00 00 04")
    }

    @Test func `A10 an offset past the end fails the execution and writes nothing`() {
        var peer = ScriptedPeer(Self.server())
        peer.play(
            "← 16 03 00 00 00 07", "→ 17 03 00 00 00 07", "← 16 03 00 F0 FF 41", "→ 17 03 00 F0 FF 41", "← 18 01",
            "→ 01 18 03 00 07", "← 0A 03 00", "→ 0B 01 02 03 04 05")
    }

    @Test func `A10 parts that pass 512 octets fail the execution`() {
        var peer = ScriptedPeer(Self.server())
        for part in 0..<29 {
            let offset = UInt16(part * 18)
            peer.receive([0x16, 3, 0, UInt8(offset & 0xFF), UInt8(offset >> 8)] + Array(repeating: 1, count: 18))
        }
        peer.sent = []
        peer.play("← 18 01", "→ 01 18 03 00 0D", "← 0A 03 00", "→ 0B 01 02 03 04 05")
    }

    @Test func `A11 the queue has a limit`() {
        var peer = ScriptedPeer(Self.server()) { $0.prepareQueueLimit = 2 }
        peer.play(
            "← 16 03 00 00 00 07", "→ 17 03 00 00 00 07", "← 16 03 00 01 00 08", "→ 17 03 00 01 00 08",
            "← 16 03 00 02 00 09", "→ 01 16 03 00 09", "← 18 01", "→ 19", "← 0A 03 00", "→ 0B 07 08")
    }

    @Test func `A14 handle and permission are judged at once`() {
        var peer = ScriptedPeer(Self.server())
        peer.play("← 16 00 00 00 00 01", "→ 01 16 00 00 01", "← 16 07 00 00 00 01", "→ 01 16 07 00 03")
    }

    @Test func `an executed queue is one request to the application`() {
        var peer = ScriptedPeer(Self.server())
        peer.play(
            "← 16 05 00 00 00 07 08", "→ 17 05 00 00 00 07 08", "← 16 05 00 02 00 09", "→ 17 05 00 02 00 09",
            "← 18 01", "→ nothing")
        let writes = [GATTWrite(handle: 5, offset: 0, value: [7, 8]), GATTWrite(handle: 5, offset: 2, value: [9])]
        let id = GATTRequestID(rawValue: 1)
        #expect(peer.events == [.writeRequested(peer.connection.link, id, writes, needsResponse: true)])
        peer.respond(id)
        peer.play("→ 19")
    }

    private static func reliable() -> GATTServer {
        .with(
            .stored(0xFFF1, [1], properties: 0x8A), .dynamic(0xFFF2, properties: 0x8A), .stored(0xFFF3, [3]))
    }

    @Test func `stored and dynamic values are written together or not at all`() {
        var peer = ScriptedPeer(Self.reliable())
        peer.application = { _ in (.writeRequestRejected, []) }
        peer.play(
            "← 16 03 00 00 00 07", "→ 17 03 00 00 00 07", "← 16 06 00 00 00 08", "→ 17 06 00 00 00 08", "← 18 01",
            "→ 01 18 06 00 FC", "← 0A 03 00", "→ 0B 01")
        peer.application = { _ in (.success, []) }
        peer.play(
            "← 16 03 00 00 00 07", "→ 17 03 00 00 00 07", "← 16 06 00 00 00 08", "→ 17 06 00 00 00 08", "← 18 01",
            "→ 19", "← 0A 03 00", "→ 0B 07")
    }

    @Test func `parts of several attributes want the reliable write property`() {
        var peer = ScriptedPeer(Self.reliable())
        peer.play(
            "← 16 03 00 00 00 07", "→ 17 03 00 00 00 07", "← 16 09 00 00 00 08", "→ 17 09 00 00 00 08", "← 18 01",
            "→ 01 18 09 00 06", "← 0A 03 00", "→ 0B 01")
    }

    @Test func `A11 and A13 the queue goes with the link`() {
        var peer = ScriptedPeer(Self.server())
        peer.play("← 16 03 00 00 00 07", "→ 17 03 00 00 00 07")
        peer.close()
        var next = ScriptedPeer(peer.server)
        next.play("← 18 01", "→ 19", "← 0A 03 00", "→ 0B 01 02 03 04 05")
    }
}
