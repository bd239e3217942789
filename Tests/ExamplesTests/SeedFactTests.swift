import CoreBluetooth
import CoreBluetoothSimulation
import Foundation
import Testing

/// Facts of the tutorials that no pair of example programs shows.
@Suite struct SeedFactTests {
    @Test(arguments: [
        (CBCharacteristicProperties.broadcast, UInt(0x01)), (.read, 0x02), (.writeWithoutResponse, 0x04),
        (.write, 0x08), (.notify, 0x10), (.indicate, 0x20), (.authenticatedSignedWrites, 0x40),
        (.extendedProperties, 0x80), (.notifyEncryptionRequired, 0x100), (.indicateEncryptionRequired, 0x200),
    ])
    func `the property mask has the values of the tutorial`(property: CBCharacteristicProperties, value: UInt) {
        #expect(property.rawValue == value)
    }

    @Test func `a short UUID equals its long form, and own UUIDs have 128 bits`() {
        #expect(CBUUID(string: "180D") == CBUUID(string: "0000180D-0000-1000-8000-00805F9B34FB"))
        #expect(CBUUID(string: "71DA3FD1-7E10-41C1-B16F-4430B506CDE7").data.count == 16)
    }

    @Test func `devices are standby, advertising, scanning, initiating and connected in either role`() {
        let world = World(seed: 1)
        let lock = world.addPhone("lock")
        let phone = world.addPhone("phone")
        #expect(lock.linkState == .standby)
        let publisher = Publisher(["Door lock"])
        let finder = Finder(connectsTo: 1)
        let queue = DispatchQueue(label: "test")
        let peripheral = lock.run { CBPeripheralManager(delegate: publisher, queue: queue) }
        #expect(world.run(until: { lock.linkState.contains(.advertising) }))
        let central = phone.run { CBCentralManager(delegate: finder, queue: queue) }
        #expect(world.run(until: { phone.linkState.contains(.scanning) }))
        #expect(world.run(until: { phone.linkState.contains(.initiating) }))
        #expect(world.run(until: { phone.linkState.contains(.connectedAsCentral) }))
        #expect(world.run(until: { lock.linkState.contains(.connectedAsPeripheral) }))
        withExtendedLifetime((peripheral, central)) {}
    }

    @Test func `the eighth connection of a controller with seven links fails with connectionLimitReached`() {
        let world = World(seed: 1)
        let queue = DispatchQueue(label: "test")
        let publishers = (1...8).map { Publisher(["P\($0)"]) }
        let peripherals = publishers.map { publisher in
            world.addPhone(publisher.services[0]).run { CBPeripheralManager(delegate: publisher, queue: queue) }
        }
        let finder = Finder(connectsTo: 8)
        let phone = world.addPhone("phone", profile: .sevenLinks)
        let central = phone.run { CBCentralManager(delegate: finder, queue: queue) }
        // The refusal comes at once, and so may be told before the seventh link is ready.
        let isDone = { finder.failures.count == 1 && finder.connected.count >= 7 }
        #expect(world.run(until: isDone, timeout: .seconds(60)))
        #expect(finder.connected.count == 7)
        #expect((finder.failures.first as? CBError)?.code == .connectionLimitReached)
        world.advance(by: .seconds(5))
        #expect(finder.connected.allSatisfy { $0.state == .connected })
        withExtendedLifetime((peripherals, central)) {}
    }

    @Test func `a full queue refuses an update, one ready callback follows, and every value arrives in order`() {
        let world = World(seed: 1)
        let queue = DispatchQueue(label: "test")
        let sender = Sender(count: 500)
        let receiver = Receiver()
        let peripheral = world.addPhone("sender").run { CBPeripheralManager(delegate: sender, queue: queue) }
        let central = world.addPhone("receiver").run { CBCentralManager(delegate: receiver, queue: queue) }
        #expect(world.run(until: { receiver.values.count == 500 }, timeout: .seconds(120)))
        #expect(receiver.values == (0..<500).map { Data("value \($0)".utf8) })
        #expect(sender.refusals > 0)
        #expect(sender.readyCalls == sender.refusals)
        withExtendedLifetime((peripheral, central)) {}
    }

    @Test func `an advertisement has 28 octets and 10 more for the name only, and other keys are not accepted`() throws
    {
        let world = World(seed: 1)
        let queue = DispatchQueue(label: "test")
        let publisher = Publisher([])
        publisher.advertisement = [
            CBAdvertisementDataLocalNameKey: "A name that is much too long for it",
            CBAdvertisementDataServiceUUIDsKey: [CBUUID(string: "71DA3FD1-7E10-41C1-B16F-4430B506CDE7")],
            CBAdvertisementDataManufacturerDataKey: Data([1, 2, 3]),
        ]
        let finder = Finder(connectsTo: 0)
        let peripheral = world.addPhone("long").run { CBPeripheralManager(delegate: publisher, queue: queue) }
        let central = world.addPhone("phone").run { CBCentralManager(delegate: finder, queue: queue) }
        world.advance(by: .seconds(3))
        let last = try #require(finder.advertisements.last)
        #expect(
            last[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID]
                == [CBUUID(string: "71DA3FD1-7E10-41C1-B16F-4430B506CDE7")])
        let name = try #require(last[CBAdvertisementDataLocalNameKey] as? String)
        #expect("A name that is much too long for it".hasPrefix(name))
        #expect(name.count >= 10 && name.count < 28)
        #expect(last[CBAdvertisementDataManufacturerDataKey] == nil)
        withExtendedLifetime((peripheral, central)) {}
    }

    @Test func `a peripheral connected by another program of the phone is retrieved by its service`() {
        let world = World(seed: 1)
        let queue = DispatchQueue(label: "test")
        let publisher = Publisher(["FFF0"])
        let finder = Finder(connectsTo: 1)
        finder.discovers = true
        let other = Finder(connectsTo: 0)
        let phone = world.addPhone("phone")
        let peripheral = world.addPhone("band").run { CBPeripheralManager(delegate: publisher, queue: queue) }
        let managers = phone.run {
            (CBCentralManager(delegate: finder, queue: queue), CBCentralManager(delegate: other, queue: queue))
        }
        world.run(until: { finder.hasServices })
        let found = managers.1.retrieveConnectedPeripherals(withServices: [CBUUID(string: "FFF0")])
        #expect(found.map(\.identifier) == finder.connected.map(\.identifier))
        #expect(found.first?.state == .disconnected)
        #expect(managers.1.retrieveConnectedPeripherals(withServices: [CBUUID(string: "FFE0")]).isEmpty)
        withExtendedLifetime((peripheral, managers)) {}
    }
}
