import BLEBackend
import BLEHost
import BLERuntime
import BLEWire
import Testing

@Suite struct ConnectingTests {
    let band = CoreFixture.band
    let link = CoreFixture.link
    let settings = ConnectionSettings()

    @Test func `a connection is made once for all sessions that wait for it`() {
        var (fixture, first) = CoreFixture.on(.central)
        let second = fixture.open(.central)
        let peer = fixture.peer(band)
        fixture.perform(.connect(peer, ConnectOptions()), in: first)
        fixture.perform(.connect(peer, ConnectOptions()), in: second)
        #expect(fixture.takeCommands() == [.connect(band, settings)])
        fixture.discard()
        fixture.host(.connected(.made(link, band)))
        #expect(fixture.takeEvents(first) == [.connected(peer)])
        #expect(fixture.takeEvents(second) == [.connected(peer)])
    }

    @Test func `a peer that was never met is an unknown device`() {
        var (fixture, session) = CoreFixture.on(.central)
        let stranger = PeerID(bits: 7)
        fixture.perform(.connect(stranger, ConnectOptions()), in: session)
        #expect(fixture.takeEvents(session) == [.connectFailed(stranger, BackendError(.unknownDevice))])
    }

    @Test func `connecting once more is told without traffic`() {
        var (fixture, session) = CoreFixture.on(.central)
        fixture.connect(session)
        fixture.perform(.connect(fixture.peer(band), ConnectOptions()), in: session)
        #expect(fixture.takeCommands() == [])
        #expect(fixture.takeEvents(session) == [.connected(fixture.peer(band))])
    }

    @Test func `another session joins the link that is there`() {
        var (fixture, first) = CoreFixture.on(.central)
        let second = fixture.open(.central)
        fixture.connect(first)
        fixture.perform(.connect(fixture.peer(band), ConnectOptions()), in: second)
        #expect(fixture.takeCommands() == [])
        #expect(fixture.takeEvents(second) == [.connected(fixture.peer(band))])
        #expect(fixture.takeEvents(first) == [])
    }

    @Test func `the link stays while another session uses it`() {
        var (fixture, first) = CoreFixture.on(.central)
        let second = fixture.open(.central)
        let peer = fixture.peer(band)
        fixture.connect(first)
        fixture.perform(.connect(peer, ConnectOptions()), in: second)
        fixture.discard()
        fixture.perform(.disconnect(peer), in: first)
        #expect(fixture.takeCommands() == [])
        #expect(fixture.takeEvents(first) == [.disconnected(peer, nil, reconnecting: false)])
        fixture.perform(.disconnect(peer), in: second)
        #expect(fixture.takeCommands() == [.disconnect(link, reason: .remoteUserTerminated)])
        #expect(fixture.takeEvents(second) == [])
        fixture.host(.disconnected(link, band, reason: .localHostTerminated))
        #expect(fixture.takeEvents(second) == [.disconnected(peer, nil, reconnecting: false)])
    }

    @Test func `a pending connection that is cancelled is disconnected without an error`() {
        var (fixture, session) = CoreFixture.on(.central)
        let peer = fixture.peer(band)
        fixture.perform(.connect(peer, ConnectOptions()), in: session)
        fixture.discard()
        fixture.perform(.disconnect(peer), in: session)
        #expect(fixture.takeCommands() == [.cancelConnect(band)])
        fixture.host(.connectFailed(band, .cancelled))
        #expect(fixture.takeEvents(session) == [.disconnected(peer, nil, reconnecting: false)])
    }

    @Test func `a link that comes when nobody wants it any more is ended`() {
        var (fixture, session) = CoreFixture.on(.central)
        fixture.perform(.connect(fixture.peer(band), ConnectOptions()), in: session)
        fixture.perform(.disconnect(fixture.peer(band)), in: session)
        fixture.discard()
        fixture.host(.connected(.made(link, band)))
        #expect(fixture.takeCommands() == [.disconnect(link, reason: .remoteUserTerminated)])
        #expect(fixture.takeEvents(session) == [])
    }

    @Test(arguments: [
        (HostError.hci(.failedToBeEstablished), BackendError.Cause.connectionFailed),
        (.hci(.connectionLimitExceeded), .connectionLimitReached),
        (.hci(.rejectedLimitedResources), .connectionLimitReached),
        (.hci(.connectionTimeout), .connectionTimeout),
        (.hci(.commandDisallowed), .connectionFailed),
    ])
    func `a connection that isn't made fails with its cause`(error: HostError, cause: BackendError.Cause) {
        var (fixture, session) = CoreFixture.on(.central)
        let peer = fixture.peer(band)
        fixture.perform(.connect(peer, ConnectOptions()), in: session)
        fixture.host(.connectFailed(band, error))
        guard case .connectFailed(peer, let failure) = fixture.takeEvents(session).last else {
            Issue.record("no failure")
            return
        }
        #expect(failure.cause == cause)
    }

    @Test(arguments: [
        (HCIStatus.remoteUserTerminated, BackendError.Cause.peripheralDisconnected),
        (.remotePowerOff, .peripheralDisconnected),
        (.remoteLowResources, .peripheralDisconnected),
        (.connectionTimeout, .connectionTimeout),
        (.llResponseTimeout, .connectionTimeout),
        (.pinOrKeyMissing, .peerRemovedPairingInformation),
        (.failedToBeEstablished, .connectionFailed),
        (.micFailure, .connectionFailed),
    ])
    func `a link that ends by itself is told with its cause`(reason: HCIStatus, cause: BackendError.Cause) {
        var (fixture, session) = CoreFixture.on(.central)
        fixture.connect(session)
        fixture.host(.disconnected(link, band, reason: reason))
        guard case .disconnected(_, let error?, reconnecting: false) = fixture.takeEvents(session).last else {
            Issue.record("no disconnection")
            return
        }
        #expect(error.cause == cause)
    }

    @Test func `a start delay is waited for`() {
        var (fixture, session) = CoreFixture.on(.central)
        fixture.perform(.connect(fixture.peer(band), ConnectOptions(startDelay: 3)), in: session)
        #expect(fixture.takeCommands() == [])
        #expect(fixture.core.nextDeadline == .start + .seconds(3))
        fixture.advance()
        #expect(fixture.takeCommands() == [.connect(band, settings)])
    }

    @Test func `a start delay that is called off doesn't connect`() {
        var (fixture, session) = CoreFixture.on(.central)
        let peer = fixture.peer(band)
        fixture.perform(.connect(peer, ConnectOptions(startDelay: 3)), in: session)
        fixture.perform(.disconnect(peer), in: session)
        #expect(fixture.core.nextDeadline == nil)
        #expect(fixture.takeEvents(session) == [.disconnected(peer, nil, reconnecting: false)])
    }

    @Test func `automatic reconnection tells of the loss and of the new connection`() {
        var (fixture, session) = CoreFixture.on(.central)
        let peer = fixture.peer(band)
        fixture.perform(.connect(peer, ConnectOptions(autoReconnect: true)), in: session)
        fixture.host(.connected(.made(link, band)))
        fixture.discard()
        fixture.host(.disconnected(link, band, reason: .connectionTimeout))
        #expect(fixture.takeCommands() == [.connect(band, settings)])
        guard case .disconnected(peer, _?, reconnecting: true) = fixture.takeEvents(session).last else {
            Issue.record("not reconnecting")
            return
        }
        fixture.host(.connected(.made(link, band)))
        #expect(fixture.takeEvents(session) == [.connected(peer)])
    }

    @Test func `automatic reconnection goes on after a failure, ever later`() {
        var (fixture, session) = CoreFixture.on(.central)
        fixture.perform(.connect(fixture.peer(band), ConnectOptions(autoReconnect: true)), in: session)
        fixture.host(.connected(.made(link, band)))
        fixture.host(.disconnected(link, band, reason: .connectionTimeout))
        fixture.discard()
        var pauses: [Delay] = []
        for _ in 0..<3 {
            fixture.host(.connectFailed(band, .hci(.failedToBeEstablished)))
            let before = fixture.core.now
            fixture.advance()
            pauses.append(fixture.core.now - before)
        }
        #expect(pauses == [.seconds(1), .seconds(2), .seconds(4)])
        #expect(fixture.takeEvents(session) == [])
        #expect(fixture.takeCommands().count == 3)
    }

    @Test func `our own wish to disconnect isn't followed by a reconnection`() {
        var (fixture, session) = CoreFixture.on(.central)
        let peer = fixture.peer(band)
        fixture.perform(.connect(peer, ConnectOptions(autoReconnect: true)), in: session)
        fixture.host(.connected(.made(link, band)))
        fixture.perform(.disconnect(peer), in: session)
        fixture.discard()
        fixture.host(.disconnected(link, band, reason: .localHostTerminated))
        #expect(fixture.takeCommands() == [])
        #expect(fixture.takeEvents(session) == [.disconnected(peer, nil, reconnecting: false)])
    }

    @Test func `the end of a connection is told before the next one that was asked for meanwhile`() {
        var (fixture, session) = CoreFixture.on(.central)
        let peer = fixture.peer(band)
        fixture.connect(session)
        fixture.perform(.disconnect(peer), in: session)
        fixture.perform(.connect(peer, ConnectOptions()), in: session)
        #expect(fixture.takeEvents(session) == [])
        fixture.host(.disconnected(link, band, reason: .localHostTerminated))
        fixture.host(.connected(.made(link, band)))
        #expect(fixture.takeEvents(session) == [.disconnected(peer, nil, reconnecting: false), .connected(peer)])
    }

    @Test func `disconnecting, connecting and disconnecting again tells of one end`() {
        var (fixture, session) = CoreFixture.on(.central)
        let peer = fixture.peer(band)
        fixture.connect(session)
        fixture.perform(.disconnect(peer), in: session)
        fixture.perform(.connect(peer, ConnectOptions()), in: session)
        fixture.perform(.disconnect(peer), in: session)
        fixture.host(.disconnected(link, band, reason: .localHostTerminated))
        #expect(fixture.takeEvents(session) == [.disconnected(peer, nil, reconnecting: false)])
        #expect(fixture.takeCommands() == [.disconnect(link, reason: .remoteUserTerminated)])
    }

    @Test func `connecting while the old link ends waits for its end`() {
        var (fixture, session) = CoreFixture.on(.central)
        let peer = fixture.peer(band)
        fixture.connect(session)
        fixture.perform(.disconnect(peer), in: session)
        let second = fixture.open(.central)
        fixture.discard()
        fixture.perform(.connect(peer, ConnectOptions()), in: second)
        #expect(fixture.takeCommands() == [])
        fixture.host(.disconnected(link, band, reason: .localHostTerminated))
        #expect(fixture.takeCommands() == [.connect(band, settings)])
    }

    @Test func `a central of ours is used as a peripheral by the link that it made`() {
        var (fixture, session) = CoreFixture.on(.central)
        fixture.connectCentral(band, link: link)
        fixture.perform(.connect(fixture.peer(band), ConnectOptions()), in: session)
        #expect(fixture.takeCommands() == [])
        #expect(fixture.takeEvents(session) == [.connected(fixture.peer(band))])
        fixture.perform(.disconnect(fixture.peer(band)), in: session)
        #expect(fixture.takeCommands() == [])
        #expect(fixture.takeEvents(session) == [.disconnected(fixture.peer(band), nil, reconnecting: false)])
    }

    @Test func `forgetting a peer ends its link and tells nobody`() {
        var (fixture, session) = CoreFixture.on(.central)
        fixture.connect(session)
        fixture.perform(.forget(fixture.peer(band)), in: session)
        #expect(fixture.takeCommands() == [.disconnect(link, reason: .remoteUserTerminated)])
        fixture.host(.disconnected(link, band, reason: .localHostTerminated))
        #expect(fixture.takeEvents(session) == [])
    }

    @Test func `closing a session ends its links, its scan and its pending connections`() {
        var (fixture, session) = CoreFixture.on(.central)
        fixture.connect(session)
        fixture.perform(.startScan(ScanRequest()), in: session)
        fixture.perform(.connect(fixture.peer(CoreFixture.lock), ConnectOptions()), in: session)
        fixture.discard()
        fixture.close(session)
        let commands = fixture.takeCommands()
        #expect(commands.count == 3)
        #expect(commands.contains(.stopScanning))
        #expect(commands.contains(.disconnect(link, reason: .remoteUserTerminated)))
        #expect(commands.contains(.cancelConnect(CoreFixture.lock)))
    }

    @Test func `RSSI of a peer that isn't connected is an error`() {
        var (fixture, session) = CoreFixture.on(.central)
        let peer = fixture.peer(band)
        fixture.perform(.readRSSI(peer), in: session)
        #expect(fixture.takeEvents(session) == [.rssi(peer, .failure(BackendError(.notConnected)))])
    }

    @Test func `RSSI where the controller can't read it isn't supported, and the link stays`() {
        var (fixture, session) = CoreFixture.on(.central)
        let peer = fixture.peer(band)
        fixture.connect(session)
        fixture.perform(.readRSSI(peer), in: session)
        fixture.host(.rssi(link, .failure(.hci(.unknownCommand))))
        let events = fixture.takeEvents(session)
        guard events.count == 1, case .rssi(peer, .failure(let error)) = events[0] else {
            Issue.record("not one answer: \(events)")
            return
        }
        #expect(error.cause == .operationNotSupported)
    }

    @Test func `RSSI goes to the session that asked`() {
        var (fixture, first) = CoreFixture.on(.central)
        let second = fixture.open(.central)
        let peer = fixture.peer(band)
        fixture.connect(first)
        fixture.perform(.connect(peer, ConnectOptions()), in: second)
        fixture.discard()
        fixture.perform(.readRSSI(peer), in: second)
        #expect(fixture.takeCommands() == [.readRSSI(link)])
        fixture.host(.rssi(link, .success(-42)))
        #expect(fixture.takeEvents(first) == [])
        #expect(fixture.takeEvents(second) == [.rssi(peer, .success(-42))])
    }
}
