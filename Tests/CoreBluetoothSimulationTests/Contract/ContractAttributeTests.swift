import BLEWire
import CoreBluetooth
import CoreBluetoothSimulation
import Foundation
import Testing

/// Statements of the behaviour contract about attributes, with one phone as central and another as peripheral.
@Suite struct ContractAttributeTests {
    private let world = World(seed: 11)
    private let central: CentralProgram
    private let band: PeripheralProgram

    init() {
        central = CentralProgram(world, on: world.addPhone("phone"))
        band = PeripheralProgram(world, on: world.addPhone("band"))
    }

    private func characteristic(
        _ uuid: String, _ properties: CBCharacteristicProperties, value: Data? = nil,
        _ permissions: CBAttributePermissions = [.readable, .writeable]
    ) -> CBMutableCharacteristic {
        CBMutableCharacteristic(
            type: CBUUID(string: uuid), properties: properties, value: value, permissions: permissions)
    }

    private func reach(_ services: CBMutableService...) throws -> CBPeripheral {
        #expect(band.publish(services, name: "band"))
        return try #require(central.reach("band"))
    }

    /// A phone subscribes to Service Changed by itself, when programs leave it time. [contract 65]
    private func letThePhoneFollowChanges() { world.advance(by: .seconds(2)) }

    @Test func `59 a discovery without a match gives an empty array`() throws {
        #expect(band.publish([PeripheralProgram.service("FFF0")], name: "band"))
        let peripheral = try #require(central.find("band"))
        #expect(central.connect(peripheral))
        peripheral.discoverServices([CBUUID(string: "FFE0")])
        #expect(world.run { peripheral.services != nil })
        #expect(peripheral.services == [])
        #expect(central.has("services  ok"))
    }

    @Test func `60 discoveries with filters add up`() throws {
        #expect(band.publish([PeripheralProgram.service("FFF0"), PeripheralProgram.service("FFE0")], name: "band"))
        let peripheral = try #require(central.find("band"))
        #expect(central.connect(peripheral))
        peripheral.discoverServices([CBUUID(string: "FFE0")])
        #expect(central.wait(for: "services FFE0 ok"))
        let first = peripheral.services?.first
        peripheral.discoverServices([CBUUID(string: "FFF0")])
        #expect(central.wait(for: "services FFF0 FFE0 ok"))
        #expect(peripheral.services?.last === first)
    }

    @Test func `62 an included service is found through the one that includes it`() throws {
        let inner = CBMutableService(type: CBUUID(string: "FFE0"), primary: false)
        inner.characteristics = [characteristic("FFE1", .read, value: Data([5]), .readable)]
        let outer = PeripheralProgram.service("FFF0")
        outer.includedServices = [inner]
        #expect(band.publish([inner, outer], name: "band"))
        let peripheral = try #require(central.find("band"))
        #expect(central.connect(peripheral))
        peripheral.discoverServices(nil)
        #expect(central.wait(for: "services FFF0 ok"))
        let found = try #require(peripheral.services?.first)
        peripheral.discoverIncludedServices(nil, for: found)
        #expect(world.run { found.includedServices != nil })
        #expect(found.includedServices?.map(\.uuid.uuidString) == ["FFE0"])
        #expect(found.includedServices?.map(\.isPrimary) == [false])
    }

    @Test func `66 and 86 a service added while connected is told to the central`() throws {
        let peripheral = try reach(PeripheralProgram.service("FFF0"))
        letThePhoneFollowChanges()
        band.manager.add(PeripheralProgram.service("FFE0"))
        #expect(world.run { self.central.count("modified") == 1 })
        peripheral.discoverServices(nil)
        #expect(central.wait(for: "services FFF0 FFE0 ok"))
    }

    @Test func `66 and 94 a service removed while connected is gone from the central`() throws {
        let service = PeripheralProgram.service("FFE0", characteristic("FFE1", .read, value: Data([1]), .readable))
        let peripheral = try reach(PeripheralProgram.service("FFF0"), service)
        let stale = try #require(central.characteristic("FFE1", of: peripheral))
        letThePhoneFollowChanges()
        band.manager.remove(service)
        #expect(central.wait(for: "modified FFE0"))
        #expect(peripheral.services?.map(\.uuid.uuidString) == ["FFF0"])
        peripheral.readValue(for: stale)
        #expect(central.wait(for: "value FFE1 nil CBError.2"))
    }

    @Test func `71 what the properties do not allow is refused by the other side`() throws {
        let peripheral = try reach(
            PeripheralProgram.service(
                "FFF0", characteristic("FFF1", .read, value: Data([1]), .readable),
                characteristic("FFF2", .notify, [])))
        peripheral.writeValue(
            Data([2]), for: try #require(central.characteristic("FFF1", of: peripheral)), type: .withResponse)
        #expect(central.wait(for: "written FFF1 CBATTError.3"))
        peripheral.readValue(for: try #require(central.characteristic("FFF2", of: peripheral)))
        #expect(central.wait(for: "value FFF2 nil CBATTError.2"))
        // The program isn't asked. [contract 101]
        #expect(band.count("read") == 0)
    }

    @Test func `79 notifications are chosen where both kinds are offered`() throws {
        let peripheral = try reach(PeripheralProgram.service("FFF0", characteristic("FFF1", [.notify, .indicate])))
        let found = try #require(central.characteristic("FFF1", of: peripheral))
        #expect(central.subscribe(to: found))
        let configuration = try #require(found.descriptors?.first { $0.uuid == CBUUID(string: "2902") })
        peripheral.readValue(for: configuration)
        #expect(central.wait(for: "descriptor 2902 1 ok"))
    }

    @Test func `81 what can not be subscribed to is an error`() throws {
        let peripheral = try reach(
            PeripheralProgram.service("FFF0", characteristic("FFF1", .read, value: Data([1]), .readable)))
        peripheral.setNotifyValue(true, for: try #require(central.characteristic("FFF1", of: peripheral)))
        #expect(central.wait(for: "notifying FFF1 false CBATTError.6"))
    }

    @Test func `83 the configuration is a number, the description a string, the format data`() throws {
        let published = characteristic("FFF1", .notify)
        published.descriptors = [
            CBMutableDescriptor(type: CBUUID(string: "2901"), value: "xmgDes1"),
            CBMutableDescriptor(type: CBUUID(string: "2904"), value: Data([4, 0, 0, 0x27, 1, 0, 0])),
        ]
        let peripheral = try reach(PeripheralProgram.service("FFF0", published))
        let found = try #require(central.characteristic("FFF1", of: peripheral))
        #expect(central.subscribe(to: found))
        for descriptor in found.descriptors ?? [] { peripheral.readValue(for: descriptor) }
        #expect(world.run { self.central.count("descriptor ") == 3 })
        func value(_ uuid: String) -> Any? { found.descriptors?.first { $0.uuid == CBUUID(string: uuid) }?.value }
        #expect(value("2902") as? NSNumber == 1)
        #expect(value("2901") as? String == "xmgDes1")
        #expect(value("2904") as? Data == Data([4, 0, 0, 0x27, 1, 0, 0]))
    }

    @Test func `90 a cached value is answered by the system`() throws {
        let peripheral = try reach(
            PeripheralProgram.service("FFF0", characteristic("FFF1", .read, value: Data([6]), .readable)))
        peripheral.readValue(for: try #require(central.characteristic("FFF1", of: peripheral)))
        #expect(central.wait(for: "value FFF1 06 ok"))
        #expect(band.count("read") == 0)
    }

    @Test func `95 a central that goes is unsubscribed from each characteristic`() throws {
        let peripheral = try reach(
            PeripheralProgram.service("FFF0", characteristic("FFF1", .notify), characteristic("FFF2", .indicate)))
        for uuid in ["FFF1", "FFF2"] {
            #expect(central.subscribe(to: try #require(central.characteristic(uuid, of: peripheral))))
        }
        central.manager.cancelPeripheralConnection(peripheral)
        #expect(world.run { self.band.count("unsubscribed") == 2 })
    }

    @Test func `99 a write without response comes as a request, and its answer is dropped`() throws {
        let peripheral = try reach(PeripheralProgram.service("FFF0", characteristic("FFF1", .writeWithoutResponse)))
        peripheral.writeValue(
            Data([3]), for: try #require(central.characteristic("FFF1", of: peripheral)), type: .withoutResponse)
        #expect(world.run { self.band.has("write FFF1 at 0 03") })
        world.advance(by: .seconds(1))
        #expect(central.count("written") == 0)
        #expect(peripheral.state == .connected)
    }

    @Test func `105 an update for some centrals reaches those alone`() throws {
        let published = characteristic("FFF1", .notify)
        let peripheral = try reach(PeripheralProgram.service("FFF0", published))
        let other = CentralProgram(world, on: world.addPhone("other phone"))
        let second = try #require(other.reach("band"))
        #expect(central.subscribe(to: try #require(central.characteristic("FFF1", of: peripheral))))
        #expect(other.subscribe(to: try #require(other.characteristic("FFF1", of: second))))
        #expect(world.run { published.subscribedCentrals?.count == 2 })
        let last = try #require(published.subscribedCentrals?.last)
        #expect(band.manager.updateValue(Data([1]), for: published, onSubscribedCentrals: [last]))
        #expect(band.manager.updateValue(Data([2]), for: published, onSubscribedCentrals: nil))
        #expect(other.wait(for: "value FFF1 02 ok"))
        #expect(central.wait(for: "value FFF1 02 ok"))
        #expect(other.has("value FFF1 01 ok"))
        #expect(!central.has("value FFF1 01 ok"))
    }

    /// Whether the packet is ACL data with an ATT PDU of an opcode, a handle and the octet. [Vol 4, Part E, 5.4.2]
    private static func carries(_ octet: UInt8, _ packet: [UInt8]) -> Bool {
        guard packet.count == 13, packet[0] == 2 else { return false }
        return packet[7] == 0x04 && packet[8] == 0x00 && packet[12] == octet
    }

    /// Both: the central subscribes to notifications then. [contract 79]
    @Test(
        arguments: [
            (.indicate, true), (.notify, false), ([.notify, .indicate], false),
        ] as [(CBCharacteristicProperties, Bool)])
    func `107 what can only be indicated is indicated, else the subscription decides`(
        properties: CBCharacteristicProperties, isIndicated: Bool
    ) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("ravning-\(UUID().uuidString).btsnoop")
        defer { try? FileManager.default.removeItem(at: file) }
        try central.phone.captureHCI(to: file.path)
        let published = characteristic("FFF1", properties)
        let peripheral = try reach(PeripheralProgram.service("FFF0", published))
        #expect(central.subscribe(to: try #require(central.characteristic("FFF1", of: peripheral))))
        #expect(world.run { published.subscribedCentrals?.count == 1 })
        #expect(band.manager.updateValue(Data([4]), for: published, onSubscribedCentrals: nil))
        #expect(central.wait(for: "value FFF1 04 ok"))
        try central.phone.captureHCI(to: nil)
        let packets = BTSnoopReader.records(in: Array(try Data(contentsOf: file))).0.map(\.packet)
        let values = packets.filter { Self.carries(4, $0) }
        // Handle Value Indication or Notification. [Vol 3, Part F, 3.4.7]
        #expect(values.map { $0[9] } == [isIndicated ? 0x1D : 0x1B])
    }

    @Test func `12 and 13 power off keeps the services, and advertising has to be started again`() throws {
        #expect(band.publish([PeripheralProgram.service("FFF0")], name: "band"))
        band.phone.powerOff()
        world.advance(by: .seconds(1))
        band.phone.powerOn()
        world.advance(by: .seconds(1))
        #expect(!band.manager.isAdvertising)
        #expect(central.find("band", timeout: .seconds(3)) == nil)
        band.manager.startAdvertising([CBAdvertisementDataLocalNameKey: "band"])
        let peripheral = try #require(central.reach("band"))
        #expect(peripheral.services?.map(\.uuid.uuidString) == ["FFF0"])
    }
}
