import CoreBluetooth
import CoreBluetoothSimulation
import Foundation
import Testing

/// The peripheral of the tutorials, with an ordinary program in both roles.
@Suite struct PeripheralFlowTests {
    private let world = World(seed: 1)
    private let band: PeripheralProgram
    private let central: CentralProgram
    private let notifying = CBMutableCharacteristic(
        type: CBUUID(string: "FFF1"), properties: .notify, value: nil, permissions: .readable)
    private let readWrite = CBMutableCharacteristic(
        type: CBUUID(string: "FFF2"), properties: [.read, .write], value: nil, permissions: [.readable, .writeable])
    private let fixed = CBMutableCharacteristic(
        type: CBUUID(string: "FFE1"), properties: .read, value: Data([1, 2]), permissions: .readable)
    private let services: [CBMutableService]

    init() {
        readWrite.descriptors = [CBMutableDescriptor(type: CBUUID(string: "2901"), value: "xmgDes1")]
        services = [
            PeripheralProgram.service("FFF0", notifying, readWrite), PeripheralProgram.service("FFE0", fixed),
        ]
        // An old link, so that values are longer than a packet.
        band = PeripheralProgram(world, on: world.addPhone("band", profile: .bluetooth4))
        central = CentralProgram(world, on: world.addPhone("phone"))
    }

    private func reach() throws -> CBPeripheral {
        #expect(band.publish(services, name: "OBand-75"))
        return try #require(central.reach("OBand-75"))
    }

    @Test func `it tells of its state, of each service, then of advertising`() {
        #expect(band.publish(services, name: "OBand-75"))
        #expect(band.lines == ["state poweredOn", "added FFF0 ok", "added FFE0 ok", "advertising ok"])
        #expect(band.phone.linkState == .advertising)
    }

    @Test func `it is found by its services without a name`() {
        #expect(band.publish(services, name: nil, advertises: services.map(\.uuid)))
        world.run { central.manager.state == .poweredOn }
        central.manager.scanForPeripherals(withServices: [CBUUID(string: "FFE0")])
        #expect(world.run { central.discoveries > 0 })
        #expect(central.has("discovered - -40"))
    }

    @Test func `a scan no longer finds it once it has stopped advertising`() {
        #expect(band.publish(services, name: "OBand-75"))
        band.manager.stopAdvertising()
        #expect(!band.manager.isAdvertising)
        #expect(central.find("OBand-75", timeout: .seconds(5)) == nil)
        #expect(band.phone.linkState == .standby)
    }

    @Test func `a read of a dynamic value is asked of it`() throws {
        let peripheral = try reach()
        readWrite.value = Data([5, 6])
        peripheral.readValue(for: try #require(central.characteristic("FFF2", of: peripheral)))
        #expect(central.wait(for: "value FFF2 0506 ok"))
        #expect(band.has("read FFF2 at 0"))
    }

    @Test func `a read of a fixed value is answered for it`() throws {
        let peripheral = try reach()
        peripheral.readValue(for: try #require(central.characteristic("FFE1", of: peripheral)))
        #expect(central.wait(for: "value FFE1 0102 ok"))
        #expect(band.count("read") == 0)
    }

    @Test func `a long value is asked for part by part`() throws {
        let peripheral = try reach()
        readWrite.value = Data(0..<50)
        peripheral.readValue(for: try #require(central.characteristic("FFF2", of: peripheral)))
        #expect(central.wait(for: "value FFF2 \(Data(0..<50).hex) ok"))
        #expect(band.lines.filter { $0.hasPrefix("read") } == ["read FFF2 at 0", "read FFF2 at 22", "read FFF2 at 44"])
    }

    @Test func `what is written is in the object that was added, and can be read`() throws {
        let peripheral = try reach()
        let remote = try #require(central.characteristic("FFF2", of: peripheral))
        peripheral.writeValue(Data([7]), for: remote, type: .withResponse)
        #expect(central.wait(for: "written FFF2 ok"))
        #expect(readWrite.value == Data([7]))
        peripheral.readValue(for: remote)
        #expect(central.wait(for: "value FFF2 07 ok"))
    }

    @Test func `a long write comes as one call`() throws {
        let peripheral = try reach()
        let remote = try #require(central.characteristic("FFF2", of: peripheral))
        peripheral.writeValue(Data(0..<60), for: remote, type: .withResponse)
        #expect(central.wait(for: "written FFF2 ok"))
        #expect(readWrite.value == Data(0..<60))
    }

    @Test func `a subscriber gets what it sends, until it unsubscribes`() throws {
        let peripheral = try reach()
        let remote = try #require(central.characteristic("FFF1", of: peripheral))
        #expect(central.subscribe(to: remote))
        #expect(band.has("subscribed FFF1"))
        #expect(notifying.subscribedCentrals?.count == 1)
        #expect(band.manager.updateValue(Data("time".utf8), for: notifying, onSubscribedCentrals: nil))
        #expect(central.wait(for: "value FFF1 \(Data("time".utf8).hex) ok"))
        #expect(central.subscribe(to: remote, false))
        #expect(band.has("unsubscribed FFF1"))
        #expect(notifying.subscribedCentrals ?? [] == [])
    }

    @Test func `a subscriber that goes away is unsubscribed`() throws {
        let peripheral = try reach()
        #expect(central.subscribe(to: try #require(central.characteristic("FFF1", of: peripheral))))
        central.phone.setOutOfRange(of: band.phone)
        #expect(world.run { band.has("unsubscribed FFF1") })
        #expect(central.wait(for: "disconnected band CBError.6"), "\(central.lines)")
        withExtendedLifetime(peripheral) {}
    }

    @Test func `a value that needs encryption is refused to a central without it`() throws {
        let email = CBMutableCharacteristic(
            type: CBUUID(string: "71DA3FD1-7E10-41C1-B16F-4430B506CDE8"),
            properties: [.read, .notifyEncryptionRequired], value: nil, permissions: .readEncryptionRequired)
        central.phone.pairing.isEnabled = false
        #expect(band.publish([PeripheralProgram.service("71DA3FD1-7E10-41C1-B16F-4430B506CDE7", email)], name: "mail"))
        let peripheral = try #require(central.reach("mail"))
        peripheral.readValue(for: try #require(central.characteristics(of: peripheral).first))
        #expect(central.wait(for: "value \(email.uuid.uuidString) nil CBATTError.5"))
    }

    @Test func `a value longer than the link takes is cut, and nothing stops`() throws {
        // Field case F42.
        let peripheral = try reach()
        #expect(central.subscribe(to: try #require(central.characteristic("FFF1", of: peripheral))))
        #expect(band.manager.updateValue(Data(count: 512), for: notifying, onSubscribedCentrals: nil))
        #expect(central.wait(for: "value FFF1 \(Data(count: 20).hex) ok"))
    }

    @Test func `a request without an answer ends the link after thirty seconds`() throws {
        let peripheral = try reach()
        band.answers = false
        let start = world.now
        peripheral.readValue(for: try #require(central.characteristic("FFF2", of: peripheral)))
        #expect(world.run(until: { central.count("disconnected") == 1 }, timeout: .seconds(40)))
        #expect((Duration.seconds(30)...Duration.seconds(31)).contains(world.now - start))
    }
}
