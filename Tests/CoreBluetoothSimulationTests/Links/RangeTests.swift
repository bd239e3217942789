import CoreBluetooth
import CoreBluetoothSimulation
import Foundation
import Testing

/// Places, strengths, losses.
@Suite struct RangeTests {
    private let world = World(seed: 3)
    private let device: PeripheralDevice
    private let central: CentralProgram

    init() {
        device = world.addPeripheral(VirtualPeripheral("sensor").advertising())
        var profile = PhoneProfile()
        profile.supervisionTimeout = .seconds(4)
        central = CentralProgram(world, on: world.addPhone("phone", profile: profile))
    }

    @Test func `out of range, the link is lost after the supervision time-out`() throws {
        // Field case F5: four seconds, and none of them real.
        let peripheral = try #require(central.find("sensor"))
        central.connect(peripheral)
        world.advance(by: .seconds(1))
        let start = world.now
        central.phone.setOutOfRange(of: device)
        #expect(central.wait(for: "disconnected sensor CBError.6"))
        // The last packet was heard at most one interval of 30 ms before.
        #expect((Duration.milliseconds(3_970)...Duration.milliseconds(4_000)).contains(world.now - start))
    }

    @Test func `the strength is what was set, exactly`() {
        central.phone.setRSSI(-73, to: device)
        #expect(central.find("sensor") != nil)
        #expect(central.has("discovered sensor -73"))
    }

    @Test func `ten metres away the strength is twenty decibels less than at one metre`() {
        central.phone.move(to: Place())
        device.move(to: Place(x: 10))
        #expect(central.find("sensor") != nil)
        #expect(central.has("discovered sensor -60"))
    }

    @Test func `a device that comes into range is found then`() {
        device.setOutOfRange(of: central.phone)
        #expect(central.find("sensor", timeout: .seconds(5)) == nil)
        device.setOutOfRange(false, of: central.phone)
        #expect(central.find("sensor", timeout: .seconds(5)) != nil)
    }

    @Test func `a pending connection is made when the device comes into range`() throws {
        let peripheral = try #require(central.find("sensor"))
        device.setOutOfRange(of: central.phone)
        central.manager.connect(peripheral)
        world.advance(by: .seconds(100))
        #expect(peripheral.state == .connecting)
        device.setOutOfRange(false, of: central.phone)
        #expect(world.run(until: { peripheral.state == .connected }, timeout: .seconds(5)))
    }

    @Test func `half of the packets lost, everything arrives all the same`() throws {
        let counter = world.addPeripheral(
            VirtualPeripheral("counter").advertising().service(
                CBUUID(string: "AA00"), VirtualCharacteristic(CBUUID(string: "AA01"), .notify)))
        let peripheral = try #require(central.reach("counter"))
        central.subscribe(to: try #require(central.characteristic("AA01", of: peripheral)))
        counter.setLoss(0.5, to: central.phone)
        for number in UInt8(0)..<100 { counter.notify(Data([number]), of: CBUUID(string: "AA01")) }
        world.advance(by: .seconds(30))
        let values = central.lines.filter { $0.hasPrefix("value AA01") }
        #expect(values == (UInt8(0)..<100).map { "value AA01 \(Data([$0]).hex) ok" })
    }

    @Test func `the log says who saw whom, and when`() throws {
        // Field case F2.
        let far = world.addPeripheral(VirtualPeripheral("far").advertising())
        central.phone.setOutOfRange(of: far)
        #expect(central.find("sensor") != nil)
        world.advance(by: .seconds(1))
        #expect(central.phone.hasSeen(device))
        #expect(!central.phone.hasSeen(far))
        let seen = central.phone.sightings.compactMap(\.device)
        #expect(seen == ["sensor"])
        #expect(
            world.log.contains { event in
                if case .saw(_, "sensor", -40) = event.kind { event.device == "phone" } else { false }
            })
    }

    @Test func `link layer states are in the log in their order`() throws {
        let peripheral = try #require(central.find("sensor"))
        central.connect(peripheral)
        let states = world.log.compactMap { event -> LinkState? in
            if case .linkState(let state) = event.kind, event.device == "phone" { state } else { nil }
        }
        #expect(states.first == .scanning)
        #expect(states.last == .connectedAsCentral)
        #expect(states.contains(.initiating))
    }
}
