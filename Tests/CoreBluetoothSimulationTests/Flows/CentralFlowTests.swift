import CoreBluetooth
import CoreBluetoothSimulation
import Foundation
import Testing

/// The central of the tutorials, against a peripheral that plays itself.
@Suite struct CentralFlowTests {
    private static let band = VirtualPeripheral("OBand-75")
        .advertising(services: [CBUUID(string: "FFF0")])
        .service(
            CBUUID(string: "FFF0"),
            VirtualCharacteristic(CBUUID(string: "FFF1"), .notify),
            VirtualCharacteristic(CBUUID(string: "FFF2"), [.read, .write], value: Data("band".utf8))
                .described(as: "xmgDes1")
        )
        .service(CBUUID(string: "FFE0"), VirtualCharacteristic(CBUUID(string: "FFE1"), .read, value: Data([1, 2, 3])))

    private let world = World(seed: 1)
    private let central: CentralProgram
    private let band: PeripheralDevice

    init() {
        band = world.addPeripheral(Self.band)
        central = CentralProgram(world, on: world.addPhone("phone"))
    }

    @Test func `the state comes first, and is powered on`() {
        #expect(central.manager.state == .unknown)
        central.wait(for: "state poweredOn")
        #expect(central.lines == ["state poweredOn"])
    }

    @Test func `a scan finds the band once, with its name and strength`() {
        #expect(central.find("OBand-75") != nil)
        world.advance(by: .seconds(5))
        #expect(central.lines == ["state poweredOn", "discovered OBand-75 -40"])
    }

    @Test func `it connects, and both link layers say so`() throws {
        let peripheral = try #require(central.find("OBand-75"))
        #expect(central.connect(peripheral))
        #expect(central.has("connected OBand-75"))
        #expect(central.phone.linkState == .connectedAsCentral)
        #expect(band.linkState == .connectedAsPeripheral)
        #expect(band.isConnected)
    }

    @Test func `it discovers the whole tree in order`() throws {
        let peripheral = try #require(central.reach("OBand-75"))
        #expect(peripheral.services?.map(\.uuid.uuidString) == ["FFF0", "FFE0"])
        #expect(central.has("characteristics of FFF0 FFF1 FFF2 ok"))
        #expect(central.has("characteristics of FFE0 FFE1 ok"))
        #expect(central.has("descriptors of FFF1 2902 ok"))
        #expect(central.has("descriptors of FFF2 2901 ok"))
    }

    @Test func `it reads values and descriptors`() throws {
        let peripheral = try #require(central.reach("OBand-75"))
        peripheral.readValue(for: try #require(central.characteristic("FFE1", of: peripheral)))
        central.wait(for: "value FFE1 010203 ok")
        let described = try #require(central.characteristic("FFF2", of: peripheral))
        peripheral.readValue(for: try #require(described.descriptors?.first))
        #expect(central.wait(for: "descriptor 2901 xmgDes1 ok"))
    }

    @Test func `it writes with response, and the band has the value`() throws {
        let peripheral = try #require(central.reach("OBand-75"))
        let writable = try #require(central.characteristic("FFF2", of: peripheral))
        peripheral.writeValue(Data([9, 8]), for: writable, type: .withResponse)
        #expect(central.wait(for: "written FFF2 ok"))
        #expect(band.value(of: CBUUID(string: "FFF2")) == Data([9, 8]))
    }

    @Test func `what can't be read is an error from the band`() throws {
        let peripheral = try #require(central.reach("OBand-75"))
        peripheral.readValue(for: try #require(central.characteristic("FFF1", of: peripheral)))
        #expect(central.wait(for: "value FFF1 nil CBATTError.2"))
    }

    @Test func `it subscribes, is notified, and unsubscribes`() throws {
        let peripheral = try #require(central.reach("OBand-75"))
        let notifying = try #require(central.characteristic("FFF1", of: peripheral))
        #expect(central.subscribe(to: notifying))
        #expect(band.subscribers(of: CBUUID(string: "FFF1")) == 1)
        band.notify(Data([7]), of: CBUUID(string: "FFF1"))
        #expect(central.wait(for: "value FFF1 07 ok"))
        #expect(central.subscribe(to: notifying, false))
        band.notify(Data([8]), of: CBUUID(string: "FFF1"))
        world.advance(by: .seconds(1))
        #expect(!central.has("value FFF1 08 ok"))
    }

    @Test func `it reads the strength of the link`() throws {
        let peripheral = try #require(central.find("OBand-75"))
        central.connect(peripheral)
        central.phone.setRSSI(-67, to: band)
        world.advance(by: .seconds(1))
        peripheral.readRSSI()
        #expect(central.wait(for: "rssi -67 ok"))
    }

    @Test func `it disconnects without an error, and the band can be found again`() throws {
        let peripheral = try #require(central.find("OBand-75"))
        central.connect(peripheral)
        central.manager.cancelPeripheralConnection(peripheral)
        #expect(central.wait(for: "disconnected OBand-75 ok"))
        world.advance(by: .seconds(1))
        #expect(band.linkState == .advertising)
        #expect(central.phone.linkState == .standby)
    }

    @Test func `the band ends the link, and that is an error with the code 7`() throws {
        let peripheral = try #require(central.find("OBand-75"))
        central.connect(peripheral)
        band.disconnect()
        #expect(central.wait(for: "disconnected OBand-75 CBError.7"))
    }

    @Test func `a value that the band is asked for is made when it is read`() throws {
        let counter = Counter()
        world.addPeripheral(
            VirtualPeripheral("asked").advertising().service(
                CBUUID(string: "AA00"),
                VirtualCharacteristic(CBUUID(string: "AA01"), .read).onRead { _ in Data([counter.next()]) }))
        let peripheral = try #require(central.reach("asked"))
        let readable = try #require(central.characteristic("AA01", of: peripheral))
        peripheral.readValue(for: readable)
        peripheral.readValue(for: readable)
        #expect(central.wait(for: "value AA01 02 ok"))
        #expect(central.has("value AA01 01 ok"))
    }

    @Test func `a write that the device refuses is its error, and its value stays`() throws {
        let device = world.addPeripheral(
            VirtualPeripheral("refuses").advertising().service(
                CBUUID(string: "AA00"),
                VirtualCharacteristic(CBUUID(string: "AA01"), .write, value: Data([1])).onWrite { _, _ in
                    throw CBATTError(.insufficientResources)
                }))
        let peripheral = try #require(central.reach("refuses"))
        let writable = try #require(central.characteristic("AA01", of: peripheral))
        peripheral.writeValue(Data([2]), for: writable, type: .withResponse)
        #expect(central.wait(for: "written AA01 CBATTError.17"))
        #expect(device.value(of: CBUUID(string: "AA01")) == Data([1]))
    }

    private final class Counter: @unchecked Sendable {
        private var count: UInt8 = 0
        func next() -> UInt8 {
            count += 1
            return count
        }
    }
}
