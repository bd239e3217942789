import CoreBluetooth
import CoreBluetoothSimulation
import Foundation
import Testing

/// Advertisements as scanners get them.
@Suite struct AdvertisingTests {
    private let world = World(seed: 1)

    @Test func `with duplicates, every change of the payload is reported`() {
        // Field case F28.
        let device = world.addPeripheral(
            VirtualPeripheral("beacon").advertising(localName: "", manufacturerData: Data([0xFF, 0xFF, 0])))
        world.every(0.1) { [world] in
            let number = UInt8(truncatingIfNeeded: Int(world.now / .milliseconds(100))) % 4
            device.startAdvertising(
                localName: "", manufacturerData: Data([0xFF, 0xFF, number]), interval: .milliseconds(20))
        }
        let central = CentralProgram(world, on: world.addPhone("phone"))
        world.run { central.manager.state == .poweredOn }
        central.manager.scanForPeripherals(
            withServices: nil, options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
        world.advance(by: .seconds(10))
        var changes: [String] = []
        for line in central.lines where line.hasPrefix("manufacturer") && line != changes.last { changes.append(line) }
        // A hundred payloads one after another, give or take the one at either end.
        #expect((98...101).contains(changes.count))
        #expect(changes.dropFirst(1).prefix(4).count == 4)
        #expect(Set(changes).count == 4)
    }

    @Test func `without duplicates, one report`() {
        world.addPeripheral(VirtualPeripheral("beacon").advertising(interval: .milliseconds(20)))
        let central = CentralProgram(world, on: world.addPhone("phone"))
        world.run { central.manager.state == .poweredOn }
        central.manager.scanForPeripherals(withServices: nil)
        world.advance(by: .seconds(10))
        #expect(central.discoveries == 1)
    }

    @Test func `with duplicates, a report for each advertising event that is heard`() {
        world.addPeripheral(
            VirtualPeripheral("beacon").nonConnectable().advertising(interval: .milliseconds(100)))
        let central = CentralProgram(world, on: world.addPhone("phone"))
        world.run { central.manager.state == .poweredOn }
        central.manager.scanForPeripherals(
            withServices: nil, options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
        world.advance(by: .seconds(10))
        // Every 100 to 110 ms.
        #expect((90...101).contains(central.discoveries))
    }

    @Test func `a name that doesn't fit goes to the scan response`() {
        world.addPeripheral(
            VirtualPeripheral("a name of twenty six letters").advertising(
                services: [CBUUID(string: "9830BC16-5CE7-43CD-996F-74E9110C4CEA")]))
        let central = CentralProgram(world, on: world.addPhone("phone"))
        #expect(central.find("a name of twenty six letters") != nil)
    }

    @Test func `what can't be connected to says so`() throws {
        world.addPeripheral(VirtualPeripheral("beacon").nonConnectable().advertising())
        let central = CentralProgram(world, on: world.addPhone("phone"))
        let peripheral = try #require(central.find("beacon"))
        #expect(!central.connect(peripheral, timeout: .seconds(5)))
    }
}
