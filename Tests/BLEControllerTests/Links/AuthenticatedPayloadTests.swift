import BLEController
import BLEWire
import Testing

/// LE Ping and the authenticated payload time-out. [Vol 6, Part B, 4.6.5]
@Suite struct AuthenticatedPayloadTests {
    private func expiries(_ pair: Pair, _ id: ControllerID) -> [Instant] {
        pair.radio.timedEvents(id).compactMap { time, event in
            if case .authenticatedPayloadTimeoutExpired = event { time } else { nil }
        }
    }

    private func wantsExpiry(_ pair: inout Pair, _ id: ControllerID) {
        pair.radio.send(HCISetEventMaskPage2(mask: .authenticatedPayloadTimeoutExpired), to: id)
    }

    @discardableResult
    private func setTimeout(_ pair: inout Pair, _ units: UInt16) -> HCIStatus? {
        pair.radio.status(HCIWriteAuthenticatedPayloadTimeout(handle: pair.own, timeout: units), to: pair.central)
    }

    /// Encrypted packets that are no data: one octet and its check.
    private func pings(_ pair: Pair) -> [AirPacket.Direction] {
        pair.radio.linkPackets.filter { $0.pdu[0] & 3 == 3 && $0.pdu.count == 7 }.map(\.direction)
    }

    @Test func `an idle encrypted link is pinged before its time-out, and no host hears of anything`() throws {
        var pair = try Pair()
        wantsExpiry(&pair, pair.central)
        wantsExpiry(&pair, pair.peripheral)
        try pair.encrypt()
        pair.radio.clear()
        pair.radio.run(.seconds(22))
        #expect(pings(pair).isEmpty)
        pair.radio.run(.seconds(2))
        // Whoever asks first has asked for both.
        #expect(Set(pings(pair)).count == 2)
        #expect(pings(pair).count <= 4)
        pair.radio.run(.seconds(100))
        #expect(pings(pair).count >= 8)
        #expect(expiries(pair, pair.central).isEmpty && expiries(pair, pair.peripheral).isEmpty)
        #expect(pair.reasons(pair.central).isEmpty)
    }

    @Test func `a link with traffic isn't pinged, and neither is one that isn't encrypted`() throws {
        var pair = try Pair()
        pair.radio.run(.seconds(60))
        #expect(pair.opcodes.isEmpty)
        try pair.encrypt()
        pair.radio.clear()
        for _ in 0..<30 {
            pair.expectExchange()
            pair.radio.run(.seconds(2))
        }
        #expect(pings(pair).isEmpty)
    }

    @Test func `a peer that isn't heard for the time-out makes the host hear of it, again and again`() throws {
        var pair = try Pair(timeout: 3200)
        wantsExpiry(&pair, pair.central)
        try pair.encrypt()
        setTimeout(&pair, 100)
        pair.radio.clear()
        let start = pair.radio.now
        pair.radio.radio.setLoss(1, between: pair.central, and: pair.peripheral)
        pair.radio.run(.milliseconds(3500))
        let times = expiries(pair, pair.central)
        #expect(times.count == 3)
        #expect(times.allSatisfy { $0 > start })
        #expect(pair.reasons(pair.central).isEmpty)
    }

    @Test func `who doesn't ask for the event by the second mask doesn't get it`() throws {
        var pair = try Pair(timeout: 3200)
        try pair.encrypt()
        setTimeout(&pair, 100)
        pair.radio.radio.setLoss(1, between: pair.central, and: pair.peripheral)
        pair.radio.run(.seconds(5))
        #expect(expiries(pair, pair.central).isEmpty)
    }

    @Test func `the time-out is 30 s at first, is read back, and isn't shorter than the peer may be silent`() throws {
        var pair = try Pair(interval: 80, latency: 3)
        let read = HCIReadAuthenticatedPayloadTimeout(handle: pair.own)
        func value() -> UInt16? {
            guard case .commandComplete(let event)? = pair.radio.send(read, to: pair.central).first else { return nil }
            return try? event.returned(by: HCIReadAuthenticatedPayloadTimeout.self).timeout
        }
        #expect(value() == 3000)
        // 100 ms in four events.
        #expect(setTimeout(&pair, 39) == .invalidParameters)
        #expect(value() == 3000)
        #expect(setTimeout(&pair, 40) == .success)
        #expect(value() == 40)
        let unknown = HCIWriteAuthenticatedPayloadTimeout(handle: ConnectionHandle(rawValue: 0x0EFF), timeout: 100)
        #expect(pair.radio.status(unknown, to: pair.central) == .unknownConnectionIdentifier)
    }

    @Test func `a peer of 4.0 doesn't know the ping, and its refusal counts as an answer`() throws {
        var pair = try Pair(peripheral: { $0.version = 6 })
        wantsExpiry(&pair, pair.central)
        try pair.encrypt()
        pair.radio.clear()
        pair.radio.run(.seconds(120))
        #expect(expiries(pair, pair.central).isEmpty)
        #expect(pair.reasons(pair.central).isEmpty)
    }
}
