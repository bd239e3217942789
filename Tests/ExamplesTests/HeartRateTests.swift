import CoreBluetooth
import CoreBluetoothSimulation
import Foundation
import HeartRateCentralProgram
import HeartRatePeripheralProgram
import Testing

/// Tutorial 2: the peripheral in depth.
@Suite struct HeartRateTests {
    private func sensor(_ place: Stage.Place, stopAfter: TimeInterval? = nil) -> HeartRatePeripheral {
        var options = HeartRatePeripheral.Options()
        options.stopAfter = stopAfter
        let program = HeartRatePeripheral(options: options, after: place.after, say: place.say)
        place.run { program.start(queue: place.queue) }
        return program
    }

    private func central(_ place: Stage.Place) -> HeartRateCentral {
        let program = HeartRateCentral(after: place.after, say: place.say, finish: place.finish)
        place.run { program.start(queue: place.queue) }
        return program
    }

    @Test func `the heart rate is read and followed, and the static value comes from the system`() {
        let stage = Stage()
        let chest = stage.place("sensor")
        let phone = stage.place("phone")
        let programs = (sensor(chest), central(phone))
        stage.world.run(until: { phone.exitCode != nil }, timeout: .seconds(60))
        #expect(phone.exitCode == 0, "\(phone.lines)")
        #expect(phone.saidInOrder("connected", "sensor location: chest"))
        #expect(phone.saidInOrder("61 beats a minute", "62 beats a minute", "63 beats a minute", "disconnected"))
        #expect(chest.saidInOrder("published 180D", "published 71DA3FD1", "advertising", "central subscribed to 2A37"))
        withExtendedLifetime(programs) {}
    }

    @Test func `the sensor advertises the UUIDs of two services and no name`() {
        let stage = Stage()
        let chest = stage.place("sensor")
        let phone = stage.place("phone")
        let listener = Listener()
        let program = sensor(chest)
        let manager = phone.phone.run { CBCentralManager(delegate: listener, queue: phone.queue) }
        stage.world.advance(by: .seconds(2))
        #expect(
            listener.found.first?[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID]
                == [CBUUID(string: "180D"), CBUUID(string: "71DA3FD1-7E10-41C1-B16F-4430B506CDE7")])
        #expect(listener.found.allSatisfy { $0[CBAdvertisementDataLocalNameKey] == nil })
        withExtendedLifetime((program, manager)) {}
    }

    @Test func `an unpaired reader of the sensitive characteristic gets Insufficient Authentication`() {
        let stage = Stage()
        let chest = stage.place("sensor")
        let phone = stage.place("phone")
        phone.phone.pairing.isEnabled = false
        let programs = (sensor(chest), central(phone))
        stage.world.run(until: { phone.exitCode != nil }, timeout: .seconds(60))
        #expect(phone.said("email: Authentication is insufficient."))
        #expect(!phone.said("runner@example.org"))
        withExtendedLifetime(programs) {}
    }

    @Test func `a paired reader gets the sensitive characteristic, and the next time without pairing`() {
        let stage = Stage()
        let chest = stage.place("sensor")
        let phone = stage.place("phone")
        let program = sensor(chest)
        let first = central(phone)
        stage.world.run(until: { phone.exitCode != nil }, timeout: .seconds(60))
        #expect(phone.said("email: runner@example.org"), "\(phone.lines)")
        #expect(phone.phone.bonds == 1 && chest.phone.bonds == 1)
        // Nobody would agree a second time.
        phone.phone.pairing.person = .refuses
        chest.phone.pairing.person = .refuses
        let again = stage.place("again", with: phone)
        let second = central(again)
        stage.world.run(until: { again.exitCode != nil }, timeout: .seconds(60))
        #expect(again.said("email: runner@example.org"), "\(again.lines)")
        withExtendedLifetime((program, first, second)) {}
    }

    @Test func `after advertising was stopped a scan no longer finds the sensor`() {
        let stage = Stage()
        let chest = stage.place("sensor")
        let phone = stage.place("phone")
        let program = sensor(chest, stopAfter: 3)
        stage.world.run(until: { chest.said("advertising stopped") }, timeout: .seconds(10))
        let late = central(phone)
        stage.world.run(until: { phone.exitCode != nil }, timeout: .seconds(60))
        #expect(phone.exitCode == 1)
        #expect(phone.said("no heart rate sensor was found within 10 s"))
        withExtendedLifetime((program, late)) {}
    }

    private final class Listener: NSObject, CBCentralManagerDelegate, @unchecked Sendable {
        var found: [[String: Any]] = []

        func centralManagerDidUpdateState(_ central: CBCentralManager) {
            if central.state == .poweredOn { central.scanForPeripherals(withServices: [CBUUID(string: "180D")]) }
        }

        func centralManager(
            _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
            rssi RSSI: NSNumber
        ) {
            found.append(advertisementData)
        }
    }
}
