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

    /// A program on a phone whose MTU stays 23, and the server's one characteristic as it sees it.
    private func reachWithSmallMTU(
        _ own: CBMutableCharacteristic
    ) throws -> (CentralProgram, CBPeripheral, CBCharacteristic) {
        var profile = PhoneProfile()
        profile.mtu = 23
        let program = CentralProgram(world, on: world.addPhone("small", profile: profile))
        #expect(server.publish([PeripheralProgram.service("FFF0", own)], name: "server"))
        let peripheral = try #require(program.reach("server"))
        #expect(peripheral.maximumWriteValueLength(for: .withoutResponse) == 20)
        return (program, peripheral, try #require(program.characteristic("FFF1", of: peripheral)))
    }

    @Test func `69 a value longer than the MTU is read whole`() throws {
        let value = Data((0..<512).map { UInt8(truncatingIfNeeded: $0 * 7) })
        let (reader, peripheral, characteristic) = try reachWithSmallMTU(
            Self.characteristic(.read, .readable, value: value))
        peripheral.readValue(for: characteristic)
        #expect(reader.wait(for: "value FFF1 \(value.hex) ok"))
    }

    @Test func `74 a value longer than the MTU is written in parts, and arrives as one array`() throws {
        let own = Self.characteristic([.read, .write], [.readable, .writeable])
        let (writer, peripheral, characteristic) = try reachWithSmallMTU(own)
        let value = Data((0..<100).map { UInt8($0) })
        peripheral.writeValue(value, for: characteristic, type: .withResponse)
        #expect(writer.wait(for: "written FFF1 ok"))
        #expect(own.value == value)
        // 18 octets in each Prepare Write Request. [Vol 3, Part F, 3.4.6.1]
        let offsets = server.lines.filter { $0.hasPrefix("write") }.map { $0.split(separator: " ")[3] }
        #expect(offsets == ["0", "18", "36", "54", "72", "90"])
    }

    @Test func `100 a request that isn't answered ends the transaction after 30 s, and the link with it`() throws {
        let own = Self.characteristic(.read, .readable)
        let peripheral = try reach(own)
        let characteristic = try #require(central.characteristic("FFF1", of: peripheral))
        server.answers = false
        peripheral.readValue(for: characteristic)
        #expect(world.run { self.server.has("read FFF1 at 0") })
        world.advance(by: .seconds(29))
        #expect(peripheral.state == .connected)
        #expect(central.count("value") == 0)
        world.advance(by: .seconds(2))
        #expect(peripheral.state == .disconnected)
        #expect(central.has("disconnected \(peripheral.name ?? "-") CBError.6"))
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
