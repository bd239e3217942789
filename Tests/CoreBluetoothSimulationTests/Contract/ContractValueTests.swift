import CoreBluetooth
import CoreBluetoothSimulation
import Foundation
import Testing

/// Statements of the behaviour contract about what the system does by itself between two phones.
@Suite struct ContractValueTests {
    private let world = World(seed: 7)
    private let central: CentralProgram
    private let server: PeripheralProgram

    init() {
        central = CentralProgram(world, on: world.addPhone("phone"))
        server = PeripheralProgram(world, on: world.addPhone("other"))
    }

    private func reach(_ characteristics: CBMutableCharacteristic...) throws -> CBPeripheral {
        let service = CBMutableService(type: CBUUID(string: "FFF0"), primary: true)
        service.characteristics = characteristics
        #expect(server.publish([service], name: "server"))
        return try #require(central.reach("server"))
    }

    private static func characteristic(
        _ properties: CBCharacteristicProperties, _ permissions: CBAttributePermissions, value: Data? = nil
    ) -> CBMutableCharacteristic {
        CBMutableCharacteristic(
            type: CBUUID(string: "FFF1"), properties: properties, value: value, permissions: permissions)
    }

    @Test func `65 the services of the system are not among those discovered`() throws {
        let peripheral = try reach(Self.characteristic(.read, .readable, value: Data([1])))
        #expect(peripheral.services?.map(\.uuid.uuidString) == ["FFF0"])
    }

    @Test func `69 a value longer than the MTU is read whole`() throws {
        let value = Data((0..<512).map { UInt8(truncatingIfNeeded: $0 * 7) })
        let peripheral = try reach(Self.characteristic(.read, .readable, value: value))
        #expect(peripheral.maximumWriteValueLength(for: .withoutResponse) < 600)
        let characteristic = try #require(central.characteristic("FFF1", of: peripheral))
        peripheral.readValue(for: characteristic)
        #expect(central.wait(for: "value FFF1 \(value.hex) ok"))
    }

    @Test func `74 a value longer than the MTU is written in parts, and arrives as one array`() throws {
        let small = world.addPhone(
            "small",
            profile: {
                var profile = PhoneProfile(); profile.mtu = 23; return profile
            }())
        let writer = CentralProgram(world, on: small)
        let own = Self.characteristic([.read, .write], [.readable, .writeable])
        let service = CBMutableService(type: CBUUID(string: "FFF0"), primary: true)
        service.characteristics = [own]
        #expect(server.publish([service], name: "server"))
        let peripheral = try #require(writer.reach("server"))
        let characteristic = try #require(writer.characteristic("FFF1", of: peripheral))
        let value = Data((0..<100).map { UInt8($0) })
        peripheral.writeValue(value, for: characteristic, type: .withResponse)
        #expect(writer.wait(for: "written FFF1 ok"))
        #expect(own.value == value)
    }

    @Test func `101 what the permissions refuse, the program is not asked`() throws {
        let peripheral = try reach(Self.characteristic([.read, .write], []))
        let characteristic = try #require(central.characteristic("FFF1", of: peripheral))
        peripheral.readValue(for: characteristic)
        #expect(central.wait(for: "value FFF1 nil CBATTError.2"))
        peripheral.writeValue(Data([1]), for: characteristic, type: .withResponse)
        #expect(central.wait(for: "written FFF1 CBATTError.3"))
        #expect(server.count("read") == 0)
        #expect(server.count("write") == 0)
    }
}
