import CoreBluetooth
import CoreBluetoothSimulation
import Foundation
import Ravning
import Testing

/// The program that stands for the person.
@Suite struct PairingDelegateTests {
    private let world = World(seed: 23)

    private final class Person: PairingDelegate, @unchecked Sendable {
        let diary = Diary()
        var accepts = true

        func pairing(didReceive request: PairingRequest) {
            switch request.kind {
            case .comparison: diary.write("compare with \(request.name ?? "-")")
            case .confirmation: diary.write("confirm")
            case .passkeyEntry: diary.write("type")
            case .passkeyDisplay: diary.write("show")
            case .replacement: diary.write("replace")
            }
            if accepts { request.accept() } else { request.reject() }
        }

        func pairing(didEndWith peer: UUID, error: PairingError?) {
            diary.write(error == nil ? "paired" : "not paired")
        }
    }

    @Test(arguments: [true, false]) func `85 a delegate is asked when a value makes the phone pair`(
        accepts: Bool
    ) throws {
        let lock = CBMutableCharacteristic(
            type: CBUUID(string: "FFF1"), properties: .read, value: Data([5]), permissions: .readEncryptionRequired)
        let band = PeripheralProgram(world, on: world.addPhone("band"))
        let central = CentralProgram(world, on: world.addPhone("phone"))
        let person = Person()
        person.accepts = accepts
        let queue = DispatchQueue(label: "person")
        central.phone.run { Pairing.setDelegate(person, queue: queue) }
        #expect(band.publish([PeripheralProgram.service("FFF0", lock)], name: "band"))
        let peripheral = try #require(central.reach("band"))
        peripheral.readValue(for: try #require(central.characteristic("FFF1", of: peripheral)))
        #expect(central.wait(for: accepts ? "value FFF1 05 ok" : "value FFF1 nil CBATTError.5"), "\(central.lines)")
        #expect(world.run { person.diary.entries == ["compare with band", accepts ? "paired" : "not paired"] })
        #expect(world.run { central.phone.run { Pairing.bondedPeers } == (accepts ? [peripheral.identifier] : []) })
        guard accepts else { return }
        central.phone.run { Pairing.removeBond(with: peripheral.identifier) }
        #expect(world.run { central.phone.bonds == 0 && peripheral.state == .disconnected })
        withExtendedLifetime(person) {}
    }
}
