import CoreBluetooth
import CoreBluetoothSimulation
import Foundation
import Testing

/// Statements of the behaviour contract about what is on the air and what a discovery says of it.
@Suite struct ContractAdvertisingTests {
    private let world = World(seed: 7)
    private let central: CentralProgram
    private static let custom = (0..<3).map { CBUUID(string: "71DA3FD1-7E10-41C1-B16F-4430B506CDE\(7 + $0)") }

    init() { central = CentralProgram(world, on: world.addPhone("phone")) }

    /// Lets a phone advertise, with services of the same UUIDs.
    private func advertise(_ name: String?, _ uuids: [CBUUID]) -> PeripheralProgram {
        let program = PeripheralProgram(world, on: world.addPhone("other"))
        #expect(program.publish([], name: name, advertises: uuids))
        return program
    }

    /// The dictionaries of a scan of two seconds, in their order.
    private func scan(_ services: [CBUUID]? = nil, options: [String: Any]? = nil) -> [[String: Any]] {
        let listener = Listener()
        let manager = central.phone.run { CBCentralManager(delegate: listener, queue: DispatchQueue(label: "scan")) }
        world.run(until: { manager.state == .poweredOn }, timeout: .seconds(5))
        manager.scanForPeripherals(withServices: services, options: options)
        world.advance(by: .seconds(2))
        return listener.dictionaries
    }

    @Test func `22 a second call comes when the scan response adds something`() {
        world.addPeripheral(
            VirtualPeripheral("sensor").advertising(services: [CBUUID(string: "180D")] + Self.custom.prefix(2)))
        let found = scan()
        #expect(found.count == 2)
        #expect((found.first?[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID])?.count == 2)
        #expect((found.last?[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID])?.count == 3)
    }

    @Test func `26 a peripheral that is connected does not advertise, and is had by its services`() throws {
        world.addPeripheral(
            VirtualPeripheral("sensor").advertising().service(
                CBUUID(string: "180D"), VirtualCharacteristic(CBUUID(string: "2A38"), .read, value: Data([1]))))
        let peripheral = try #require(central.reach("sensor"))
        #expect(scan().isEmpty)
        let held = central.manager.retrieveConnectedPeripherals(withServices: [CBUUID(string: "180D")])
        #expect(held == [peripheral])
    }

    @Test func `28 and 38 the service list is that of both packets, the name that of the moment`() throws {
        world.addPeripheral(
            VirtualPeripheral("sensor").advertising(services: [CBUUID(string: "180D")] + Self.custom.prefix(2)))
        let found = try #require(scan().last)
        #expect(
            found[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID]
                == [CBUUID(string: "180D")] + Self.custom.prefix(2))
        #expect(found[CBAdvertisementDataLocalNameKey] as? String == "sensor")
    }

    @Test func `29 manufacturer data begins with the company's two octets as on the air`() throws {
        world.addPeripheral(VirtualPeripheral("beacon").advertising(manufacturerData: Data([0x59, 0x00, 1, 2])))
        let found = try #require(scan().last)
        #expect(found[CBAdvertisementDataManufacturerDataKey] as? Data == Data([0x59, 0x00, 1, 2]))
        #expect(found[CBAdvertisementDataOverflowServiceUUIDsKey] == nil)
    }

    @Test func `31 an advertiser that can't be connected is reported as such, with an identifier`() throws {
        world.addPeripheral(VirtualPeripheral("beacon").advertising().nonConnectable())
        let found = try #require(scan().last)
        #expect(found[CBAdvertisementDataIsConnectable] as? Bool == false)
        let beacon = try #require(central.find("beacon"))
        #expect(central.manager.retrievePeripherals(withIdentifiers: [beacon.identifier]) == [beacon])
    }

    @Test func `38 after the first connection the advertised name is in the dictionary only`() throws {
        world.addPeripheral(VirtualPeripheral("real name").advertising(localName: "on air"))
        let peripheral = try #require(central.find("on air"))
        central.connect(peripheral)
        #expect(world.run(until: { peripheral.name == "real name" }, timeout: .seconds(5)))
        central.manager.cancelPeripheralConnection(peripheral)
        world.advance(by: .seconds(1))
        central.manager.scanForPeripherals(withServices: nil)
        #expect(scan().last?[CBAdvertisementDataLocalNameKey] as? String == "on air")
        #expect(central.discoveries == 2)
        #expect(peripheral.name == "real name")
    }

    @Test func `112 services go first, the name has ten octets in the scan response`() throws {
        let program = advertise("0123456789AB", [Self.custom[0]])
        let found = try #require(scan().last)
        #expect(found[CBAdvertisementDataLocalNameKey] as? String == "0123456789")
        #expect(found[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] == [Self.custom[0]])
        #expect(program.manager.isAdvertising)
    }

    @Test func `25 and 113 a service in the overflow area is found by who looks for it, and by nobody else`() throws {
        let program = advertise("Thing", Self.custom)
        let found = try #require(scan([Self.custom[1]]).last)
        #expect(found[CBAdvertisementDataOverflowServiceUUIDsKey] as? [CBUUID] == [Self.custom[1]])
        #expect(found[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] == [Self.custom[0]])
        let everything = try #require(scan().last)
        #expect(everything[CBAdvertisementDataOverflowServiceUUIDsKey] == nil)
        let area = try #require(everything[CBAdvertisementDataManufacturerDataKey] as? Data)
        #expect(area.count == 19)
        #expect(area.prefix(3) == Data([0x4C, 0x00, 0x01]))
        #expect(scan([CBUUID(string: "180F")]).isEmpty)
        withExtendedLifetime(program) {}
    }

    @Test func `32, 113 and 114 in the background there is no name, and every service is in the overflow area`() throws
    {
        let program = advertise("Thing", [Self.custom[0], CBUUID(string: "180D")])
        program.phone.enterBackground()
        world.advance(by: .milliseconds(100))
        let found = try #require(scan([CBUUID(string: "180D")]).last)
        #expect(found[CBAdvertisementDataLocalNameKey] == nil)
        #expect(found[CBAdvertisementDataServiceUUIDsKey] == nil)
        #expect(found[CBAdvertisementDataOverflowServiceUUIDsKey] as? [CBUUID] == [CBUUID(string: "180D")])
        program.phone.enterForeground()
        world.advance(by: .milliseconds(100))
        #expect(scan().last?[CBAdvertisementDataLocalNameKey] as? String == "Thing")
    }

    @Test func `32 a scan in the background needs services, and duplicates are not reported`() {
        world.addPeripheral(VirtualPeripheral("belt").advertising(services: [CBUUID(string: "180D")]))
        let duplicates = [CBCentralManagerScanOptionAllowDuplicatesKey: true]
        #expect(scan([CBUUID(string: "180D")], options: duplicates).count > 5)
        central.phone.enterBackground()
        #expect(scan().isEmpty)
        #expect(scan([CBUUID(string: "180D")], options: duplicates).count == 1)
    }

    @Test func `17 and 57 options for a phone's alerts are accepted and do nothing`() throws {
        world.addPeripheral(VirtualPeripheral("sensor").advertising())
        let phone = world.addPhone("second")
        phone.powerOff()
        let listener = Listener()
        let manager = phone.run {
            CBCentralManager(
                delegate: listener, queue: DispatchQueue(label: "alert"),
                options: [CBCentralManagerOptionShowPowerAlertKey: true])
        }
        world.advance(by: .seconds(1))
        #expect(manager.state == .poweredOff)
        let peripheral = try #require(central.find("sensor"))
        central.manager.connect(
            peripheral,
            options: [
                CBConnectPeripheralOptionNotifyOnConnectionKey: true,
                CBConnectPeripheralOptionNotifyOnDisconnectionKey: true,
                CBConnectPeripheralOptionNotifyOnNotificationKey: true,
            ])
        #expect(central.wait(for: "connected sensor"))
    }
}

/// Keeps the dictionaries of a scan.
private final class Listener: NSObject, CBCentralManagerDelegate, @unchecked Sendable {
    private let lock = NSLock()
    private var found: [[String: Any]] = []
    var dictionaries: [[String: Any]] { lock.withLock { found } }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {}

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) { lock.withLock { found.append(advertisementData) } }
}
