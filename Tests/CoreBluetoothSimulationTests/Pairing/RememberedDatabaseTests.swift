import BLEWire
import CoreBluetooth
import CoreBluetoothSimulation
import Foundation
import Testing

/// What a phone asks of a bonded peripheral that it has discovered before. [Vol 3, Part G, 2.5.2]
@Suite struct RememberedDatabaseTests {
    private let world = World(seed: 25)
    private let central: CentralProgram
    private let band: PeripheralProgram
    private let path = FileManager.default.temporaryDirectory.appendingPathComponent("ravning-\(UUID().uuidString)")
        .path

    init() {
        central = CentralProgram(world, on: world.addPhone("phone"))
        band = PeripheralProgram(world, on: world.addPhone("band"))
    }

    /// A phone that has paired, and discovered everything once since.
    private func acquainted() throws -> CBPeripheral {
        let secret = CBMutableCharacteristic(
            type: CBUUID(string: "FFF1"), properties: [.read, .notify], value: nil,
            permissions: .readEncryptionRequired)
        #expect(band.publish([PeripheralProgram.service("FFF0", secret)], name: "band"))
        secret.value = Data([1, 2, 3])
        let peripheral = try #require(central.reach("band"))
        peripheral.readValue(for: try #require(central.characteristic("FFF1", of: peripheral)))
        #expect(central.wait(for: "value FFF1 010203 ok"))
        #expect(world.run { central.phone.bonds == 1 && band.phone.bonds == 1 })
        disconnect(peripheral)
        #expect(central.connect(peripheral))
        #expect(central.explore(peripheral))
        disconnect(peripheral)
        return peripheral
    }

    private func disconnect(_ peripheral: CBPeripheral) {
        // Whatever the phone does for itself is done by then.
        world.advance(by: .seconds(5))
        central.manager.cancelPeripheralConnection(peripheral)
        #expect(world.run { peripheral.state == .disconnected })
    }

    /// The ATT requests for discovery that leave the phone meanwhile: Find Information, Find By Type Value, Read By Type
    /// of declarations, Read By Group Type. [Vol 3, Part F, 3.4.8]
    private func discoveries(_ work: () throws -> Void) throws -> [UInt8] {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try central.phone.captureHCI(to: path)
        try work()
        try central.phone.captureHCI(to: nil)
        let (records, fault) = BTSnoopReader.records(in: Array(try Data(contentsOf: URL(fileURLWithPath: path))))
        #expect(fault == nil)
        return records.compactMap { record -> UInt8? in
            // ACL data that is sent, on the channel of ATT.
            let packet = record.packet
            guard packet.count > 9, packet[0] == 2, record.direction == .hostToController, packet[7] == 4,
                packet[8] == 0
            else {
                return nil
            }
            switch packet[9] {
            case 0x04, 0x06, 0x10: return packet[9]
            case 0x08 where packet.suffix(2) == [0x03, 0x28] || packet.suffix(2) == [0x02, 0x28]: return packet[9]
            default: return nil
            }
        }
    }

    @Test func `a bonded peripheral that comes back with the same database is discovered without requests`() throws {
        let peripheral = try acquainted()
        let lines = central.count("services FFF0 ok")
        let requests = try discoveries {
            #expect(central.connect(peripheral))
            #expect(central.explore(peripheral))
            world.advance(by: .seconds(5))
        }
        #expect(requests == [])
        #expect(central.count("services FFF0 ok") == lines + 1)
        let after = try #require(central.characteristic("FFF1", of: peripheral))
        #expect(after.descriptors?.map(\.uuid) == [CBUUID(string: "2902")])
        let values = central.count("value FFF1 010203 ok")
        peripheral.readValue(for: after)
        #expect(world.run { central.count("value FFF1 010203 ok") == values + 1 }, "\(central.lines)")
    }

    @Test func `a database that has changed meanwhile is discovered anew`() throws {
        let peripheral = try acquainted()
        band.manager.removeAllServices()
        let service = PeripheralProgram.service(
            "FFE0",
            CBMutableCharacteristic(
                type: CBUUID(string: "FFE1"), properties: .read, value: Data([7]), permissions: .readable))
        band.manager.add(service)
        #expect(world.run { band.has("added FFE0 ok") })
        let requests = try discoveries {
            #expect(central.connect(peripheral))
            #expect(central.explore(peripheral))
        }
        #expect(requests.contains(0x10))
        peripheral.readValue(for: try #require(central.characteristic("FFE1", of: peripheral)))
        #expect(central.wait(for: "value FFE1 07 ok"), "\(central.lines)")
    }

    @Test func `services that change during the connection are discovered anew`() throws {
        let peripheral = try acquainted()
        #expect(central.connect(peripheral))
        #expect(central.explore(peripheral))
        world.advance(by: .seconds(5))
        band.manager.add(
            PeripheralProgram.service(
                "FFE0",
                CBMutableCharacteristic(
                    type: CBUUID(string: "FFE1"), properties: .read, value: Data([7]), permissions: .readable)))
        #expect(world.run { central.count("modified") > 0 }, "\(central.lines)")
        let requests = try discoveries {
            peripheral.discoverServices(nil)
            #expect(central.wait(for: "services FFF0 FFE0 ok"), "\(central.lines)")
        }
        #expect(requests.contains(0x10))
    }
}
