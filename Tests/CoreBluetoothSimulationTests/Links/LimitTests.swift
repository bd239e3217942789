import CoreBluetooth
import CoreBluetoothSimulation
import Foundation
import Testing

/// How many links there can be. [seed flow T1.4]
@Suite struct LimitTests {
    private let world = World(seed: 1)

    private func sensors(_ count: Int) -> [PeripheralDevice] {
        (1...count).map { number in
            world.addPeripheral(
                VirtualPeripheral("sensor \(number)").advertising().service(
                    CBUUID(string: "AA00"),
                    VirtualCharacteristic(CBUUID(string: "AA01"), [.read, .notify], value: Data([UInt8(number)]))))
        }
    }

    @Test func `the eighth link of a central that can have seven is refused, and seven go on`() throws {
        let devices = sensors(8)
        let central = CentralProgram(world, on: world.addPhone("phone", profile: .sevenLinks))
        for number in 1...7 {
            let peripheral = try #require(central.find("sensor \(number)"))
            #expect(central.connect(peripheral))
        }
        let eighth = try #require(central.find("sensor 8"))
        central.manager.connect(eighth)
        #expect(central.wait(for: "failed sensor 8 CBError.11"))
        world.advance(by: .seconds(5))
        #expect(central.peripherals.count { $0.state == .connected } == 7)
        #expect(devices.map(\.isConnected) == [true, true, true, true, true, true, true, false])
        #expect(central.count("disconnected") == 0)
    }

    @Test func `a link that ends makes room for another`() throws {
        _ = sensors(8)
        let central = CentralProgram(world, on: world.addPhone("phone", profile: .sevenLinks))
        for number in 1...7 { #expect(central.connect(try #require(central.find("sensor \(number)")))) }
        let first = try #require(central.peripheral("sensor 1"))
        central.manager.cancelPeripheralConnection(first)
        #expect(central.wait(for: "disconnected sensor 1 ok"))
        #expect(central.connect(try #require(central.find("sensor 8"))))
    }

    @Test func `a peripheral that can have one link keeps it when a second central comes`() throws {
        let program = PeripheralProgram(world, on: world.addPhone("band", profile: .sevenLinks))
        #expect(program.publish([], name: "band"))
        let first = CentralProgram(world, on: world.addPhone("first"))
        let second = CentralProgram(world, on: world.addPhone("second"))
        let one = try #require(first.find("band"))
        let two = try #require(second.find("band"))
        #expect(first.connect(one))
        two.delegate = second
        second.manager.connect(two)
        world.advance(by: .seconds(10))
        #expect(one.state == .connected)
        #expect(two.state == .connecting)
        first.manager.cancelPeripheralConnection(one)
        #expect(world.run(until: { two.state == .connected }, timeout: .seconds(10)))
    }

    @Test(arguments: [5, 8, 20])
    func `twenty devices, random losses: what happens to one is told of that one`(links: Int) throws {
        // Field case F39.
        let devices = sensors(20)
        var profile = PhoneProfile()
        profile.links = links
        profile.linksAsCentral = links
        let central = CentralProgram(world, on: world.addPhone("phone", profile: profile))
        world.run { central.manager.state == .poweredOn }
        central.manager.scanForPeripherals(withServices: nil)
        world.run { central.peripherals.count == 20 }
        central.manager.stopScan()
        // All at once: a queue of pending connections.
        for peripheral in central.peripherals {
            peripheral.delegate = central
            central.manager.connect(peripheral)
        }
        #expect(world.run { central.count("connected") + central.count("failed") == 20 })
        let connected = central.peripherals.filter { $0.state == .connected }
        #expect(connected.count == links)
        #expect(central.lines.count { $0.hasPrefix("failed") && $0.hasSuffix("CBError.11") } == 20 - links)
        for peripheral in connected {
            #expect(central.explore(peripheral))
            central.subscribe(to: try #require(central.characteristic("AA01", of: peripheral)))
        }
        // Every second one goes.
        let names = connected.compactMap(\.name)
        for (position, name) in names.enumerated() where position % 2 == 0 {
            devices.first { $0.name == name }?.disconnect()
        }
        world.advance(by: .seconds(2))
        for (position, name) in names.enumerated() {
            #expect(central.has("disconnected \(name) CBError.7") == (position % 2 == 0))
        }
        // Who stayed still gets its own device's values, and nobody else's.
        for device in devices where device.isConnected {
            device.notify(Data(device.name.utf8), of: CBUUID(string: "AA01"))
            #expect(central.wait(for: "value AA01 \(Data(device.name.utf8).hex) ok"))
        }
    }

    @Test func `one phone is central and peripheral at once`() throws {
        // Field case F3.
        _ = sensors(1)
        let middle = world.addPhone("middle")
        let asCentral = CentralProgram(world, on: middle)
        let asPeripheral = PeripheralProgram(world, on: middle)
        let value = CBMutableCharacteristic(
            type: CBUUID(string: "BB01"), properties: .read, value: Data([9]), permissions: .readable)
        #expect(asPeripheral.publish([PeripheralProgram.service("BB00", value)], name: "middle"))
        let other = CentralProgram(world, on: world.addPhone("other"))
        let sensor = try #require(asCentral.reach("sensor 1"))
        let relay = try #require(other.reach("middle"))
        #expect(middle.linkState.isSuperset(of: [.connectedAsCentral, .connectedAsPeripheral]))
        sensor.readValue(for: try #require(asCentral.characteristic("AA01", of: sensor)))
        relay.readValue(for: try #require(other.characteristic("BB01", of: relay)))
        #expect(asCentral.wait(for: "value AA01 01 ok"))
        #expect(other.wait(for: "value BB01 09 ok"))
    }
}
