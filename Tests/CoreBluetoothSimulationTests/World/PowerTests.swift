import CoreBluetooth
import CoreBluetoothSimulation
import Foundation
import Testing

/// The state of the radio is an input of the test. [field case F8]
@Suite struct PowerTests {
    private static func states(_ radios: [Phone.Radio]) -> [String] {
        let world = World(seed: 1)
        let phone = world.addPhone("phone")
        let central = CentralProgram(world, on: phone)
        world.advance(by: .seconds(1))
        for radio in radios {
            phone.setRadio(radio)
            world.advance(by: .seconds(1))
        }
        return central.lines
    }

    @Test func `states come as they were set`() {
        #expect(
            Self.states([.off, .on, .unauthorized, .on, .unsupported])
                == [
                    "state poweredOn", "state poweredOff", "state poweredOn", "state unauthorized",
                    "state poweredOn", "state unsupported",
                ])
    }

    @Test func `a thousand runs of the same script write the same`() {
        let first = Self.states([.off, .on, .unauthorized])
        for _ in 1..<1_000 { #expect(Self.states([.off, .on, .unauthorized]) == first) }
    }

    @Test func `a phone that is off at the start says so first`() {
        let world = World(seed: 1)
        let phone = world.addPhone("phone")
        phone.powerOff()
        let central = CentralProgram(world, on: phone)
        world.advance(by: .seconds(1))
        #expect(central.lines == ["state poweredOff"])
    }

    @Test func `switched off, links end without a call, and the other side is told`() throws {
        // [contract 8]
        let world = World(seed: 1)
        let device = world.addPeripheral(VirtualPeripheral("sensor").advertising())
        let central = CentralProgram(world, on: world.addPhone("phone"))
        let peripheral = try #require(central.find("sensor"))
        central.connect(peripheral)
        central.phone.powerOff()
        #expect(central.wait(for: "state poweredOff"))
        #expect(peripheral.state == .disconnected)
        #expect(central.count("disconnected") == 0)
        world.advance(by: .seconds(1))
        #expect(!device.isConnected)
    }

    @Test func `a controller that is reset takes managers through resetting`() throws {
        let world = World(seed: 1)
        let device = world.addPeripheral(VirtualPeripheral("sensor").advertising())
        let central = CentralProgram(world, on: world.addPhone("phone"))
        let peripheral = try #require(central.find("sensor"))
        central.connect(peripheral)
        central.phone.resetController(downFor: .seconds(1))
        world.advance(by: .seconds(5))
        #expect(
            central.lines.filter { $0.hasPrefix("state") }
                == ["state poweredOn", "state resetting", "state poweredOn"])
        #expect(peripheral.state == .disconnected)
        // The device has lost the link by its supervision time-out, and is there again.
        #expect(central.find("sensor") != nil)
        #expect(device.linkState == .advertising)
    }

    @Test func `a device that is switched off goes, and comes back`() throws {
        let world = World(seed: 1)
        let device = world.addPeripheral(VirtualPeripheral("sensor").advertising())
        let central = CentralProgram(world, on: world.addPhone("phone"))
        let peripheral = try #require(central.find("sensor"))
        central.connect(peripheral)
        device.powerOff()
        #expect(world.run(until: { central.count("disconnected sensor") == 1 }, timeout: .seconds(5)))
        #expect(device.linkState == .standby)
        device.powerOn()
        #expect(central.find("sensor") != nil)
        #expect(central.connect(peripheral))
    }

    @Test func `a stalled controller holds everything back, and loses nothing`() throws {
        let world = World(seed: 1)
        let device = world.addPeripheral(
            VirtualPeripheral("sensor").advertising().service(
                CBUUID(string: "AA00"), VirtualCharacteristic(CBUUID(string: "AA01"), .notify)))
        let central = CentralProgram(world, on: world.addPhone("phone"))
        let peripheral = try #require(central.reach("sensor"))
        central.subscribe(to: try #require(central.characteristic("AA01", of: peripheral)))
        central.phone.stall(for: .seconds(2))
        for number in UInt8(1)...5 { device.notify(Data([number]), of: CBUUID(string: "AA01")) }
        world.advance(by: .milliseconds(1_999))
        #expect(central.count("value") == 0)
        world.advance(by: .milliseconds(1))
        #expect(central.lines.filter { $0.hasPrefix("value") } == (1...5).map { "value AA01 0\($0) ok" })
    }
}
