import BLEBackend
import BLEBlueZ
import BLETestSupport
import BLEWire
import Testing

/// bluetoothd and its adapters that come and go, and who pretends to be it. [contract 7-14]
struct DaemonTests {
    @Test func `BlueZ with an adapter that is on is powered on`() {
        var fixture = MachineFixture()
        fixture.start()
        let session = fixture.open(.central)
        #expect(fixture.events(of: session) == [.stateChanged(.poweredOn)])
    }

    @Test func `An adapter that is off is powered off, and it's said how to switch it on`() {
        var fixture = MachineFixture(FakeBlueZ(isPowered: false))
        fixture.start()
        let session = fixture.open(.central)
        #expect(fixture.events(of: session) == [.stateChanged(.poweredOff)])
        #expect(fixture.traces.contains { $0.message.contains("bluetoothctl power on") })
        fixture.daemonDoes { $0.change(FakeBlueZ.adapter, BlueZName.adapter, ["Powered": .bool(true)]) }
        #expect(fixture.events(of: session) == [.stateChanged(.poweredOn)])
    }

    @Test func `Without bluetoothd, which the bus can't start either, it's unsupported and said why`() {
        var fixture = MachineFixture()
        fixture.killDaemon()
        fixture.start()
        let session = fixture.open(.central)
        #expect(fixture.events(of: session) == [.stateChanged(.unsupported)])
        #expect(fixture.traces.contains { $0.message.contains("systemctl start bluetooth") })
    }

    @Test func `An adapter that isn't there is unsupported, and those that are are named`() {
        var fixture = MachineFixture(adapter: "hci7")
        fixture.start()
        let session = fixture.open(.central)
        #expect(fixture.events(of: session) == [.stateChanged(.unsupported)])
        #expect(fixture.traces.contains { $0.message.contains("no adapter hci7 (it has hci0)") })
    }

    @Test func `A bus that doesn't let the user talk to BlueZ is unauthorized`() {
        var daemon = FakeBlueZ()
        daemon.script["GetManagedObjects"] = [
            .failure(DBusFailure(DBusName.bus + ".Error.AccessDenied", "rejected send message"))
        ]
        var fixture = MachineFixture(daemon)
        fixture.start()
        let session = fixture.open(.central)
        #expect(fixture.events(of: session) == [.stateChanged(.unauthorized)])
    }

    @Test func `bluetoothd that is too slow to say what it has is asked again`() {
        var daemon = FakeBlueZ()
        daemon.script["GetManagedObjects"] = [
            .failure(DBusFailure(DBusName.bus + ".Error.NoReply", "Method call timed out"))
        ]
        var fixture = MachineFixture(daemon)
        fixture.start()
        let session = fixture.open(.central)
        #expect(fixture.events(of: session) == [.stateChanged(.unsupported)])
        fixture.advance(.seconds(3))
        #expect(fixture.events(of: session) == [.stateChanged(.poweredOn)])
    }

    @Test func `bluetoothd that is killed and comes again is resetting, then powered on, and the program goes on`() {
        var (fixture, session, peer) = MachineFixture.connected()
        fixture.killDaemon()
        let events = fixture.events(of: session)
        #expect(events.count == 2)
        guard case .disconnected(peer, let error?, reconnecting: false) = events.first else {
            return #expect(Bool(false), "\(events)")
        }
        #expect(error.cause == .connectionFailed)
        #expect(events.last == .stateChanged(.resetting))
        fixture.advance(.seconds(1))
        fixture.startDaemon()
        #expect(fixture.events(of: session) == [.stateChanged(.poweredOn)])
        #expect(fixture.discover(MachineFixture.thermometer, session) == peer)
        fixture.perform(.connect(peer, ConnectOptions()), session)
        #expect(fixture.events(of: session).first == .connected(peer))
    }

    @Test func `bluetoothd that stays away becomes unsupported after 5 s`() {
        var (fixture, session) = MachineFixture.on(.central)
        fixture.killDaemon()
        fixture.advance(.milliseconds(4900))
        #expect(fixture.events(of: session) == [.stateChanged(.resetting)])
        fixture.advance(.milliseconds(200))
        #expect(fixture.events(of: session) == [.stateChanged(.unsupported)])
    }

    @Test func `A bus that is lost is opened again`() {
        var (fixture, session) = MachineFixture.on(.central)
        fixture.input(.busClosed(DBusFailure("org.ravning.Error.Local", "the system bus: reset")))
        #expect(fixture.events(of: session) == [.stateChanged(.resetting)])
        fixture.advance(.seconds(3))
        #expect(fixture.events(of: session) == [.stateChanged(.poweredOn)])
    }

    @Test func `Power that is switched off ends links silently, and a scan with them`() {
        var (fixture, session, peer) = MachineFixture.connected()
        fixture.perform(.startScan(ScanRequest()), session)
        _ = fixture.events(of: session)
        fixture.daemonDoes { $0.change(FakeBlueZ.adapter, BlueZName.adapter, ["Powered": .bool(false)]) }
        #expect(fixture.events(of: session) == [.stateChanged(.poweredOff)])
        fixture.perform(.disconnect(peer), session)
        #expect(fixture.events(of: session).isEmpty)
    }

    @Test func `Links that BlueZ ends on its way to being off are not told`() {
        var (fixture, session, _) = MachineFixture.connected()
        fixture.daemonDoes { daemon in
            daemon.change(FakeBlueZ.adapter, BlueZName.adapter, ["PowerState": .string("on-disabling")])
            daemon.setDisconnected(MachineFixture.thermometer)
            daemon.change(FakeBlueZ.adapter, BlueZName.adapter, ["Powered": .bool(false)])
        }
        #expect(fixture.events(of: session) == [.stateChanged(.poweredOff)])
    }

    @Test func `Signals of others than BlueZ are not believed`() {
        var (fixture, session) = MachineFixture.on(.central)
        let lie = DBusValue.properties(["Powered": .bool(false)])
        fixture.input(
            .signal(
                DBusSignal(
                    sender: ":1.66", FakeBlueZ.adapter, DBusName.properties, "PropertiesChanged",
                    [.string(BlueZName.adapter), lie, .strings([])])))
        fixture.input(
            .signal(
                DBusSignal(
                    sender: ":1.66", DBusName.busPath, DBusName.bus, "NameOwnerChanged",
                    [.string(BlueZName.service), .string(FakeBlueZ.name), .string(":1.66")])))
        #expect(fixture.events(of: session).isEmpty)
    }

    @Test func `Signals of BlueZ with the wrong types change nothing and break nothing`() {
        var (fixture, session, _) = MachineFixture.connected()
        let path = MachineFixture.thermometer.path
        let nonsense: [[DBusValue]] = [
            [], [.byte(1)], [.string(BlueZName.device)], [.string(BlueZName.device), .strings(["x"])],
            [.string(BlueZName.device), .properties(["Connected": .string("no"), "RSSI": .strings([])]), .byte(0)],
            [.path(path), .strings([])], [.path(path), .properties([:])],
        ]
        for (interface, member) in [
            (DBusName.properties, "PropertiesChanged"), (DBusName.objectManager, "InterfacesAdded"),
            (DBusName.objectManager, "InterfacesRemoved"), (BlueZName.device, "Disconnected"),
        ] {
            for arguments in nonsense {
                fixture.input(
                    .signal(DBusSignal(sender: FakeBlueZ.name, path, interface, member, arguments)))
            }
        }
        #expect(fixture.events(of: session).isEmpty)
        fixture.daemonDoes { $0.setDisconnected(MachineFixture.thermometer) }
        #expect(fixture.events(of: session).count == 1)
    }
}
