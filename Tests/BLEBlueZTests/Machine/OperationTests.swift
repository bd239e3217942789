import BLEBackend
import BLEBlueZ
import BLETestSupport
import BLEWire
import Testing

/// Discoveries, reads and writes over BlueZ's objects. [contract 58-63, 69-78, 85]
struct BlueZOperationTests {
    private let notPaired = DBusFailure(BlueZName.error("NotPermitted"), "Not paired")

    private func services(_ fixture: inout MachineFixture, _ session: SessionID, _ peer: PeerID) -> [RemoteService] {
        fixture.perform(.discoverServices(peer, filter: nil), session)
        guard case .servicesDiscovered(_, .success(let list))? = fixture.events(of: session).last else { return [] }
        return list
    }

    @Test func `Services, characteristics and descriptors have the handles of BlueZ's objects`() {
        var (fixture, session, peer) = MachineFixture.connected()
        let found = services(&fixture, session, peer)
        #expect(found.map(\.uuid) == [0x1809, 0x1815])
        #expect(found.map(\.handles) == [0x10...0x1F, 0x20...0xFFFF])
        fixture.perform(.discoverCharacteristics(peer, of: found[0], filter: nil), session)
        guard case .characteristicsDiscovered(_, _, .success(let all))? = fixture.events(of: session).first else {
            return #expect(Bool(false))
        }
        #expect(all.map(\.uuid) == [0x2A1C, 0x2A1E, 0x2A21])
        #expect(all.map(\.properties) == [0x12, 0x0E, 0x20])
        #expect(all.map(\.value) == [0x12, 0x15, 0x17] && all.map(\.end) == [0x13, 0x15, 0x1F])
        fixture.perform(.discoverDescriptors(peer, of: all[0]), session)
        #expect(
            fixture.events(of: session) == [
                .descriptorsDiscovered(peer, of: all[0], .success([RemoteDescriptor(uuid: 0x2902, handle: 0x13)]))
            ])
    }

    @Test func `A filter leaves what isn't wanted`() {
        var (fixture, session, peer) = MachineFixture.connected()
        fixture.perform(.discoverServices(peer, filter: [0x1815]), session)
        guard case .servicesDiscovered(_, .success(let list))? = fixture.events(of: session).first else {
            return #expect(Bool(false))
        }
        #expect(list.map(\.uuid) == [0x1815])
    }

    @Test func `Discoveries wait until BlueZ has looked at everything`() {
        var device = MachineFixture.thermometer
        device.resolvesServices = false
        var (fixture, session, peer) = MachineFixture.connected(to: device)
        fixture.perform(.discoverServices(peer, filter: nil), session)
        fixture.advance(.seconds(20))
        #expect(fixture.events(of: session).isEmpty)
        fixture.daemonDoes { $0.resolve(device) }
        let events = fixture.events(of: session)
        #expect(events.first == .attMTUChanged(peer, 185))
        guard case .servicesDiscovered(_, .success(let list))? = events.last else { return #expect(Bool(false)) }
        #expect(list.count == 2)
    }

    @Test func `Services that BlueZ never finds are told as a time-out, not never`() {
        var device = MachineFixture.thermometer
        device.resolvesServices = false
        var (fixture, session, peer) = MachineFixture.connected(to: device)
        fixture.perform(.discoverServices(peer, filter: nil), session)
        fixture.advance(.seconds(41))
        guard case .servicesDiscovered(_, .failure(let error))? = fixture.events(of: session).first else {
            return #expect(Bool(false))
        }
        #expect(error.cause == .connectionTimeout)
    }

    @Test func `An old BlueZ that tells no MTU leaves it at 23 and says so`() {
        var device = MachineFixture.thermometer
        device.mtu = nil
        var (fixture, session, peer) = MachineFixture.connected(to: device)
        #expect(services(&fixture, session, peer).count == 2)
        #expect(fixture.traces.contains { $0.message.contains("ATT_MTU") })
        #expect(!fixture.changes.contains { if case .mtu = $0 { true } else { false } })
    }

    @Test func `A read gives the whole value, also an empty one`() {
        var (fixture, session, peer) = MachineFixture.connected()
        fixture.perform(.read(peer, 0x12), session)
        fixture.perform(.read(peer, 0x22), session)
        #expect(
            fixture.events(of: session) == [
                .valueRead(peer, 0x12, .success([1, 2])), .valueRead(peer, 0x22, .success([])),
            ])
    }

    @Test func `Writes are requests, also of nothing, and answered once each`() throws {
        var (fixture, session, peer) = MachineFixture.connected()
        fixture.perform(.write(peer, 0x15, [7]), session)
        fixture.perform(.write(peer, 0x15, []), session)
        #expect(fixture.events(of: session) == [.written(peer, 0x15, nil), .written(peer, 0x15, nil)])
        let call = try #require(fixture.daemon.calls(of: "WriteValue").first)
        #expect(call.arguments.last?.properties?["type"]?.text == "request")
        #expect(fixture.daemon.written[call.path] == [[7], []])
    }

    @Test func `A write without response is a command, and gives its place back when BlueZ has it`() throws {
        var (fixture, session, peer) = MachineFixture.connected()
        fixture.perform(.writeWithoutResponse(peer, 0x15, [7]), session, hasPlace: true)
        #expect(fixture.events(of: session).isEmpty)
        let call = try #require(fixture.daemon.calls(of: "WriteValue").first)
        #expect(call.arguments.last?.properties?["type"]?.text == "command")
        #expect(fixture.changes.contains(.writeLeft(peer)))
    }

    @Test func `One operation runs at a time, in the order asked`() {
        var (fixture, session, peer) = MachineFixture.connected()
        fixture.daemon.script["ReadValue"] = [.silence]
        fixture.perform(.read(peer, 0x12), session)
        fixture.perform(.write(peer, 0x15, [7]), session)
        #expect(fixture.daemon.calls(of: "WriteValue").isEmpty)
        fixture.failLastCall("ReadValue", with: DBusFailure(BlueZName.error("Failed"), "Operation failed"))
        let events = fixture.events(of: session)
        #expect(events.count == 2 && events.last == .written(peer, 0x15, nil))
    }

    @Test func `An attribute that another program uses is tried again`() {
        var (fixture, session, peer) = MachineFixture.connected()
        let busy = DBusFailure(BlueZName.error("InProgress"), "In Progress")
        fixture.daemon.script["ReadValue"] = [.failure(busy), .failure(busy)]
        fixture.perform(.read(peer, 0x12), session)
        #expect(fixture.events(of: session).isEmpty)
        fixture.advance(.seconds(1))
        #expect(fixture.events(of: session) == [.valueRead(peer, 0x12, .success([1, 2]))])
    }

    @Test func `One that it never lets go of fails after a while`() {
        var (fixture, session, peer) = MachineFixture.connected()
        let busy = DBusFailure(BlueZName.error("InProgress"), "In Progress")
        fixture.daemon.script["ReadValue"] = Array(repeating: .failure(busy), count: 100)
        fixture.perform(.read(peer, 0x12), session)
        fixture.advance(.seconds(60))
        guard case .valueRead(_, _, .failure)? = fixture.events(of: session).first else { return #expect(Bool(false)) }
    }

    @Test func `An attribute that needs a bond makes one and is asked again`() {
        var (fixture, session, peer) = MachineFixture.connected()
        fixture.daemon.script["ReadValue"] = [.failure(notPaired)]
        fixture.perform(.read(peer, 0x12), session)
        #expect(fixture.daemon.calls(of: "Pair").count == 1)
        #expect(fixture.events(of: session) == [.valueRead(peer, 0x12, .success([1, 2]))])
    }

    @Test func `A pairing that fails is told as missing authentication, once`() {
        var (fixture, session, peer) = MachineFixture.connected()
        fixture.daemon.script["ReadValue"] = [.failure(notPaired)]
        fixture.daemon.script["Pair"] = [.failure(DBusFailure(BlueZName.error("AuthenticationFailed"), "no"))]
        fixture.perform(.read(peer, 0x12), session)
        guard case .valueRead(_, _, .failure(let error))? = fixture.events(of: session).first else {
            return #expect(Bool(false))
        }
        #expect(error.cause == .att(.insufficientAuthentication))
        #expect(fixture.daemon.calls(of: "ReadValue").count == 1)
    }

    @Test(arguments: [
        ("NotPermitted", "Read not permitted", BackendError.Cause.att(.readNotPermitted)),
        ("NotAuthorized", "", .att(.insufficientAuthorization)), ("NotSupported", "", .att(.requestNotSupported)),
        ("InvalidArguments", "Invalid offset", .att(.invalidOffset)),
        ("InvalidArguments", "Invalid Length", .att(.invalidAttributeValueLength)),
        ("Failed", "Operation failed with ATT error: 0x80", .att(ATTErrorCode(rawValue: 0x80))),
        ("Failed", "Operation failed with ATT error: 0x0e", .att(.unlikelyError)),
        ("Failed", "Not connected", .notConnected), ("Failed", "ATT error: 0xQQ", .att(.unlikelyError)),
    ])
    func `BlueZ's errors are the API's, with BlueZ's words beneath`(
        name: String, message: String, cause: BackendError.Cause
    ) {
        var (fixture, session, peer) = MachineFixture.connected()
        fixture.daemon.script["ReadValue"] = [.failure(DBusFailure(BlueZName.error(name), message))]
        fixture.perform(.read(peer, 0x12), session)
        guard case .valueRead(_, _, .failure(let error))? = fixture.events(of: session).first else {
            return #expect(Bool(false))
        }
        #expect(error.cause == cause)
        #expect(error.underlying?.hasPrefix("BlueZ: org.bluez.Error.\(name)") == true)
    }

    @Test func `Services that BlueZ remembers wrongly get an advice`() {
        var (fixture, session, peer) = MachineFixture.connected()
        let stale = DBusFailure(BlueZName.error("Failed"), "Operation failed with ATT error: 0x01")
        fixture.daemon.script["ReadValue"] = [.failure(stale)]
        fixture.perform(.read(peer, 0x12), session)
        #expect(fixture.traces.contains { $0.message.contains("bluetoothctl remove C0:11:22:33:44:55") })
    }

    @Test func `Services that go and come while connected are told as modified, together`() {
        var (fixture, session, peer) = MachineFixture.connected()
        let device = MachineFixture.thermometer
        fixture.daemonDoes { daemon in
            for (path, _, _) in device.attributes.reversed() where path.contains("service0010") { daemon.remove(path) }
            daemon.add(device.path + "/service0030", [BlueZName.gattService: ["UUID": .string("180f")]])
        }
        #expect(fixture.events(of: session).isEmpty)
        fixture.advance(.seconds(1))
        #expect(fixture.events(of: session) == [.servicesModified(peer, 0x10...0xFFFF)])
    }

    @Test func `The services of a device that disconnects are not modified`() {
        var (fixture, session, _) = MachineFixture.connected()
        fixture.daemonDoes { $0.setDisconnected(MachineFixture.thermometer) }
        fixture.advance(.seconds(1))
        #expect(!fixture.events(of: session).contains { if case .servicesModified = $0 { true } else { false } })
    }

    @Test func `Periodic advertising, which BlueZ doesn't follow, is refused with a reason`() {
        var (fixture, session, peer) = MachineFixture.connected()
        let id = FollowID(rawValue: 1)
        fixture.perform(.followPeriodic(id, FollowRequest(peer: peer)), session)
        guard case .periodic(id, .ended(let error))? = fixture.events(of: session).first else {
            return #expect(Bool(false))
        }
        #expect(error.cause == .operationNotSupported)
        #expect(error.underlying?.hasPrefix("BlueZ: ") == true)
    }

    @Test func `The RSSI of a link, which BlueZ doesn't tell, is an error with a reason`() {
        var (fixture, session, peer) = MachineFixture.connected()
        fixture.perform(.readRSSI(peer), session)
        guard case .rssi(peer, .failure(let error))? = fixture.events(of: session).first else {
            return #expect(Bool(false))
        }
        #expect(error.cause == .operationNotSupported)
    }
}
