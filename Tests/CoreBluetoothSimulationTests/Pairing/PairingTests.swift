import CoreBluetooth
import CoreBluetoothSimulation
import Foundation
import Testing

/// Pairing through Core Bluetooth, as on a phone: nothing is asked of the program. [contract 50, 85, 102]
@Suite struct PairingTests {
    private let world = World(seed: 21)
    private let central: CentralProgram
    private let band: PeripheralProgram
    private let secret = CBMutableCharacteristic(
        type: CBUUID(string: "FFF1"), properties: [.read, .notifyEncryptionRequired], value: nil,
        permissions: .readEncryptionRequired)
    private let writable = CBMutableCharacteristic(
        type: CBUUID(string: "FFF2"), properties: .write, value: nil, permissions: .writeEncryptionRequired)

    init() {
        central = CentralProgram(world, on: world.addPhone("phone"))
        band = PeripheralProgram(world, on: world.addPhone("band"))
    }

    private func reach() throws -> CBPeripheral {
        #expect(band.publish([PeripheralProgram.service("FFF0", secret, writable)], name: "band"))
        // Once it is published: a value that is there before would be a static one.
        secret.value = Data([1, 2, 3])
        return try #require(central.reach("band"))
    }

    private func readSecret(of peripheral: CBPeripheral) throws {
        peripheral.readValue(for: try #require(central.characteristic("FFF1", of: peripheral)))
    }

    @Test func `85 a value that needs encryption makes the phone pair and is read`() throws {
        let peripheral = try reach()
        try readSecret(of: peripheral)
        #expect(central.wait(for: "value FFF1 010203 ok"), "\(central.lines)")
        #expect(central.count("value FFF1") == 1)
        #expect(world.run { central.phone.bonds == 1 && band.phone.bonds == 1 })
        // No second pairing for what comes next.
        try readSecret(of: peripheral)
        #expect(world.run { central.count("value FFF1 010203 ok") == 2 })
        #expect(central.phone.bonds == 1)
    }

    @Test func `102 a write and a subscription that need encryption make the phone pair`() throws {
        let peripheral = try reach()
        let remote = try #require(central.characteristic("FFF2", of: peripheral))
        peripheral.writeValue(Data([9]), for: remote, type: .withResponse)
        #expect(central.wait(for: "written FFF2 ok"), "\(central.lines)")
        #expect(band.has("write FFF2 at 0 09"))
        #expect(world.run { central.phone.bonds == 1 })
        #expect(central.subscribe(to: try #require(central.characteristic("FFF1", of: peripheral))))
        #expect(band.manager.updateValue(Data([7]), for: secret, onSubscribedCentrals: nil))
        #expect(central.wait(for: "value FFF1 07 ok"))
    }

    @Test func `102 a subscription alone makes the phone pair`() throws {
        let peripheral = try reach()
        #expect(central.subscribe(to: try #require(central.characteristic("FFF1", of: peripheral))))
        #expect(world.run { central.phone.bonds == 1 })
    }

    @Test func `85 a pairing that a person refuses gives Insufficient Authentication`() throws {
        central.phone.pairing.person = .refuses
        let peripheral = try reach()
        try readSecret(of: peripheral)
        #expect(central.wait(for: "value FFF1 nil CBATTError.5"), "\(central.lines)")
        #expect(central.phone.bonds == 0 && band.phone.bonds == 0)
        // The next try may succeed.
        central.phone.pairing.person = .agrees
        try readSecret(of: peripheral)
        #expect(central.wait(for: "value FFF1 010203 ok"), "\(central.lines)")
    }

    @Test func `85 a peripheral that doesn't pair gives Insufficient Authentication`() throws {
        band.phone.pairing.isEnabled = false
        let peripheral = try reach()
        try readSecret(of: peripheral)
        #expect(central.wait(for: "value FFF1 nil CBATTError.5"), "\(central.lines)")
    }

    @Test func `a bonded peripheral is encrypted again after it was connected again`() throws {
        let peripheral = try reach()
        try readSecret(of: peripheral)
        #expect(central.wait(for: "value FFF1 010203 ok"))
        #expect(world.run { central.phone.bonds == 1 && band.phone.bonds == 1 })
        central.manager.cancelPeripheralConnection(peripheral)
        #expect(central.wait(for: "disconnected band ok"))
        // Nobody would agree to another pairing.
        central.phone.pairing.person = .refuses
        band.phone.pairing.person = .refuses
        #expect(central.connect(peripheral))
        #expect(central.explore(peripheral))
        try readSecret(of: peripheral)
        #expect(world.run { central.count("value FFF1 010203 ok") == 2 }, "\(central.lines)")
    }

    @Test func `a connection that ends while keys are on their way leaves nothing that hinders the next`() throws {
        let peripheral = try reach()
        try readSecret(of: peripheral)
        // The value is there before the keys have been exchanged.
        #expect(central.wait(for: "value FFF1 010203 ok"))
        central.manager.cancelPeripheralConnection(peripheral)
        #expect(central.wait(for: "disconnected band ok"))
        #expect(central.connect(peripheral))
        #expect(central.explore(peripheral))
        try readSecret(of: peripheral)
        #expect(world.run { central.count("value FFF1 010203 ok") == 2 }, "\(central.lines)")
        #expect(world.run { central.phone.bonds == 1 && band.phone.bonds == 1 })
    }

    @Test func `50 a bond that was removed at the other side ends the connection with its error`() throws {
        let peripheral = try reach()
        try readSecret(of: peripheral)
        #expect(central.wait(for: "value FFF1 010203 ok"))
        #expect(world.run { band.phone.bonds == 1 && central.phone.bonds == 1 })
        band.phone.removeBonds()
        #expect(world.run { central.count("disconnected") == 1 })
        #expect(band.phone.bonds == 0)
        central.manager.connect(peripheral)
        #expect(central.wait(for: "disconnected band CBError.14"), "\(central.lines)")
        #expect(central.phone.bonds == 1)
        // The user forgets the device, and pairs anew.
        central.phone.removeBonds()
        #expect(world.run { central.phone.bonds == 0 })
        #expect(central.connect(peripheral))
        #expect(central.explore(peripheral))
        try readSecret(of: peripheral)
        #expect(world.run { central.count("value FFF1 010203 ok") == 2 }, "\(central.lines)")
    }

    @Test func `a person compares the numbers of both phones`() throws {
        central.phone.pairing.person = .asked
        band.phone.pairing.person = .asked
        let peripheral = try reach()
        try readSecret(of: peripheral)
        #expect(world.run { central.phone.pairingQuestion != nil && band.phone.pairingQuestion != nil })
        guard case .comparison(let number)? = central.phone.pairingQuestion else {
            Issue.record("\(String(describing: central.phone.pairingQuestion))")
            return
        }
        #expect(band.phone.pairingQuestion == .comparison(number))
        #expect((0...999_999).contains(number))
        central.phone.answerPairing(.accept)
        band.phone.answerPairing(.accept)
        #expect(central.wait(for: "value FFF1 010203 ok"), "\(central.lines)")
    }

    @Test func `a person types the passkey that the other phone shows`() throws {
        central.phone.pairing = PairingBehaviour(.keyboardOnly)
        central.phone.pairing.person = .asked
        band.phone.pairing = PairingBehaviour(.displayOnly)
        band.phone.pairing.person = .asked
        let peripheral = try reach()
        try readSecret(of: peripheral)
        #expect(world.run { central.phone.pairingQuestion != nil && band.phone.pairingQuestion != nil })
        guard case .passkeyDisplay(let passkey)? = band.phone.pairingQuestion else {
            Issue.record("nothing is shown")
            return
        }
        #expect(central.phone.pairingQuestion == .passkeyEntry)
        central.phone.answerPairing(.passkey(passkey))
        #expect(central.wait(for: "value FFF1 010203 ok"), "\(central.lines)")
    }

    @Test func `a person who never answers lets the pairing time out`() throws {
        central.phone.pairing.person = .asked
        let peripheral = try reach()
        try readSecret(of: peripheral)
        let start = world.now
        #expect(world.run(until: { central.count("value FFF1") == 1 }, timeout: .seconds(40)))
        #expect((Duration.seconds(29)...Duration.seconds(32)).contains(world.now - start))
        #expect(central.has("value FFF1 nil CBATTError.5"))
        #expect(central.phone.pairingQuestion == nil)
    }
}

/// Virtual peripherals that pair.
@Suite struct PeripheralPairingTests {
    private let world = World(seed: 22)

    private func sensor(_ behaviour: PairingBehaviour) -> PeripheralDevice {
        world.addPeripheral(
            VirtualPeripheral("lock").advertising().pairing(behaviour)
                .service(
                    CBUUID(string: "FFF0"),
                    VirtualCharacteristic(
                        CBUUID(string: "FFF1"), .read, value: Data([5]), permissions: .readEncryptionRequired)))
    }

    @Test func `a sensor without buttons pairs by Just Works`() throws {
        let lock = sensor(.sensor)
        let central = CentralProgram(world, on: world.addPhone("phone"))
        let peripheral = try #require(central.reach("lock"))
        peripheral.readValue(for: try #require(central.characteristic("FFF1", of: peripheral)))
        #expect(central.wait(for: "value FFF1 05 ok"), "\(central.lines)")
        #expect(world.run { lock.bonds == 1 && central.phone.bonds == 1 })
        lock.removeBonds()
        #expect(world.run { lock.bonds == 0 })
    }

    @Test(arguments: [true, false]) func `a passkey that is printed on a device must be typed`(isRight: Bool) throws {
        var behaviour = PairingBehaviour(.displayOnly)
        behaviour.passkey = 481_516
        let lock = sensor(behaviour)
        let central = CentralProgram(world, on: world.addPhone("phone"))
        central.phone.pairing = PairingBehaviour(.keyboardOnly)
        central.phone.pairing.passkey = isRight ? 481_516 : 481_517
        let peripheral = try #require(central.reach("lock"))
        peripheral.readValue(for: try #require(central.characteristic("FFF1", of: peripheral)))
        #expect(central.wait(for: isRight ? "value FFF1 05 ok" : "value FFF1 nil CBATTError.5"), "\(central.lines)")
        #expect(world.run { lock.bonds == (isRight ? 1 : 0) })
    }

    @Test func `LE legacy pairing works as well`() throws {
        var behaviour = PairingBehaviour.sensor
        behaviour.usesSecureConnections = false
        _ = sensor(behaviour)
        let central = CentralProgram(world, on: world.addPhone("phone"))
        let peripheral = try #require(central.reach("lock"))
        peripheral.readValue(for: try #require(central.characteristic("FFF1", of: peripheral)))
        #expect(central.wait(for: "value FFF1 05 ok"), "\(central.lines)")
    }
}
