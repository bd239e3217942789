import BLEBackend
import BLEHost
import BLERuntime
import BLEWire
import Testing

@Suite struct AdapterStateTests {
    let band = CoreFixture.band
    let link = CoreFixture.link

    @Test func `a session is told the state when it is known`() {
        var fixture = CoreFixture()
        let early = fixture.open(.central)
        #expect(fixture.takeEvents(early) == [])
        fixture.powerOn()
        let late = fixture.open(.peripheral)
        #expect(fixture.takeEvents(early) == [.stateChanged(.poweredOn)])
        #expect(fixture.takeEvents(late) == [.stateChanged(.poweredOn)])
    }

    @Test func `the first state told is poweredOn, even if the transport is there before anything is decided`() {
        var fixture = CoreFixture()
        let session = fixture.open(.central)
        fixture.core.transportChanged(nil)
        fixture.host(.stateChanged(.poweredOff))
        #expect(fixture.takeEvents(session) == [])
        fixture.powerOn()
        #expect(fixture.takeEvents(session) == [.stateChanged(.poweredOn)])
    }

    @Test func `a radio that is off from the start is told so`() {
        var fixture = CoreFixture()
        let session = fixture.open(.central)
        fixture.core.transportChanged(nil)
        #expect(fixture.core.takeBatches().isEmpty)
        fixture.core.perform(.condition(.off))
        #expect(fixture.core.takeBatches().flatMap(\.events) == [.stateChanged(.poweredOff)])
        _ = session
    }

    @Test func `switching off ends links silently`() {
        var (fixture, session) = CoreFixture.on(.central)
        fixture.connect(session)
        fixture.core.perform(.condition(.off))
        fixture.host(.disconnected(link, band, reason: .localHostTerminated))
        fixture.host(.stateChanged(.poweredOff))
        #expect(fixture.takeCommands() == [.powerOff])
        #expect(fixture.takeEvents(session) == [.stateChanged(.poweredOff)])
        #expect(fixture.changes.contains(.linkDown(fixture.peer(band))))
    }

    @Test func `switching off and on again is told when the host is ready`() {
        var (fixture, session) = CoreFixture.on(.central)
        fixture.core.perform(.condition(.off))
        fixture.core.perform(.condition(.on))
        fixture.host(.stateChanged(.poweredOff))
        #expect(fixture.takeEvents(session) == [.stateChanged(.poweredOff)])
        fixture.host(.stateChanged(.poweredOn))
        #expect(fixture.takeEvents(session) == [.stateChanged(.poweredOn)])
    }

    @Test func `a reset tells of each link before the state`() {
        var (fixture, session) = CoreFixture.on(.central)
        fixture.connect(session)
        fixture.host(.stateChanged(.resetting(.transport("gone"))))
        fixture.host(.disconnected(link, band, reason: .hardwareFailure))
        fixture.host(.stateChanged(.poweredOn))
        let events = fixture.takeEvents(session)
        guard case .disconnected(fixture.peer(band), let error?, reconnecting: false) = events.first else {
            Issue.record("no disconnection")
            return
        }
        #expect(error.cause == .connectionFailed)
        #expect(events.dropFirst() == [.stateChanged(.resetting), .stateChanged(.poweredOn)])
    }

    @Test func `the scan doesn't survive`() {
        var (fixture, session) = CoreFixture.on(.central)
        fixture.perform(.startScan(ScanRequest()), in: session)
        fixture.host(.stateChanged(.resetting(.transport("gone"))))
        fixture.host(.stateChanged(.poweredOn))
        fixture.discard()
        fixture.host(.advertisingReport(.of(band, [])))
        #expect(fixture.takeEvents(session) == [])
        fixture.perform(.startScan(ScanRequest()), in: session)
        #expect(fixture.takeCommands() == [.startScanning(ScanSettings())])
    }

    @Test(arguments: [
        (TransportFailure.unauthorized, AdapterState.unauthorized), (.unsupported, .unsupported),
    ])
    func `no transport is a state of its own`(failure: TransportFailure, state: AdapterState) {
        var fixture = CoreFixture()
        let session = fixture.open(.central)
        fixture.core.transportChanged(failure)
        fixture.core.perform(.condition(.on))
        #expect(fixture.core.takeBatches().flatMap(\.events) == [.stateChanged(state)])
        _ = session
    }

    @Test func `rights that are taken away and given back`() {
        var (fixture, session) = CoreFixture.on(.central)
        fixture.core.perform(.condition(.unauthorized))
        fixture.host(.stateChanged(.poweredOff))
        fixture.core.perform(.condition(.on))
        fixture.host(.stateChanged(.poweredOn))
        #expect(fixture.takeCommands() == [.powerOff, .powerOn])
        #expect(fixture.takeEvents(session) == [.stateChanged(.unauthorized), .stateChanged(.poweredOn)])
    }

    @Test func `a controller that can't be used is unsupported`() {
        var fixture = CoreFixture()
        let session = fixture.open(.central)
        fixture.core.perform(.condition(.on))
        fixture.host(.stateChanged(.unsupported(.commandTimeout(opcode: 0x0C03))))
        #expect(fixture.takeEvents(session) == [.stateChanged(.unsupported)])
    }
}
