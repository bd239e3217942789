import BLEBackend
import BLEBlueZ
import BLETestSupport
import BLEWire
import Testing

/// The peripheral role over BlueZ's GATT and advertising managers. [contract 86-116]
struct BlueZPublishingTests {
    private static let value = LocalAttributeID(rawValue: 11), fixed = LocalAttributeID(rawValue: 12)
    private static let secret = LocalAttributeID(rawValue: 14)
    private static let notifying = LocalAttributeID(rawValue: 15), indicating = LocalAttributeID(rawValue: 16)
    private static let main = LocalService(
        id: LocalAttributeID(rawValue: 10), uuid: 0xABCD, isPrimary: true, includes: [],
        characteristics: [
            LocalCharacteristic(
                id: value, uuid: 0xABC1, properties: 0x0A, permissions: [.readable, .writeable], value: nil,
                descriptors: []),
            LocalCharacteristic(
                id: fixed, uuid: 0xABC2, properties: 0x02, permissions: .readable, value: [1, 2, 3],
                descriptors: [
                    LocalDescriptor(id: LocalAttributeID(rawValue: 13), uuid: 0x2901, value: Array("three".utf8))
                ]),
            LocalCharacteristic(
                id: secret, uuid: 0xABC3, properties: 0x0A,
                permissions: [.readable, .writeable, .readEncryptionRequired, .writeEncryptionRequired], value: nil,
                descriptors: []),
            LocalCharacteristic(
                id: notifying, uuid: 0xABC4, properties: 0x10, permissions: .readable, value: nil, descriptors: []),
            LocalCharacteristic(
                id: indicating, uuid: 0xABC5, properties: 0x20, permissions: .readable, value: nil, descriptors: []),
        ])
    /// A phone that is connected to us.
    private let phone = FakeDevice("D0:00:00:00:00:01")
    private let tablet = FakeDevice("D0:00:00:00:00:02")

    private func published() -> (MachineFixture, SessionID) {
        var (fixture, session) = MachineFixture.on(.peripheral)
        fixture.perform(.addService(Self.main), session)
        fixture.daemonDoes { $0.setConnected(phone) }
        _ = fixture.events(of: session)
        return (fixture, session)
    }

    private func path(_ id: LocalAttributeID, in fixture: MachineFixture) -> String {
        (fixture.daemon.registered.last ?? "") + "/s10/c\(id.rawValue)"
    }

    private func from(_ device: FakeDevice, _ others: KeyValuePairs<String, DBusValue> = [:]) -> DBusValue {
        let own: [(String, DBusValue)] = [("device", .path(device.path)), ("mtu", .uint16(185))]
        return .dictionary(
            key: "s", value: "v",
            (own + others.map { ($0.key, $0.value) }).map { .init(.string($0.0), .variant($0.1)) })
    }

    private func call(
        _ fixture: inout MachineFixture, _ id: LocalAttributeID, _ member: String, _ arguments: [DBusValue] = []
    ) -> IncomingCall.Number {
        fixture.call(path(id, in: fixture), BlueZName.gattCharacteristic, member, arguments)
    }

    // MARK: - Database

    @Test func `A service is an application that BlueZ reads whole, and is told when it has`() throws {
        var (fixture, session) = MachineFixture.on(.peripheral)
        fixture.perform(.addService(Self.main), session)
        #expect(fixture.events(of: session) == [.serviceAdded(Self.main.id, nil)])
        let root = try #require(fixture.daemon.registered.first)
        let number = fixture.call(root, DBusName.objectManager, "GetManagedObjects")
        let objects = try #require(fixture.answers[number]?.value).flatMap(ObjectTree.init(managedObjects:))
        let tree = try #require(objects)
        #expect(tree.paths(with: BlueZName.gattService).count == 1)
        #expect(tree.paths(with: BlueZName.gattCharacteristic).count == 5)
        let service = try #require(tree["\(root)/s10", BlueZName.gattService])
        #expect(service["UUID"] == .string("0000abcd-0000-1000-8000-00805f9b34fb") && service["Primary"] == .bool(true))
        func flags(_ id: LocalAttributeID) -> [String]? {
            tree["\(root)/s10/c\(id.rawValue)", BlueZName.gattCharacteristic]?["Flags"]?.texts
        }
        #expect(flags(Self.value) == ["read", "write"])
        #expect(flags(Self.secret) == ["read", "write", "encrypt-read", "encrypt-write"])
        #expect(flags(Self.indicating) == ["indicate"])
        #expect(tree["\(root)/s10/c12/d13", BlueZName.gattDescriptor]?["Flags"]?.texts == ["read"])
        let read = fixture.call("\(root)/s10/c12/d13", BlueZName.gattDescriptor, "ReadValue", [from(phone)])
        #expect(fixture.answers[read] == .success([.bytes(Array("three".utf8))]))
    }

    @Test func `A service that BlueZ doesn't take is told with its reason`() {
        var daemon = FakeBlueZ()
        daemon.script["RegisterApplication"] = [
            .failure(DBusFailure(BlueZName.error("InvalidArguments"), "No valid service object found"))
        ]
        var (fixture, session) = MachineFixture.on(.peripheral, daemon)
        fixture.perform(.addService(Self.main), session)
        guard case .serviceAdded(Self.main.id, let error?)? = fixture.events(of: session).first else {
            return #expect(Bool(false))
        }
        #expect(error.cause == .invalidParameters && error.underlying?.contains("No valid service") == true)
        // It may be added again.
        fixture.perform(.addService(Self.main), session)
        #expect(fixture.events(of: session) == [.serviceAdded(Self.main.id, nil)])
    }

    @Test func `Services of the system are refused`() {
        var (fixture, session) = MachineFixture.on(.peripheral)
        var battery = Self.main
        battery.uuid = 0x180F
        fixture.perform(.addService(battery), session)
        #expect(fixture.events(of: session) == [.serviceAdded(battery.id, BackendError(.uuidNotAllowed))])
    }

    @Test func `A service that includes another one is in one application with it`() throws {
        var (fixture, session) = MachineFixture.on(.peripheral)
        fixture.perform(.addService(Self.main), session)
        let outer = LocalService(
            id: LocalAttributeID(rawValue: 20), uuid: 0xABCE, isPrimary: true, includes: [Self.main.id],
            characteristics: [])
        fixture.perform(.addService(outer), session)
        #expect(fixture.events(of: session) == [.serviceAdded(Self.main.id, nil), .serviceAdded(outer.id, nil)])
        #expect(fixture.daemon.registered.count == 1)
        let root = try #require(fixture.daemon.registered.first)
        let number = fixture.call("\(root)/s20", DBusName.properties, "GetAll", [.string(BlueZName.gattService)])
        #expect(fixture.answers[number]?.value?.properties?["Includes"]?.texts == ["\(root)/s10"])
        // What remains is registered anew.
        fixture.perform(.removeService(outer.id), session)
        #expect(fixture.daemon.registered.count == 1)
        fixture.perform(.removeAllServices, session)
        #expect(fixture.daemon.registered.isEmpty)
    }

    @Test func `A bluetoothd that comes again has an empty database`() {
        var (fixture, session) = published()
        fixture.killDaemon()
        fixture.startDaemon()
        _ = fixture.events(of: session)
        fixture.perform(.addService(Self.main), session)
        #expect(fixture.events(of: session) == [.serviceAdded(Self.main.id, nil)])
    }

    // MARK: - Requests

    @Test func `A fixed value is answered without the program, from its offset on`() {
        var (fixture, session) = published()
        let whole = call(&fixture, Self.fixed, "ReadValue", [from(phone)])
        let rest = call(&fixture, Self.fixed, "ReadValue", [from(phone, ["offset": .uint16(2)])])
        let beyond = call(&fixture, Self.fixed, "ReadValue", [from(phone, ["offset": .uint16(4)])])
        #expect(fixture.answers[whole] == .success([.bytes([1, 2, 3])]))
        #expect(fixture.answers[rest] == .success([.bytes([3])]))
        #expect(fixture.answers[beyond]?.failureName == BlueZName.error("InvalidOffset"))
        #expect(fixture.events(of: session).isEmpty)
    }

    @Test func `A read is the program's to answer, with offset and central`() {
        var (fixture, session) = published()
        let number = call(&fixture, Self.value, "ReadValue", [from(phone, ["offset": .uint16(5)])])
        guard case .readRequest(let id, let central, Self.value, offset: 5)? = fixture.events(of: session).first else {
            return #expect(Bool(false))
        }
        #expect(central == CentralInfo(id: fixture.peer(phone), maximumUpdateValueLength: 182))
        #expect(fixture.answers[number] == nil)
        fixture.perform(.respond(id, .success, value: []), session)
        #expect(fixture.answers[number] == .success([.bytes([])]))
        fixture.perform(.respond(id, .unlikelyError, value: nil), session)
        #expect(fixture.answers[number] == .success([.bytes([])]), "a second answer is dropped")
    }

    @Test(arguments: [
        (ATTErrorCode.invalidOffset, "InvalidOffset"), (.insufficientAuthorization, "NotAuthorized"),
        (.requestNotSupported, "NotSupported"), (.writeNotPermitted, "NotPermitted"),
        (.invalidAttributeValueLength, "InvalidValueLength"), (ATTErrorCode(rawValue: 0x80), "Failed"),
        (.insufficientResources, "Unlikely"),
    ])
    func `A write's refusal is one of those that BlueZ takes`(code: ATTErrorCode, name: String) {
        var (fixture, session) = published()
        let number = call(&fixture, Self.value, "WriteValue", [.bytes([]), from(phone, ["type": .string("request")])])
        guard case .writeRequests(let id, _, let writes)? = fixture.events(of: session).first else {
            return #expect(Bool(false))
        }
        #expect(writes == [.init(characteristic: Self.value, offset: 0, value: [])])
        fixture.perform(.respond(id, code, value: nil), session)
        #expect(fixture.answers[number]?.failureName == BlueZName.error(name))
    }

    @Test func `A kind of write that isn't offered is refused, and a check before a prepared write isn't a write`() {
        var (fixture, session) = published()
        let command = call(
            &fixture, Self.value, "WriteValue", [.bytes([1]), from(phone, ["type": .string("command")])])
        #expect(fixture.answers[command]?.failureName == BlueZName.error("NotPermitted"))
        let check = call(
            &fixture, Self.value, "WriteValue", [.bytes([]), from(phone, ["prepare-authorize": .bool(true)])])
        #expect(fixture.answers[check] == .success([]))
        #expect(fixture.events(of: session).isEmpty)
    }

    @Test func `Nobody but BlueZ may ask for values, and nonsense is refused`() {
        var (fixture, session) = published()
        let foreign = fixture.call(
            path(Self.fixed, in: fixture), BlueZName.gattCharacteristic, "ReadValue", [from(phone)], from: ":1.66")
        #expect(fixture.answers[foreign]?.failureName == DBusName.bus + ".Error.AccessDenied")
        for (path, member, arguments) in [
            ("/org/ravning/app99/s1/c1", "ReadValue", [from(phone)]), (path(Self.value, in: fixture), "Explode", []),
            (path(Self.value, in: fixture), "ReadValue", []), (path(Self.value, in: fixture), "WriteValue", [.byte(1)]),
            ("/", "ReadValue", [.properties(["offset": .string("no")])]),
        ] as [(String, String, [DBusValue])] {
            let number = fixture.call(path, BlueZName.gattCharacteristic, member, arguments)
            #expect(fixture.answers[number]?.failureName != nil, "\(member) at \(path)")
        }
        #expect(fixture.events(of: session).isEmpty)
    }

    @Test func `Requests of a manager that is gone are refused`() {
        var (fixture, session) = published()
        let number = call(&fixture, Self.value, "ReadValue", [from(phone)])
        fixture.machine.perform(.close(session))
        fixture.run()
        #expect(fixture.answers[number]?.failureName == BlueZName.error("Unlikely"))
        #expect(fixture.daemon.registered.isEmpty)
    }

    // MARK: - Subscriptions and updates

    @Test func `AcquireNotify tells who subscribes, and takes updates by a socket`() {
        var (fixture, session) = published()
        let number = call(&fixture, Self.notifying, "AcquireNotify", [from(phone)])
        guard case .success(let values)? = fixture.answers[number], let socket = values.first?.isSocket else {
            return #expect(Bool(false))
        }
        #expect(values.last == .uint16(185))
        let central = CentralInfo(id: fixture.peer(phone), maximumUpdateValueLength: 182)
        #expect(fixture.events(of: session) == [.subscribed(central: central, Self.notifying)])
        fixture.update([1, 2], of: Self.notifying, session)
        #expect(fixture.socketOutputs == [.openSocket(socket), .send(socket, [1, 2])])
        #expect(fixture.changes.filter { $0 == .updateLeft(session) }.count == 1)
        // A packet without octets would end the socket: it goes as a change of the property.
        fixture.update([], of: Self.notifying, session)
        #expect(fixture.signals.last?.arguments[1].properties?["Value"] == .bytes([]))
        fixture.update([UInt8](repeating: 7, count: 300), of: Self.notifying, session)
        #expect(fixture.socketOutputs.last == .send(socket, [UInt8](repeating: 7, count: 182)))
        fixture.input(.socket(.closed(socket)))
        #expect(fixture.events(of: session) == [.unsubscribed(central: central, Self.notifying)])
    }

    @Test func `A BlueZ that has a socket for each central lets updates go to some of them`() {
        var (fixture, session) = published()
        fixture.daemonDoes { $0.setConnected(tablet) }
        _ = call(&fixture, Self.notifying, "AcquireNotify", [from(phone)])
        let second = call(&fixture, Self.notifying, "AcquireNotify", [from(tablet)])
        #expect(fixture.events(of: session).count == 2)
        fixture.update([1], of: Self.notifying, session, to: [fixture.peer(tablet)])
        guard case .success(let values)? = fixture.answers[second], let socket = values.first?.isSocket else {
            return #expect(Bool(false))
        }
        #expect(fixture.socketOutputs.last == .send(socket, [1]))
    }

    @Test func `Indications go one after another, each when the one before is confirmed`() {
        var (fixture, session) = published()
        _ = call(&fixture, Self.value, "ReadValue", [from(phone)])
        _ = fixture.events(of: session)
        _ = call(&fixture, Self.indicating, "StartNotify")
        let central = CentralInfo(id: fixture.peer(phone), maximumUpdateValueLength: 182)
        #expect(fixture.events(of: session) == [.subscribed(central: central, Self.indicating)])
        fixture.update([1], of: Self.indicating, session)
        fixture.update([2], of: Self.indicating, session)
        #expect(fixture.signals.count == 1)
        _ = call(&fixture, Self.indicating, "Confirm")
        #expect(fixture.signals.count == 2)
        // One that is never confirmed doesn't hold up the rest for ever.
        fixture.update([3], of: Self.indicating, session)
        fixture.advance(.seconds(31))
        #expect(
            fixture.signals.map { $0.arguments[1].properties?["Value"] } == [.bytes([1]), .bytes([2]), .bytes([3])])
    }

    @Test func `Where BlueZ doesn't say who has subscribed, every central that is connected counts, and it's said`() {
        var (fixture, session) = published()
        fixture.daemonDoes { $0.setConnected(tablet) }
        _ = call(&fixture, Self.indicating, "StartNotify")
        #expect(fixture.events(of: session).count == 2)
        #expect(fixture.traces.contains { $0.message.contains("which of several centrals") })
        _ = call(&fixture, Self.indicating, "StopNotify")
        #expect(fixture.events(of: session).count == 2)
    }

    @Test func `The link of a central can be ended, for who stands for a device that does so`() {
        var (fixture, session) = published()
        _ = call(&fixture, Self.notifying, "AcquireNotify", [from(phone)])
        _ = fixture.events(of: session)
        fixture.perform(.disconnect(fixture.peer(phone)), session)
        #expect(fixture.daemon.calls(of: "Disconnect").count == 1)
        fixture.daemonDoes { $0.setDisconnected(phone) }
        #expect(fixture.events(of: session).count == 1)
    }

    @Test func `A central that goes away has unsubscribed`() {
        var (fixture, session) = published()
        _ = call(&fixture, Self.notifying, "AcquireNotify", [from(phone)])
        _ = call(&fixture, Self.indicating, "StartNotify")
        #expect(fixture.events(of: session).count == 2)
        fixture.daemonDoes { $0.setDisconnected(phone) }
        #expect(fixture.events(of: session).count == 2)
        #expect(fixture.socketOutputs.last { if case .closeSocket = $0 { true } else { false } } != nil)
    }

    // MARK: - Advertising

    @Test func `An advertisement has the name and the services, and is told when BlueZ has it`() throws {
        var (fixture, session) = MachineFixture.on(.peripheral)
        fixture.perform(.startAdvertising(AdvertisingRequest(localName: "Lamp", services: [0xABCD])), session)
        #expect(fixture.events(of: session) == [.advertisingStarted(nil)])
        let path = try #require(fixture.daemon.registered.first)
        let number = fixture.call(path, DBusName.properties, "GetAll", [.string(BlueZName.advertisement)])
        let properties = try #require(fixture.answers[number]?.value?.properties)
        #expect(properties["Type"]?.text == "peripheral" && properties["LocalName"]?.text == "Lamp")
        #expect(properties["ServiceUUIDs"]?.texts == ["0000abcd-0000-1000-8000-00805f9b34fb"])
        fixture.perform(.startAdvertising(AdvertisingRequest()), session)
        #expect(fixture.events(of: session) == [.advertisingStarted(BackendError(.alreadyAdvertising))])
        fixture.perform(.stopAdvertising, session)
        #expect(fixture.daemon.registered.isEmpty)
    }

    @Test func `What has no room is left out and said, since BlueZ would refuse all of it`() throws {
        var (fixture, session) = MachineFixture.on(.peripheral)
        let long = BluetoothUUID(full: 1), other = BluetoothUUID(full: 2)
        let request = AdvertisingRequest(localName: String(repeating: "é", count: 20), services: [long, other, 0xABCD])
        fixture.perform(.startAdvertising(request), session)
        let path = try #require(fixture.daemon.registered.first)
        let number = fixture.call(path, DBusName.properties, "GetAll", [.string(BlueZName.advertisement)])
        let properties = try #require(fixture.answers[number]?.value?.properties)
        #expect(properties["ServiceUUIDs"]?.texts?.count == 2)
        #expect(properties["LocalName"]?.text == String(repeating: "é", count: 14))
        #expect(fixture.traces.contains { $0.message.contains(other.description) })
    }

    @Test func `A kernel that refuses the advertisement gets it without the name, and then it's told why`() {
        let refused = DBusFailure(BlueZName.error("Failed"), "Failed to register advertisement")
        var daemon = FakeBlueZ()
        daemon.script["RegisterAdvertisement"] = [.failure(refused), .usual, .failure(refused), .failure(refused)]
        var (fixture, session) = MachineFixture.on(.peripheral, daemon)
        let request = AdvertisingRequest(localName: "Lamp", services: [0xABCD])
        fixture.perform(.startAdvertising(request), session)
        #expect(fixture.events(of: session) == [.advertisingStarted(nil)])
        fixture.perform(.stopAdvertising, session)
        fixture.perform(.startAdvertising(request), session)
        guard case .advertisingStarted(let error?)? = fixture.events(of: session).first else {
            return #expect(Bool(false))
        }
        #expect(error.underlying?.contains("Failed to register advertisement") == true)
        #expect(error.underlying?.contains("RAVNING_ADAPTER=hci:N") == true)
    }

    @Test func `An adapter whose places are all taken is out of space`() {
        var daemon = FakeBlueZ()
        daemon.script["RegisterAdvertisement"] = [
            .failure(DBusFailure(BlueZName.error("NotPermitted"), "Maximum advertisements reached"))
        ]
        var (fixture, session) = MachineFixture.on(.peripheral, daemon)
        fixture.perform(.startAdvertising(AdvertisingRequest(localName: "Lamp")), session)
        guard case .advertisingStarted(let error?)? = fixture.events(of: session).first else {
            return #expect(Bool(false))
        }
        #expect(error.cause == .outOfSpace)
    }

    @Test func `An advertisement that BlueZ lets go of is registered anew`() throws {
        var (fixture, session) = MachineFixture.on(.peripheral)
        fixture.perform(.startAdvertising(AdvertisingRequest(localName: "Lamp")), session)
        let path = try #require(fixture.daemon.registered.first)
        _ = fixture.call(path, BlueZName.advertisement, "Release")
        #expect(fixture.daemon.calls(of: "RegisterAdvertisement").count == 2)
        #expect(fixture.events(of: session) == [.advertisingStarted(nil)])
    }
}

extension Result where Success == [DBusValue], Failure == DBusFailure {
    fileprivate var value: DBusValue? {
        if case .success(let values) = self { values.first } else { nil }
    }
}
