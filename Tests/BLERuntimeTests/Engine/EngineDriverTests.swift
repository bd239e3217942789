import BLERuntime
import BLETestSupport
import BLETransport
import BLEWire
import Testing

private let reset: [UInt8] = [0x01, 0x03, 0x0C, 0x00]
private let event: [UInt8] = [0x04, 0xFF, 0x01, 0x07]

private func refusal(_ kind: TransportError.Kind) -> TransportError {
    TransportError(kind, layer: "scripted", cause: "no \(kind)", remedy: "none")
}

@Suite struct EngineDriverTests {
    private let host = ScriptedHost()
    private let failures = Recorder<TransportError>()

    private func engine(_ opener: ScriptedOpener) -> EngineDriver {
        EngineDriver(host: host, opener: opener) { [failures] in failures.record($0) }
    }

    @Test func `tells the host that the transport is open, and then drains it`() async throws {
        let engine = engine(ScriptedOpener())
        defer { engine.stop() }
        engine.start()
        let calls = try await host.calls.wait { $0.count >= 2 }
        #expect(calls == [.opened, .drained(due: false)])
    }

    @Test func `doesn't drain the host before it knows about the transport`() async throws {
        let engine = engine(ScriptedOpener())
        defer { engine.stop() }
        engine.wake()
        engine.start()
        let calls = try await host.calls.wait { $0.count >= 2 }
        #expect(calls.first == .opened)
    }

    @Test func `sends all packets of one drain in one write`() async throws {
        let opener = ScriptedOpener()
        let engine = engine(opener)
        defer { engine.stop() }
        host.send([reset, reset, event])
        engine.start()
        try await host.calls.contains(.drained(due: false))
        #expect(opener.opened[0].readRecord() == reset + reset + event)
    }

    @Test func `hands the packets of one drain over together and writes the answers at once`() async throws {
        let opener = ScriptedOpener()
        let engine = engine(opener)
        defer { engine.stop() }
        host.setEchoes(true)
        engine.start()
        try await host.calls.contains(.opened)
        opener.opened[0].write(event + event)
        try await host.calls.contains(.received([event, event]))
        #expect(opener.opened[0].readRecord() == event + event)
    }

    @Test func `drains when it's woken`() async throws {
        let opener = ScriptedOpener()
        let engine = engine(opener)
        defer { engine.stop() }
        engine.start()
        try await host.calls.contains(.opened)
        host.send([reset])
        engine.wake()
        #expect(opener.opened[0].readRecord() == reset)
    }

    @Test func `drains when the deadline has come`() async throws {
        host.setDeadline(Instant(nanoseconds: 50_000_000))
        let engine = engine(ScriptedOpener())
        defer { engine.stop() }
        engine.start()
        try await host.calls.contains(.drained(due: true))
    }

    @Test func `follows a deadline that has moved`() async throws {
        host.setDeadline(Instant(nanoseconds: 3_600_000_000_000))
        let engine = engine(ScriptedOpener())
        defer { engine.stop() }
        engine.start()
        try await host.calls.contains(.opened)
        host.setDeadline(Instant(nanoseconds: 1))
        engine.wake()
        try await host.calls.contains(.drained(due: true))
    }

    @Test func `delivers what came before the loss, tells of it, and opens anew`() async throws {
        let opener = ScriptedOpener()
        let engine = engine(opener)
        defer { engine.stop() }
        engine.start()
        try await host.calls.contains(.opened)
        opener.opened[0].write(event)
        opener.opened[0].close()
        let calls = try await host.calls.wait { calls in calls.filter { $0 == .opened }.count == 2 }
        let told = calls.filter { if case .drained = $0 { false } else { true } }
        #expect(told == [.opened, .received([event]), .closed("the other side closed"), .opened])
    }

    @Test func `tells why the transport can't be opened, once for the same cause, and goes on trying`() async throws {
        let unavailable = refusal(.unavailable)
        let engine = engine(ScriptedOpener(failures: [unavailable, unavailable, unavailable]))
        defer { engine.stop() }
        engine.start()
        let calls = try await host.calls.wait { $0.contains(.opened) }
        #expect(calls.contains(.failed(.unsupported)))
        #expect(failures.all == [unavailable])
    }

    @Test func `goes to unauthorized where a right is missing`() async throws {
        let engine = engine(ScriptedOpener(failures: [refusal(.unauthorized)]))
        defer { engine.stop() }
        engine.start()
        try await host.calls.contains(.failed(.unauthorized))
    }

    @Test func `closes on octets that aren't H4 and opens anew`() async throws {
        let opener = ScriptedOpener()
        let engine = engine(opener)
        defer { engine.stop() }
        engine.start()
        try await host.calls.contains(.opened)
        opener.opened[0].write([0xFF, 0xFF])
        try await host.calls.contains(.closed("0xFF came where an H4 packet indicator belongs"))
        try await host.calls.wait { calls in calls.filter { $0 == .opened }.count == 2 }
    }
}

@Suite struct ReconnectPolicyTests {
    @Test(arguments: [(1, 10), (2, 20), (3, 40), (4, 80), (5, 100), (60, 100)])
    func `waits twice as long after each failure, up to the longest`(failures: Int, milliseconds: Int64) {
        let policy = ReconnectPolicy(first: .milliseconds(10), longest: .milliseconds(100))
        #expect(policy.delay(afterFailures: failures) == .milliseconds(milliseconds))
    }
}
