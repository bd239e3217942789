import BLEHost
import BLEWire
import Testing

@Suite struct SequentialProtocolTests {
    @Test func `A02 an unknown request gets Request Not Supported with handle 0`() {
        var peer = ScriptedPeer()
        peer.play("← BF 00", "→ 01 BF 00 00 06")
    }

    @Test(arguments: ["← FF 00", "← 40", "← D3 01 02"]) func `A02 an unknown command is ignored`(line: String) {
        var peer = ScriptedPeer()
        peer.play(line, "→ nothing")
    }

    @Test func `an empty PDU is ignored`() {
        var peer = ScriptedPeer()
        peer.play("←  ", "→ nothing")
    }

    /// Every request with all its octets, and how few it may have.
    static let requests: [(String, Int)] = [
        ("02 17 00", 3), ("04 01 00 FF FF", 5), ("06 01 00 FF FF 00 28", 7), ("08 01 00 FF FF 03 28", 7),
        ("0A 01 00", 3), ("0C 01 00 00 00", 5), ("0E 01 00 02 00", 5), ("10 01 00 FF FF 00 28", 7), ("12 01 00", 3),
        ("16 01 00 00 00", 5), ("18 00", 2), ("20 01 00 02 00", 5),
    ]

    @Test(arguments: requests) func `A01 a request that is cut is an Invalid PDU with handle 0`(
        request: String, least: Int
    ) {
        let octets = Hex.octets(request) ?? []
        for count in 1..<least {
            var peer = ScriptedPeer()
            peer.receive(Array(octets.prefix(count)))
            #expect(peer.sent == [[0x01, octets[0], 0, 0, 0x04]], "cut to \(count)")
        }
    }

    @Test(arguments: ["02 17 00 00", "04 01 00 FF FF 00", "0A 01 00 00", "0C 01 00 00 00 00", "18 01 00"])
    func `a request with octets left over is an Invalid PDU`(request: String) {
        var peer = ScriptedPeer()
        peer.play("← " + request, "→ 01 \(request.prefix(2)) 00 00 04")
    }

    @Test(arguments: ["08 01 00 FF FF 03 28 00", "10 01 00 FF FF 00", "08 01 00 FF FF 01 02 03 04"])
    func `A04 a type of neither 2 nor 16 octets is an Invalid PDU`(request: String) {
        var peer = ScriptedPeer()
        peer.play("← " + request, "→ 01 \(request.prefix(2)) 00 00 04")
    }

    @Test func `A08 a request longer than the MTU is neither answered nor carried out`() {
        var peer = ScriptedPeer(.with(.stored()))
        peer.receive([0x12, 3, 0] + Array(repeating: 0xAA, count: 21))
        peer.play("→ nothing", "← 0A 03 00", "→ 0B 01 02 03")
    }

    @Test func `a request of exactly the MTU is carried out`() {
        var peer = ScriptedPeer(.with(.stored()))
        peer.receive([0x12, 3, 0] + Array(repeating: 0xAA, count: 20))
        peer.play("→ 13")
    }

    @Test(arguments: ["← 0B 01", "← 13", "← 01 0A 01 00 01", "← 03 17 00", "← 1E"])
    func `A18, A20 and G15 an answer to nothing is ignored`(line: String) {
        var peer = ScriptedPeer()
        peer.play(line, line, "→ nothing")
        #expect(peer.events == [])
    }

    @Test func `requests that wait for the application are answered in their order`() {
        var peer = ScriptedPeer(.with(.dynamic(), .stored(0xFFF2, [9])))
        peer.play("← 0A 03 00", "← 0A 05 00", "← 0A 05 00", "→ nothing")
        peer.respond(GATTRequestID(rawValue: 1), value: [7])
        peer.play("→ 0B 07", "→ 0B 09", "→ 0B 09")
    }

    @Test func `A09 twenty requests at once are answered one after the other`() {
        var peer = ScriptedPeer(.with(.stored(0xFFF1, [5])))
        for _ in 0..<20 { peer.receive([0x0A, 3, 0]) }
        #expect(peer.sent == Array(repeating: [0x0B, 5], count: 20))
    }

    @Test func `a flood of requests that wait is bounded`() {
        var peer = ScriptedPeer(.with(.dynamic()))
        for _ in 0..<1000 { peer.receive([0x0A, 3, 0]) }
        peer.application = { _ in (.success, [1]) }
        peer.respond(GATTRequestID(rawValue: 1), value: [1])
        #expect(peer.sent.count == 33)
    }

    @Test func `a command is not held up by a request that waits for the application`() {
        var peer = ScriptedPeer(.with(.dynamic(), .stored(0xFFF2, [])))
        peer.play("← 0A 03 00", "← 52 05 00 41", "→ nothing")
        peer.respond(GATTRequestID(rawValue: 1), value: [])
        peer.play("→ 0B", "← 0A 05 00", "→ 0B 41")
    }
}

@Suite struct TransactionTimeoutTests {
    @Test func `G09 a request without an answer for 30 seconds closes the bearer`() {
        var peer = ScriptedPeer()
        peer.start(.read(3))
        peer.play("→ 0A 03 00")
        peer.pass(.seconds(30) - .nanoseconds(1))
        #expect(peer.closed == nil)
        peer.pass(.nanoseconds(1))
        #expect(peer.closed == .attTimeout)
        #expect(peer.result() == .failure(.attTimeout))
    }

    @Test func `G09 after a time-out nothing is sent and nothing is taken`() {
        var peer = ScriptedPeer(.with(.stored()))
        peer.start(.read(3))
        peer.play("→ 0A 03 00")
        peer.pass(.seconds(30))
        peer.start(.read(4), token: 2)
        peer.start(.writeWithoutResponse(3, [1]), token: 3)
        peer.send([1], of: 3, token: 4)
        peer.play("← 0A 03 00", "← 0B 01", "→ nothing")
        #expect(peer.result(2) == .failure(.attTimeout))
        #expect(peer.result(3) == .failure(.attTimeout))
        #expect(peer.events.contains(.valueSent(peer.connection.link, OperationToken(rawValue: 4), .attTimeout)))
        #expect(peer.connection.nextDeadline == nil)
    }

    @Test func `an answer in time stops the clock`() {
        var peer = ScriptedPeer()
        peer.start(.read(3))
        peer.play("→ 0A 03 00")
        peer.pass(.seconds(29))
        peer.play("← 0B 01")
        #expect(peer.connection.nextDeadline == nil)
    }

    @Test func `every request of a procedure has its own 30 seconds`() {
        var peer = ScriptedPeer()
        peer.start(.discoverServices(nil))
        for handle in UInt8(1)...5 {
            #expect(peer.sent == [[0x10, handle, 0, 0xFF, 0xFF, 0, 0x28]])
            peer.sent = []
            peer.pass(.seconds(29))
            peer.receive([0x11, 6, handle, 0, handle, 0, 0x0D, 0x18])
        }
        #expect(peer.closed == nil)
    }

    @Test func `A19 an indication without a confirmation for 30 seconds closes the bearer`() {
        var peer = ScriptedPeer()
        peer.send([1], of: 3, indicate: true)
        peer.play("→ 1D 03 00 01")
        peer.pass(.seconds(30))
        #expect(peer.closed == .attTimeout)
        #expect(peer.events == [.valueSent(peer.connection.link, OperationToken(rawValue: 1), .attTimeout)])
    }

    @Test func `everything that waits ends with the link, in order`() {
        var peer = ScriptedPeer()
        peer.start(.read(3), token: 1)
        peer.start(.read(4), token: 2)
        peer.close(.remoteUserTerminated)
        let link = peer.connection.link
        let reason = Result<GATTOutcome, HostError>.failure(.disconnected(.remoteUserTerminated))
        #expect(
            peer.events == [
                .gattCompleted(link, OperationToken(rawValue: 1), reason),
                .gattCompleted(link, OperationToken(rawValue: 2), reason),
            ])
    }
}

@Suite struct MTUExchangeTests {
    @Test func `the server answers with its own and the smaller one counts`() {
        var peer = ScriptedPeer()
        peer.play("← 02 B9 00", "→ 03 F7 00")
        #expect(peer.connection.attMTU == 185)
        #expect(peer.events == [.attMTUChanged(peer.connection.link, 185)])
    }

    @Test(arguments: ["16 00", "00 00", "01 00"]) func `A07 the MTU is never below 23`(wanted: String) {
        var peer = ScriptedPeer()
        peer.play("← 02 " + wanted, "→ 03 F7 00")
        #expect(peer.connection.attMTU == 23)
        #expect(peer.events == [])
    }

    @Test func `A07 a second request is answered and changes nothing`() {
        var peer = ScriptedPeer()
        peer.play("← 02 B9 00", "→ 03 F7 00", "← 02 17 00", "→ 03 F7 00", "← 02 FF FF", "→ 03 F7 00")
        #expect(peer.connection.attMTU == 185)
    }

    @Test func `G15 the client asks once`() {
        var peer = ScriptedPeer()
        peer.start(.exchangeMTU(247), token: 1)
        peer.play("→ 02 F7 00", "← 03 FF FF")
        peer.start(.exchangeMTU(247), token: 2)
        peer.play("→ nothing")
        #expect(peer.result(1) == .success(.mtu(247)))
        #expect(peer.result(2) == .success(.mtu(247)))
    }

    @Test func `a server that can't leaves the MTU at 23`() {
        var peer = ScriptedPeer()
        peer.start(.exchangeMTU(247))
        peer.play("→ 02 F7 00", "← 01 02 00 00 06")
        #expect(peer.connection.attMTU == 23)
        #expect(peer.result() == .failure(.att(.requestNotSupported)))
    }

    @Test func `G15 a server that says 0 leaves the MTU at 23`() {
        var peer = ScriptedPeer()
        peer.start(.exchangeMTU(247))
        peer.play("→ 02 F7 00", "← 03 00 00")
        #expect(peer.result() == .success(.mtu(23)))
    }

    @Test func `both sides ask and the result is the same`() {
        var peer = ScriptedPeer()
        peer.start(.exchangeMTU(247))
        peer.play("→ 02 F7 00", "← 02 64 00", "→ 03 F7 00", "← 03 64 00")
        #expect(peer.connection.attMTU == 100)
    }

    @Test func `A07 a request that waits for the application is answered under the new MTU`() {
        var peer = ScriptedPeer(.with(.dynamic()))
        peer.play("← 0A 03 00", "← 02 64 00", "→ 03 F7 00")
        peer.respond(GATTRequestID(rawValue: 1), value: Array(repeating: 7, count: 120))
        #expect(peer.sent.map(\.count) == [100])
    }

    @Test func `a long read goes on where the MTU grew between request and answer`() {
        var peer = ScriptedPeer()
        peer.start(.readLong(3))
        peer.play("→ 0A 03 00", "← 02 64 00", "→ 03 F7 00")
        // The peer had answered before it knew of the new MTU: 22 octets, cut at 23.
        peer.receive([0x0B] + Array(repeating: 1, count: 22))
        peer.play("→ 0C 03 00 16 00", "← 0D 02")
        #expect(peer.result() == .success(.value(Array(repeating: 1, count: 22) + [2])))
    }
}
