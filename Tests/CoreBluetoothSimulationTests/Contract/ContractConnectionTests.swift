import CoreBluetooth
import CoreBluetoothSimulation
import Foundation
import Testing

/// Statements of the behaviour contract about scanning, identity and connections, over real packets in virtual time.
@Suite struct ContractConnectionTests {
    private let world = World(seed: 7)
    private let central: CentralProgram

    init() { central = CentralProgram(world, on: world.addPhone("phone")) }

    private func addSensor(_ name: String = "sensor") -> PeripheralDevice {
        world.addPeripheral(
            VirtualPeripheral(name).advertising(services: [CBUUID(string: "180D")])
                .service(
                    CBUUID(string: "180D"), VirtualCharacteristic(CBUUID(string: "2A37"), .notify),
                    VirtualCharacteristic(CBUUID(string: "2A38"), .read, value: Data([1]))))
    }

    @Test func `18 a scan for services reports only devices that advertise one of them`() {
        _ = addSensor()
        world.addPeripheral(VirtualPeripheral("other").advertising(services: [CBUUID(string: "1809")]))
        central.wait(for: "state poweredOn")
        central.manager.scanForPeripherals(withServices: [CBUUID(string: "1802"), CBUUID(string: "180D")])
        world.advance(by: .seconds(2))
        #expect(central.peripherals.map(\.name) == ["sensor"])
    }

    @Test func `24 a filter by the long form finds the short form`() {
        _ = addSensor()
        central.wait(for: "state poweredOn")
        central.manager.scanForPeripherals(
            withServices: [CBUUID(string: "0000180D-0000-1000-8000-00805F9B34FB")])
        world.advance(by: .seconds(2))
        #expect(central.peripherals.map(\.name) == ["sensor"])
    }

    @Test func `20 a second call replaces the services of the first`() {
        _ = addSensor()
        world.addPeripheral(VirtualPeripheral("other").advertising(services: [CBUUID(string: "1809")]))
        central.wait(for: "state poweredOn")
        central.manager.scanForPeripherals(withServices: [CBUUID(string: "180D")])
        central.manager.scanForPeripherals(withServices: [CBUUID(string: "1809")])
        world.advance(by: .seconds(2))
        #expect(central.peripherals.map(\.name) == ["other"])
    }

    @Test(arguments: [(false, 1...1), (true, 5...100)])
    func `21 one device is reported once, with AllowDuplicates at each advertisement`(
        duplicates: Bool, count: ClosedRange<Int>
    ) {
        _ = addSensor()
        central.wait(for: "state poweredOn")
        central.manager.scanForPeripherals(
            withServices: nil, options: [CBCentralManagerScanOptionAllowDuplicatesKey: duplicates])
        world.advance(by: .seconds(2))
        #expect(count.contains(central.discoveries))
    }

    @Test func `23 a new scan reports again what the last one had reported`() {
        _ = addSensor()
        #expect(central.find("sensor") != nil)
        #expect(central.discoveries == 1)
        central.manager.scanForPeripherals(withServices: nil)
        world.advance(by: .seconds(2))
        #expect(central.discoveries == 2)
        #expect(central.peripherals.count == 1)
    }

    @Test func `34 and 35 one device is one object, and one identifier for all managers of a phone`() throws {
        _ = addSensor()
        let other = CentralProgram(world, on: central.phone)
        let one = try #require(central.find("sensor"))
        let two = try #require(other.find("sensor"))
        #expect(one !== two)
        #expect(one.identifier == two.identifier)
    }

    @Test func `35 another phone knows the device by another identifier`() throws {
        _ = addSensor()
        let other = CentralProgram(world, on: world.addPhone("other phone"))
        let one = try #require(central.find("sensor"))
        let two = try #require(other.find("sensor"))
        #expect(one.identifier != two.identifier)
    }

    @Test func `37 after a connection the GAP Device Name wins over the advertised one`() throws {
        world.addPeripheral(VirtualPeripheral("Device Name").advertising(localName: "advertised"))
        let peripheral = try #require(central.find("advertised"))
        #expect(central.connect(peripheral))
        world.advance(by: .seconds(2))
        #expect(peripheral.name == "Device Name")
        central.manager.cancelPeripheralConnection(peripheral)
        world.advance(by: .seconds(1))
        central.manager.scanForPeripherals(withServices: nil)
        world.advance(by: .seconds(2))
        #expect(peripheral.name == "Device Name")
        #expect(central.has("discovered advertised -40"))
    }

    @Test func `40 a device that was found is retrieved by its identifier`() throws {
        _ = addSensor()
        let peripheral = try #require(central.find("sensor"))
        let found = central.manager.retrievePeripherals(withIdentifiers: [UUID(), peripheral.identifier])
        #expect(found.count == 1)
        #expect(found.first === peripheral)
    }

    @Test func `41 a device that another manager has connected is retrieved, and connects at once`() throws {
        _ = addSensor()
        let other = CentralProgram(world, on: central.phone)
        _ = try #require(other.reach("sensor"))
        central.wait(for: "state poweredOn")
        let found = central.manager.retrieveConnectedPeripherals(withServices: [CBUUID(string: "180D")])
        let peripheral = try #require(found.first)
        #expect(peripheral.state == .disconnected)
        #expect(central.connect(peripheral, timeout: .milliseconds(10)))
        // The link stays while one of the two wants it. [contract 46]
        other.manager.cancelPeripheralConnection(other.peripherals[0])
        world.advance(by: .seconds(1))
        #expect(other.has("disconnected sensor ok"))
        #expect(peripheral.state == .connected)
        #expect(central.count("disconnected") == 0)
    }

    @Test func `42 and 45 a pending connection waits as long as one likes, and its cancelling is a disconnection`()
        throws
    {
        let device = addSensor()
        let peripheral = try #require(central.find("sensor"))
        device.powerOff()
        central.manager.connect(peripheral)
        world.advance(by: .seconds(600))
        #expect(peripheral.state == .connecting)
        central.manager.cancelPeripheralConnection(peripheral)
        #expect(central.wait(for: "disconnected sensor ok", timeout: .seconds(1)))
        #expect(central.count("connected") == 0)
        #expect(central.count("failed") == 0)
    }

    @Test func `46 and 54 a connection that is cancelled ends without an error, and its objects with it`() throws {
        _ = addSensor()
        let peripheral = try #require(central.reach("sensor"))
        let characteristic = try #require(central.characteristic("2A38", of: peripheral))
        central.manager.cancelPeripheralConnection(peripheral)
        #expect(peripheral.state == .disconnecting)
        #expect(central.wait(for: "disconnected sensor ok"))
        #expect(peripheral.services == nil)
        #expect(central.connect(peripheral))
        #expect(central.explore(peripheral))
        #expect(central.characteristic("2A38", of: peripheral) !== characteristic)
        peripheral.readValue(for: characteristic)
        #expect(central.wait(for: "value 2A38 nil CBError.2"))
    }

    @Test func `48 a link out of range is lost with a time-out`() throws {
        let device = addSensor()
        let peripheral = try #require(central.find("sensor"))
        central.connect(peripheral)
        central.phone.setOutOfRange(of: device)
        #expect(central.wait(for: "disconnected sensor CBError.6"))
    }

    @Test func `52 with automatic reconnection a lost link is made again by itself`() throws {
        let device = addSensor()
        let delegate = ReconnectingDelegate(central.diary)
        let peripheral = try #require(central.find("sensor"))
        central.manager.delegate = delegate
        central.manager.connect(peripheral, options: [CBConnectPeripheralOptionEnableAutoReconnect: true])
        #expect(world.run { peripheral.state == .connected })
        central.phone.setOutOfRange(of: device)
        #expect(central.wait(for: "lost, reconnecting true, CBError.6"))
        #expect(peripheral.state == .connecting)
        central.phone.setOutOfRange(false, of: device)
        #expect(world.run { self.central.count("made") == 2 })
        #expect(peripheral.state == .connected)
    }

    @Test func `53 with the older callback there is no automatic reconnection`() throws {
        let device = addSensor()
        let peripheral = try #require(central.find("sensor"))
        central.manager.connect(peripheral, options: [CBConnectPeripheralOptionEnableAutoReconnect: true])
        #expect(world.run { peripheral.state == .connected })
        central.phone.setOutOfRange(of: device)
        #expect(central.wait(for: "disconnected sensor CBError.6"))
        central.phone.setOutOfRange(false, of: device)
        world.advance(by: .seconds(10))
        #expect(peripheral.state == .disconnected)
        #expect(central.count("connected") == 1)
    }

    @Test func `55 a subscription has to be made again after a connection`() throws {
        let device = addSensor()
        let peripheral = try #require(central.reach("sensor"))
        #expect(central.subscribe(to: try #require(central.characteristic("2A37", of: peripheral))))
        device.disconnect()
        #expect(central.wait(for: "disconnected sensor CBError.7"))
        #expect(central.connect(peripheral))
        #expect(central.explore(peripheral))
        #expect(central.characteristic("2A37", of: peripheral)?.isNotifying == false)
        #expect(device.subscribers(of: CBUUID(string: "2A37")) == 0)
    }

    @Test func `33 a peripheral that is forgotten ends its link`() {
        let device = addSensor()
        central.wait(for: "state poweredOn")
        var keeper: Keeper? = Keeper(on: central.phone)
        world.run(until: { device.isConnected })
        #expect(device.isConnected)
        keeper?.forget()
        world.advance(by: .seconds(1))
        #expect(!device.isConnected)
        keeper = nil
    }

    @Test func `16 a manager that goes ends its links`() {
        let device = addSensor()
        var keeper: Keeper? = Keeper(on: central.phone)
        world.run(until: { device.isConnected })
        #expect(device.isConnected)
        keeper = nil
        world.advance(by: .seconds(1))
        #expect(!device.isConnected)
        #expect(keeper == nil)
    }
}

/// A delegate with the newer callback for disconnections.
private final class ReconnectingDelegate: NSObject, CBCentralManagerDelegate {
    private let diary: Diary
    init(_ diary: Diary) { self.diary = diary }
    func centralManagerDidUpdateState(_ central: CBCentralManager) {}
    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) { diary.write("made") }
    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, timestamp: CFAbsoluteTime,
        isReconnecting: Bool, error: (any Error)?
    ) { diary.write("lost, reconnecting \(isReconnecting), \(text(error))") }
}

/// A program that connects to what it finds first and keeps nothing else.
private final class Keeper: NSObject, CBCentralManagerDelegate, @unchecked Sendable {
    private var manager: CBCentralManager?
    private var peripheral: CBPeripheral?
    private let queue = DispatchQueue(label: "keeper")

    init(on phone: Phone) {
        super.init()
        manager = phone.run { CBCentralManager(delegate: self, queue: queue) }
    }

    func forget() { queue.sync { peripheral = nil } }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        if central.state == .poweredOn { central.scanForPeripherals(withServices: nil) }
    }
    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        self.peripheral = peripheral
        central.stopScan()
        central.connect(peripheral)
    }
}
