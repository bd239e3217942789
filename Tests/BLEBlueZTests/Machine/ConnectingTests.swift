import BLEBackend
import BLEBlueZ
import BLETestSupport
import BLEWire
import Testing

/// Connections over BlueZ, and its traps. [contract 42-52]
struct BlueZConnectingTests {
    private let thermometer = MachineFixture.thermometer
    private let aborted = DBusFailure(BlueZName.error("Failed"), "le-connection-abort-by-local")
    private let busy = DBusFailure(BlueZName.error("InProgress"), "In Progress")

    private func found(_ script: [FakeBlueZ.Answer]) -> (MachineFixture, SessionID, PeerID) {
        var (fixture, session) = MachineFixture.on(.central)
        let peer = fixture.discover(thermometer, session)
        fixture.daemon.script["Connect"] = script
        return (fixture, session, peer)
    }

    @Test func `A connection that BlueZ makes is told`() {
        var (fixture, session, peer) = found([])
        fixture.perform(.connect(peer, ConnectOptions()), session)
        #expect(fixture.events(of: session) == [.connected(peer), .attMTUChanged(peer, 185)])
    }

    @Test func `A peer that nobody knows fails at once`() {
        var (fixture, session) = MachineFixture.on(.central)
        let stranger = PeerID(bits: 7)
        fixture.perform(.connect(stranger, ConnectOptions()), session)
        #expect(fixture.events(of: session) == [.connectFailed(stranger, BackendError(.unknownDevice))])
    }

    @Test func `le-connection-abort-by-local is tried again, a few times and not at once`() {
        var (fixture, session, peer) = found([.failure(aborted), .failure(aborted), .failure(aborted)])
        fixture.perform(.connect(peer, ConnectOptions()), session)
        #expect(fixture.daemon.calls(of: "Connect").count == 1)
        fixture.advance(.seconds(5))
        #expect(fixture.daemon.calls(of: "Connect").count == 4)
        #expect(fixture.events(of: session).first == .connected(peer))
    }

    @Test func `A connection that goes on failing is told with BlueZ's cause`() throws {
        var (fixture, session, peer) = found(Array(repeating: .failure(aborted), count: 4))
        fixture.perform(.connect(peer, ConnectOptions()), session)
        fixture.advance(.seconds(60))
        let events = fixture.events(of: session)
        #expect(events.count == 1)
        guard case .connectFailed(peer, let error)? = events.first else { return #expect(Bool(false), "\(events)") }
        #expect(error.cause == .connectionFailed)
        #expect(error.underlying?.contains("le-connection-abort-by-local") == true)
        #expect(fixture.daemon.calls(of: "Connect").count == 4)
    }

    @Test func `A peer that isn't there is waited for: connecting never times out`() {
        var (fixture, session, peer) = found([.silence])
        fixture.perform(.connect(peer, ConnectOptions()), session)
        for _ in 0..<20 {
            fixture.advance(.seconds(20))
            fixture.daemon.script["Connect"] = [.silence]
            fixture.failLastCall("Connect", with: aborted)
        }
        #expect(fixture.events(of: session).isEmpty)
        fixture.daemon.script["Connect"] = []
        fixture.advance(.seconds(1))
        #expect(fixture.events(of: session).first == .connected(peer))
    }

    @Test func `A connection in progress of another program is waited for`() {
        var (fixture, session, peer) = found(Array(repeating: .failure(busy), count: 3))
        fixture.perform(.connect(peer, ConnectOptions()), session)
        fixture.advance(.seconds(10))
        #expect(fixture.events(of: session).first == .connected(peer))
        #expect(fixture.daemon.calls(of: "Disconnect").isEmpty)
    }

    @Test func `One that a crashed program has left is called off after a while`() {
        var (fixture, session, peer) = found(Array(repeating: .failure(busy), count: 6))
        fixture.perform(.connect(peer, ConnectOptions()), session)
        fixture.advance(.seconds(20))
        #expect(fixture.daemon.calls(of: "Disconnect").count == 1)
        #expect(fixture.events(of: session).first == .connected(peer))
    }

    @Test func `An older BlueZ's words for what is in progress are understood`() {
        let old = DBusFailure(BlueZName.error("Failed"), "Operation already in progress")
        var (fixture, session, peer) = found(Array(repeating: .failure(old), count: 5))
        fixture.perform(.connect(peer, ConnectOptions()), session)
        fixture.advance(.seconds(10))
        #expect(fixture.events(of: session).first == .connected(peer))
    }

    @Test func `A bonded device that ends each link at once has lost the bond`() {
        var (fixture, session, peer) = found(Array(repeating: .success([]), count: 10))
        fixture.daemonDoes { daemon in
            daemon.change(MachineFixture.thermometer.path, BlueZName.device, ["Paired": .bool(true)])
        }
        fixture.perform(.connect(peer, ConnectOptions()), session)
        fixture.advance(.seconds(60))
        guard case .connectFailed(peer, let error)? = fixture.events(of: session).first else {
            return #expect(Bool(false))
        }
        #expect(error.cause == .peerRemovedPairingInformation)
        #expect(fixture.daemon.calls(of: "Connect").count == 4, "it is given more than one chance")
    }

    @Test func `One that never ends is told, with who is in the way`() {
        var (fixture, session, peer) = found(Array(repeating: .failure(busy), count: 100))
        fixture.perform(.connect(peer, ConnectOptions()), session)
        fixture.advance(.seconds(120))
        guard case .connectFailed(peer, let error)? = fixture.events(of: session).first else {
            return #expect(Bool(false))
        }
        #expect(error.underlying?.contains("another program") == true)
    }

    @Test func `A device that BlueZ has forgotten is discovered again and then connected`() {
        var (fixture, session, peer) = found([])
        fixture.daemonDoes { $0.forget(MachineFixture.thermometer) }
        fixture.perform(.connect(peer, ConnectOptions()), session)
        #expect(fixture.daemon.isDiscovering)
        #expect(fixture.events(of: session).isEmpty)
        fixture.hear(thermometer)
        #expect(fixture.events(of: session).first == .connected(peer))
        #expect(!fixture.daemon.isDiscovering)
    }

    @Test func `A device that goes from the bus between scan and connect is discovered again`() {
        let gone = DBusFailure(DBusName.bus + ".Error.UnknownObject", "Method doesn't exist")
        var (fixture, session, peer) = found([.failure(gone)])
        fixture.daemon.script["Connect"] = [.failure(gone)]
        fixture.perform(.connect(peer, ConnectOptions()), session)
        fixture.advance(.seconds(1))
        #expect(fixture.events(of: session).first == .connected(peer))
    }

    @Test func `A link whose being is never signalled is asked for`() {
        var (fixture, session) = MachineFixture.on(.central)
        let peer = fixture.discover(thermometer, session)
        // BlueZ answers, has the property, and signals nothing.
        fixture.daemon.script["Connect"] = [.success([])]
        fixture.daemon.script["GetAll"] = [
            .success([.properties(["Connected": .bool(false)])]), .success([.properties(["Connected": .bool(true)])]),
        ]
        fixture.perform(.connect(peer, ConnectOptions()), session)
        #expect(fixture.events(of: session).isEmpty)
        fixture.advance(.seconds(1))
        #expect(fixture.events(of: session) == [.connected(peer)])
    }

    @Test func `A scan rests beside a connection that has failed, and goes on afterwards`() {
        var (fixture, session, peer) = found([.failure(aborted), .silence])
        fixture.perform(.startScan(ScanRequest()), session)
        fixture.perform(.connect(peer, ConnectOptions()), session)
        #expect(!fixture.daemon.isDiscovering)
        fixture.advance(.seconds(1))
        fixture.daemonDoes { $0.setConnected(MachineFixture.thermometer) }
        fixture.failLastCall("Connect", with: DBusFailure(BlueZName.error("AlreadyConnected"), ""))
        #expect(fixture.events(of: session).contains(.connected(peer)))
        #expect(fixture.daemon.isDiscovering)
    }

    @Test func `A pending connection that is cancelled is called off at BlueZ and told without an error`() {
        var (fixture, session, peer) = found([.silence])
        fixture.perform(.connect(peer, ConnectOptions()), session)
        fixture.perform(.disconnect(peer), session)
        #expect(fixture.events(of: session) == [.disconnected(peer, nil, reconnecting: false)])
        #expect(fixture.daemon.calls(of: "Disconnect").count == 1)
    }

    @Test func `The start delay is kept`() {
        var (fixture, session, peer) = found([])
        fixture.perform(.connect(peer, ConnectOptions(startDelay: 3)), session)
        fixture.advance(.milliseconds(2900))
        #expect(fixture.events(of: session).isEmpty)
        fixture.advance(.milliseconds(200))
        #expect(fixture.events(of: session).first == .connected(peer))
    }

    // MARK: - Ends

    @Test func `Our own wish ends the link without an error`() {
        var (fixture, session, peer) = MachineFixture.connected()
        fixture.perform(.disconnect(peer), session)
        #expect(fixture.events(of: session) == [.disconnected(peer, nil, reconnecting: false)])
        #expect(fixture.daemon.calls(of: "Disconnect").count == 1)
    }

    @Test func `A device that lost its power doesn't hold up the end of its link`() {
        var (fixture, session, peer) = MachineFixture.connected()
        fixture.daemon.script["Disconnect"] = [.silence]
        fixture.perform(.disconnect(peer), session)
        #expect(fixture.events(of: session).isEmpty)
        #expect(fixture.daemon.calls(of: "Disconnect").first?.patience == .seconds(10))
        fixture.failLastCall("Disconnect", with: DBusFailure(DBusName.bus + ".Error.NoReply", "timed out"))
        #expect(fixture.events(of: session) == [.disconnected(peer, nil, reconnecting: false)])
    }

    @Test(arguments: [
        (nil, BackendError.Cause.peripheralDisconnected), ("org.bluez.Reason.Remote", .peripheralDisconnected),
        ("org.bluez.Reason.Timeout", .connectionTimeout), ("org.bluez.Reason.Local", .connectionFailed),
        ("org.bluez.Reason.Authentication", .peerRemovedPairingInformation),
    ])
    func `A link that is lost is told with what BlueZ says of it`(reason: String?, cause: BackendError.Cause) {
        var (fixture, session, peer) = MachineFixture.connected()
        fixture.daemonDoes { $0.setDisconnected(MachineFixture.thermometer, reason: reason) }
        let events = fixture.events(of: session)
        guard case .disconnected(peer, let error?, reconnecting: false)? = events.first else {
            return #expect(Bool(false), "\(events)")
        }
        #expect(events.count == 1 && error.cause == cause)
    }

    @Test func `A device that is removed in the desktop's settings is disconnected`() {
        var (fixture, session, peer) = MachineFixture.connected()
        fixture.daemonDoes { $0.forget(MachineFixture.thermometer) }
        let events = fixture.events(of: session)
        #expect(events.count == 1)
        guard case .disconnected(peer, _?, reconnecting: false)? = events.first else {
            return #expect(Bool(false), "\(events)")
        }
    }

    @Test func `Another program's link is joined without a call, and left alone`() {
        var (fixture, session, peer) = found([])
        fixture.daemonDoes { $0.setConnected(MachineFixture.thermometer) }
        fixture.perform(.connect(peer, ConnectOptions()), session)
        #expect(fixture.events(of: session).first == .connected(peer))
        #expect(fixture.daemon.calls(of: "Connect").isEmpty)
        fixture.perform(.disconnect(peer), session)
        #expect(fixture.events(of: session) == [.disconnected(peer, nil, reconnecting: false)])
        #expect(fixture.daemon.calls(of: "Disconnect").isEmpty)
    }

    @Test func `A link of two managers ends when both have left`() {
        var (fixture, first, peer) = MachineFixture.connected()
        let second = fixture.open(.central)
        fixture.perform(.connect(peer, ConnectOptions()), second)
        #expect(fixture.events(of: second).last == .connected(peer))
        fixture.perform(.disconnect(peer), first)
        #expect(fixture.daemon.calls(of: "Disconnect").isEmpty)
        fixture.perform(.disconnect(peer), second)
        #expect(fixture.daemon.calls(of: "Disconnect").count == 1)
        #expect(fixture.events(of: second) == [.disconnected(peer, nil, reconnecting: false)])
    }

    @Test func `A connect that follows a disconnect waits for the old link's end`() {
        var (fixture, session, peer) = MachineFixture.connected()
        fixture.daemon.script["Disconnect"] = [.silence]
        fixture.perform(.disconnect(peer), session)
        fixture.perform(.connect(peer, ConnectOptions()), session)
        #expect(fixture.events(of: session).isEmpty)
        fixture.daemonDoes { $0.setDisconnected(MachineFixture.thermometer) }
        let events = fixture.events(of: session)
        #expect(events.prefix(2) == [.disconnected(peer, nil, reconnecting: false), .connected(peer)])
    }

    @Test func `A lost link is made anew where the program wants that`() {
        var (fixture, session) = MachineFixture.on(.central)
        let peer = fixture.discover(thermometer, session)
        fixture.perform(.connect(peer, ConnectOptions(autoReconnect: true)), session)
        _ = fixture.events(of: session)
        fixture.daemonDoes { $0.setDisconnected(MachineFixture.thermometer) }
        let events = fixture.events(of: session)
        guard case .disconnected(peer, _?, reconnecting: true)? = events.first else {
            return #expect(Bool(false), "\(events)")
        }
        #expect(events.dropFirst().first == .connected(peer))
    }
}
