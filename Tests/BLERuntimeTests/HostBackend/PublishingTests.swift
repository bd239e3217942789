import BLEBackend
import BLEHost
import BLERuntime
import BLEWire
import Testing

@Suite struct PublishingTests {
    static let service = LocalAttributeID(rawValue: 1)
    static let value = LocalAttributeID(rawValue: 2)

    static func local(
        _ uuid: BluetoothUUID = 0xFFF0, id: LocalAttributeID = service, value: LocalAttributeID = value,
        properties: UInt16 = 0x1A, permissions: LocalPermissions = [.readable, .writeable],
        includes: [LocalAttributeID] = []
    ) -> LocalService {
        LocalService(
            id: id, uuid: uuid, isPrimary: true, includes: includes,
            characteristics: [
                LocalCharacteristic(
                    id: value, uuid: 0xFFF1, properties: properties, permissions: permissions, value: nil,
                    descriptors: [])
            ])
    }

    private func definition(_ fixture: inout CoreFixture) -> GATTServiceDefinition? {
        guard case .addService(_, let definition) = fixture.takeCommands().last else { return nil }
        return definition
    }

    @Test func `a service is added when the host has laid it out`() {
        var (fixture, session) = CoreFixture.on(.peripheral)
        fixture.perform(.addService(Self.local()), in: session)
        #expect(fixture.takeEvents(session) == [])
        fixture.layOut(0x0010)
        #expect(fixture.takeEvents(session) == [.serviceAdded(Self.service, nil)])
    }

    @Test(arguments: [0x1800, 0x1801, 0x1805, 0x180A, 0x180F, 0x1812, 0x181E] as [UInt16])
    func `services of the system aren't allowed in their short form`(uuid: UInt16) {
        var (fixture, session) = CoreFixture.on(.peripheral)
        fixture.perform(.addService(Self.local(BluetoothUUID(uuid))), in: session)
        #expect(fixture.takeCommands() == [])
        #expect(fixture.takeEvents(session) == [.serviceAdded(Self.service, BackendError(.uuidNotAllowed))])
        fixture.perform(.addService(Self.local(BluetoothUUID(full: BluetoothUUID(uuid).full))), in: session)
        #expect(definition(&fixture) != nil)
    }

    @Test func `a service that includes one that isn't there is refused`() {
        var (fixture, session) = CoreFixture.on(.peripheral)
        fixture.perform(.addService(Self.local(includes: [LocalAttributeID(rawValue: 9)])), in: session)
        #expect(fixture.takeEvents(session) == [.serviceAdded(Self.service, BackendError(.invalidParameters))])
    }

    @Test func `an included service is named by its declaration`() {
        var (fixture, session) = CoreFixture.on(.peripheral)
        fixture.perform(.addService(Self.local()), in: session)
        fixture.layOut(0x0010)
        let other = LocalAttributeID(rawValue: 8)
        let otherValue = LocalAttributeID(rawValue: 9)
        fixture.perform(
            .addService(Self.local(0xFFE0, id: other, value: otherValue, includes: [Self.service])), in: session)
        #expect(definition(&fixture)?.includes == [0x0010])
    }

    @Test(
        arguments: [
            (0x02, [.readable], 0x02, [.read], [.read, .write]),
            (0x0A, [.readable, .writeable], 0x0A, [.read, .write], [.read, .write]),
            (0x02, [.readEncryptionRequired], 0x02, [.read, .readEncrypted], [.read, .write]),
            (0x08, [.writeEncryptionRequired], 0x08, [.write, .writeEncrypted], [.read, .write]),
            (0x102, [.readable], 0x12, [.read], [.read, .write, .writeEncrypted]),
            (0x202, [.readable], 0x22, [.read], [.read, .write, .writeEncrypted]),
        ] as [(UInt16, LocalPermissions, UInt8, AttributePermissions, AttributePermissions)])
    func `properties and permissions become the database's`(
        properties: UInt16, permissions: LocalPermissions, octet: UInt8, access: AttributePermissions,
        configuration: AttributePermissions
    ) {
        var (fixture, session) = CoreFixture.on(.peripheral)
        fixture.perform(.addService(Self.local(properties: properties, permissions: permissions)), in: session)
        let characteristic = definition(&fixture)?.characteristics.first
        #expect(characteristic?.properties == octet)
        #expect(characteristic?.permissions == access)
        #expect(characteristic?.configurationPermissions == configuration)
        #expect(characteristic?.value == nil)
    }

    @Test func `a full database is out of space`() {
        var (fixture, session) = CoreFixture.on(.peripheral)
        fixture.perform(.addService(Self.local()), in: session)
        guard case .addService(let token, _) = fixture.takeCommands().last else { return }
        fixture.host(.serviceAdded(token, .failure(.att(.insufficientResources))))
        guard case .serviceAdded(_, let error?) = fixture.takeEvents(session).last else {
            Issue.record("no failure")
            return
        }
        #expect(error.cause == .outOfSpace)
    }

    @Test func `removing takes the service from the database`() {
        var (fixture, session) = CoreFixture.on(.peripheral)
        fixture.perform(.addService(Self.local()), in: session)
        fixture.layOut(0x0010)
        fixture.discard()
        fixture.perform(.removeService(Self.service), in: session)
        #expect(fixture.takeCommands() == [.removeService(0x0010)])
        fixture.perform(.addService(Self.local()), in: session)
        #expect(definition(&fixture) != nil)
    }

    @Test func `a service that is removed before it's there is taken away again`() {
        var (fixture, session) = CoreFixture.on(.peripheral)
        fixture.perform(.addService(Self.local()), in: session)
        guard case .addService(let token, _) = fixture.takeCommands().last else { return }
        fixture.perform(.removeAllServices, in: session)
        fixture.host(.serviceAdded(token, .success(.init(handles: 0x0010...0x0013, characteristics: [0x0012]))))
        #expect(fixture.takeCommands() == [.removeService(0x0010)])
        #expect(fixture.takeEvents(session) == [])
    }

    @Test func `a session can't remove another's service`() {
        var (fixture, session) = CoreFixture.on(.peripheral)
        let other = fixture.open(.peripheral)
        fixture.perform(.addService(Self.local()), in: session)
        fixture.layOut(0x0010)
        fixture.discard()
        fixture.perform(.removeService(Self.service), in: other)
        fixture.perform(.removeAllServices, in: other)
        #expect(fixture.takeCommands() == [])
        fixture.close(session)
        #expect(fixture.takeCommands() == [.removeService(0x0010)])
    }

    @Test func `services stay when the radio is switched off and go when it is lost`() {
        var (fixture, session) = CoreFixture.on(.peripheral)
        fixture.perform(.addService(Self.local()), in: session)
        fixture.layOut(0x0010)
        fixture.discard()
        fixture.core.perform(.condition(.off))
        fixture.host(.stateChanged(.poweredOff))
        #expect(fixture.takeCommands() == [.powerOff])
        fixture.powerOn()
        fixture.discard()
        fixture.host(.stateChanged(.resetting(.transport("gone"))))
        #expect(fixture.takeCommands() == [.removeService(0x0010)])
    }
}

extension CoreFixture {
    /// Answers the addition that was asked for last: the value behind declaration and declaration.
    mutating func layOut(_ first: AttributeHandle) {
        guard case .addService(let token, _) = takeCommands().last else { return }
        let last = AttributeHandle(rawValue: first.rawValue + 3)
        let value = AttributeHandle(rawValue: first.rawValue + 2)
        host(.serviceAdded(token, .success(.init(handles: first...last, characteristics: [value]))))
    }
}
