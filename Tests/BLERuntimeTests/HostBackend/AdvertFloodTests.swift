import BLEBackend
import BLEHost
import BLERuntime
import BLEWire
import Testing

/// Floods of advertisements, and devices that pass themselves off as others: P02, P03, P04 and P10.
@Suite struct AdvertFloodTests {
    private let band = CoreFixture.band
    private let name: [UInt8] = [9, 0x09] + Array("OBand-75".utf8)
    private let heartRate: [UInt8] = [3, 0x03, 0x0D, 0x18]

    /// Each flood: proximity pairing, nearby action, fast pairing and swift pairing.
    private static let floods = [
        "1E FF 4C 00 07 19 07 0E 20 75 AA 30 01 00 00 45 12 12 12 00 00 00 00 00 00 00 00 00 00 00 00",
        "16 FF 4C 00 04 04 2A 00 00 00 0F 05 C1 09 60 4C 95 00 00 10 00 00 00",
        "03 03 2C FE 06 16 2C FE 00 B7 27 02 0A F4", "0A FF 06 00 03 00 80 41 42 43 44",
    ]

    private static func stranger(_ number: Int) -> DeviceAddress {
        DeviceAddress(0xC100_0000_0000 | UInt64(number), .randomDevice)
    }

    private static func scanning(
        peers: Int = 65_536, allowDuplicates: Bool = false
    ) -> (CoreFixture, SessionID) {
        var fixture = CoreFixture(peers: peers)
        fixture.powerOn()
        let session = fixture.open(.central)
        fixture.perform(.startScan(ScanRequest(allowDuplicates: allowDuplicates)), in: session)
        fixture.discard()
        return (fixture, session)
    }

    @Test(arguments: floods) func `P02 pairing offers from ever new addresses are reports and no more`(
        _ hex: String
    ) throws {
        let data = try #require(Hex.octets(hex))
        var (fixture, session) = Self.scanning()
        for number in 0..<500 { fixture.host(.advertisingReport(.of(Self.stranger(number), data))) }
        let events = fixture.takeEvents(session)
        #expect(events.count == 500)
        #expect(events.allSatisfy { if case .discovered = $0 { true } else { false } })
        // Nothing is connected, paired or asked of anybody.
        #expect(fixture.takeCommands().isEmpty)
        #expect(fixture.traces.isEmpty)
    }

    @Test(arguments: [false, true]) func `P03 what was heard has a limit and an age; who is connected stays`(
        allowDuplicates: Bool
    ) {
        var (fixture, session) = Self.scanning(peers: 256, allowDuplicates: allowDuplicates)
        fixture.host(.advertisingReport(.of(CoreFixture.lock, name)))
        fixture.host(.advertisingReport(.of(band, heartRate)))
        fixture.connect(session, to: band)
        let held = fixture.peer(band)
        let first = fixture.peer(CoreFixture.lock)
        for number in 0..<6000 {
            fixture.host(.advertisingReport(.of(Self.stranger(number), [2, 1, 6])))
            if number % 1000 == 0 { _ = fixture.takeEvents(session) }
        }
        #expect(fixture.core.heardCount <= 4096)
        #expect(fixture.store.address(of: first) == nil)
        #expect(fixture.store.address(of: held) == band)
        #expect(fixture.peer(band) == held)
        fixture.discard()
        // One that was forgotten is told anew, under the same identifier.
        fixture.host(.advertisingReport(.of(CoreFixture.lock, name)))
        guard case .discovered(first, "OBand-75", _, _) = fixture.takeEvents(session).last else {
            Issue.record("not discovered again")
            return
        }
        fixture.host(.disconnected(CoreFixture.link, band, reason: .remoteUserTerminated))
        guard case .disconnected(held, _, reconnecting: false)? = fixture.takeEvents(session).last else {
            Issue.record("the connection wasn't kept")
            return
        }
    }

    @Test func `P04 the same advertisement ten thousand times is one callback, and one with the scan response`() {
        var (fixture, session) = Self.scanning()
        for _ in 0..<5000 { fixture.host(.advertisingReport(.of(band, heartRate))) }
        #expect(fixture.takeEvents(session).count == 1)
        for _ in 0..<5000 {
            fixture.host(.advertisingReport(.of(band, heartRate)))
            fixture.host(.advertisingReport(.of(band, name, isScanResponse: true)))
        }
        let events = fixture.takeEvents(session)
        #expect(events.count == 1)
        guard case .discovered(_, _, let merged, _) = events.last else {
            Issue.record("not discovered")
            return
        }
        #expect(merged.localName == "OBand-75" && merged.services == [0x180D])
    }

    @Test func `P04 with duplicates allowed each is delivered, merged with the scan response`() {
        var (fixture, session) = Self.scanning(allowDuplicates: true)
        fixture.host(.advertisingReport(.of(band, name, isScanResponse: true)))
        fixture.discard()
        for _ in 0..<10_000 { fixture.host(.advertisingReport(.of(band, heartRate))) }
        let events = fixture.takeEvents(session)
        #expect(events.count == 10_000)
        guard case .discovered(_, _, let merged, _) = events.last else {
            Issue.record("not discovered")
            return
        }
        #expect(merged.localName == "OBand-75" && merged.services == [0x180D])
    }

    @Test func `P10 a clone with the same name and services is another peripheral`() {
        var (fixture, session) = Self.scanning()
        fixture.host(.advertisingReport(.of(band, name + heartRate)))
        let original = fixture.peer(band)
        fixture.connect(session, to: band)
        fixture.host(
            .bondChanged(
                Bond(
                    peer: band,
                    strength: PairingStrength(isAuthenticated: false, isSecureConnections: true, keySize: 16))))
        fixture.discard()
        let clones = [
            Self.stranger(1), DeviceAddress(band.bits, .publicDevice), DeviceAddress(0x4012_3456_789A, .randomDevice),
        ]
        for clone in clones {
            fixture.host(.advertisingReport(.of(clone, name + heartRate)))
            guard case .discovered(let peer, _, _, _) = fixture.takeEvents(session).last else {
                Issue.record("not discovered")
                return
            }
            #expect(peer != original)
            #expect(fixture.store.address(of: peer) == clone)
        }
        #expect(fixture.store.address(of: original) == band)
        // Nor does a connection to one touch the other's bond.
        fixture.perform(.connect(fixture.peer(clones[0]), ConnectOptions()), in: session)
        fixture.host(.connected(.made(ConnectionHandle(rawValue: 2), clones[0])))
        #expect(fixture.bonds.bonds.map(\.peer) == [band])
        #expect(fixture.peer(clones[0]) != original)
    }

    @Test func `P09 a thousand centrals that come and go leave no timer and nothing to do`() {
        var (fixture, _) = CoreFixture.on(.peripheral, policies: true)
        for number in 0..<1000 {
            let link = ConnectionHandle(rawValue: UInt16(number % 8) + 1)
            fixture.connectCentral(Self.stranger(number), link: link)
            fixture.host(.disconnected(link, Self.stranger(number), reason: .connectionTimeout))
            fixture.discard()
        }
        while fixture.core.nextDeadline != nil { fixture.advance() }
        #expect(fixture.takeCommands().isEmpty)
    }

    @Test func `P12 a passkey that is shown to nobody isn't in the log`() {
        var (fixture, session) = CoreFixture.on(.central)
        fixture.connect(session)
        for question in [PairingQuestion.displayPasskey(123_456), .compare(123_456), .enterPasskey, .replaceBond] {
            fixture.host(.pairingAsked(CoreFixture.link, question))
        }
        fixture.host(.pairingEnded(CoreFixture.link, .failure(.pairing(.timeout))))
        #expect(fixture.traces.count == 5)
        #expect(!fixture.traces.contains { $0.message.contains("123") })
    }
}
