import CoreBluetooth
import CoreBluetoothSimulation
import Foundation
import Testing

/// Values that people have met with trouble.
@Suite struct ValueTests {
    private let world = World(seed: 1)
    private static let value = CBUUID(string: "AA01")

    private func central(mtu: Int = 517) -> CentralProgram {
        var profile = PhoneProfile()
        profile.mtu = mtu
        return CentralProgram(world, on: world.addPhone("phone", profile: profile))
    }

    private func device(_ characteristic: VirtualCharacteristic, mtu: Int = 517) -> PeripheralDevice {
        world.addPeripheral(
            VirtualPeripheral("device").advertising().limits(mtu: mtu).service(CBUUID(string: "AA00"), characteristic))
    }

    @Test func `a notification between a request and its answer comes first, each with its own value`() throws {
        // Field case F11.
        _ = device(
            VirtualCharacteristic(Self.value, [.read, .notify]).onRead { device in
                device.notify(Data([1]), of: Self.value)
                return Data([2])
            })
        let central = central()
        let peripheral = try #require(central.reach("device"))
        let characteristic = try #require(central.characteristic("AA01", of: peripheral))
        central.subscribe(to: characteristic)
        peripheral.readValue(for: characteristic)
        central.wait(for: "value AA01 02 ok")
        #expect(central.lines.filter { $0.hasPrefix("value") } == ["value AA01 01 ok", "value AA01 02 ok"])
    }

    @Test(arguments: [
        (517, 517, 512), (185, 517, 182), (517, 185, 182), (23, 517, 20), (517, 23, 20), (247, 247, 244),
    ])
    func `the longest write without response is what both sides can do, less three`(
        phone: Int, device mtu: Int, expected: Int
    ) throws {
        // Field case F24.
        _ = device(VirtualCharacteristic(Self.value, .writeWithoutResponse), mtu: mtu)
        let central = central(mtu: phone)
        let peripheral = try #require(central.find("device"))
        central.connect(peripheral)
        world.advance(by: .seconds(1))
        #expect(peripheral.maximumWriteValueLength(for: .withoutResponse) == expected)
        #expect(peripheral.maximumWriteValueLength(for: .withResponse) == 512)
    }

    @Test func `without an exchange the longest write is 20`() throws {
        _ = device(VirtualCharacteristic(Self.value, .writeWithoutResponse))
        var profile = PhoneProfile()
        profile.exchangesMTU = false
        let central = CentralProgram(world, on: world.addPhone("phone", profile: profile))
        let peripheral = try #require(central.find("device"))
        central.connect(peripheral)
        world.advance(by: .seconds(1))
        #expect(peripheral.maximumWriteValueLength(for: .withoutResponse) == 20)
    }

    @Test func `an empty value is read, written, notified and indicated as a value`() throws {
        // Field case F26.
        let device = device(
            VirtualCharacteristic(Self.value, [.read, .write, .notify, .indicate], value: Data([1])))
        let central = central()
        let peripheral = try #require(central.reach("device"))
        let characteristic = try #require(central.characteristic("AA01", of: peripheral))
        peripheral.writeValue(Data(), for: characteristic, type: .withResponse)
        #expect(central.wait(for: "written AA01 ok"))
        #expect(device.value(of: Self.value) == Data())
        peripheral.readValue(for: characteristic)
        #expect(central.wait(for: "value AA01  ok"))
        central.subscribe(to: characteristic)
        device.notify(Data(), of: Self.value)
        #expect(world.run { central.count("value AA01  ok") == 2 })
    }

    @Test func `an empty indication is a value`() throws {
        let device = device(VirtualCharacteristic(Self.value, .indicate))
        let central = central()
        let peripheral = try #require(central.reach("device"))
        central.subscribe(to: try #require(central.characteristic("AA01", of: peripheral)))
        device.notify(Data(), of: Self.value)
        #expect(central.wait(for: "value AA01  ok"))
    }

    @Test(arguments: [0, 1, 22, 23, 24, 244, 511, 512], [23, 185, 247, 517])
    func `values of any length are read and written whole`(length: Int, mtu: Int) throws {
        let content = Data((0..<length).map { UInt8(truncatingIfNeeded: $0) })
        let device = device(VirtualCharacteristic(Self.value, [.read, .write], value: content), mtu: mtu)
        let central = central()
        let peripheral = try #require(central.reach("device"))
        let characteristic = try #require(central.characteristic("AA01", of: peripheral))
        peripheral.readValue(for: characteristic)
        #expect(central.wait(for: "value AA01 \(content.hex) ok"))
        let changed = Data(content.map { ~$0 })
        peripheral.writeValue(changed, for: characteristic, type: .withResponse)
        #expect(central.wait(for: "written AA01 ok"))
        #expect(device.value(of: Self.value) == changed)
    }
}
