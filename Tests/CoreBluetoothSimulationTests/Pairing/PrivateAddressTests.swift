import CoreBluetooth
import CoreBluetoothSimulation
import Foundation
import Testing

/// Phones that show private addresses, as iPhones do, and who knows them again. [contract 36]
@Suite struct PrivateAddressTests {
    private let world = World(seed: 36)
    private let central: CentralProgram
    private let band: PeripheralProgram
    private let secret = CBMutableCharacteristic(
        type: CBUUID(string: "FFF1"), properties: .read, value: nil, permissions: .readEncryptionRequired)

    init() {
        var profile = PhoneProfile()
        profile.usesPrivateAddresses = true
        central = CentralProgram(world, on: world.addPhone("phone", profile: profile))
        band = PeripheralProgram(world, on: world.addPhone("band", profile: profile))
    }

    private func publish() {
        #expect(band.publish([PeripheralProgram.service("FFF0", secret)], name: "band"))
        secret.value = Data([1, 2, 3])
    }

    @Test func `36 a bonded peripheral keeps its identifier through its addresses, and nothing is asked again`() throws
    {
        publish()
        let peripheral = try #require(central.reach("band"))
        let identifier = peripheral.identifier
        peripheral.readValue(for: try #require(central.characteristic("FFF1", of: peripheral)))
        #expect(central.wait(for: "value FFF1 010203 ok"), "\(central.lines)")
        #expect(world.run { central.phone.bonds == 1 && band.phone.bonds == 1 })
        central.phone.pairing.person = .refuses
        band.phone.pairing.person = .refuses
        for round in 2...4 {
            central.manager.cancelPeripheralConnection(peripheral)
            #expect(world.run { peripheral.state == .disconnected })
            world.advance(by: .seconds(2000))
            let seen = CentralProgram(world, on: central.phone)
            #expect(seen.find("band")?.identifier == identifier)
            #expect(central.connect(peripheral))
            #expect(central.explore(peripheral))
            peripheral.readValue(for: try #require(central.characteristic("FFF1", of: peripheral)))
            #expect(world.run { central.count("value FFF1 010203 ok") == round }, "\(central.lines)")
        }
        #expect(peripheral.identifier == identifier)
    }

    @Test func `36 without a bond it comes back under another identifier`() throws {
        publish()
        let before = try #require(central.find("band")).identifier
        world.advance(by: .seconds(2000))
        let again = CentralProgram(world, on: central.phone)
        #expect(try #require(again.find("band")).identifier != before)
    }
}
