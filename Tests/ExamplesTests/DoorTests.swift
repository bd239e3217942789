import CoreBluetooth
import CoreBluetoothSimulation
import DoorLockProgram
import DoorOpenerProgram
import Foundation
import Testing

/// Tutorial 3: the door opener and its lock.
@Suite struct DoorTests {
    private func lock(_ place: Stage.Place, name: String = "Door") -> DoorLock {
        let program = DoorLock(name: name, say: place.say)
        place.run { program.start(queue: place.queue) }
        return program
    }

    private func opener(_ place: Stage.Place, _ options: DoorOpener.Options = .init()) -> DoorOpener {
        let program = DoorOpener(options: options, after: place.after, say: place.say)
        place.run { program.start(queue: place.queue) }
        return program
    }

    @Test func `the opener lists, connects, opens the door, puts the reply together and leaves`() {
        let stage = Stage()
        let door = stage.place("door")
        let phone = stage.place("phone")
        let programs = (lock(door), opener(phone))
        let opener = programs.1
        #expect(stage.world.run(until: { phone.said("1  Door  ") }, timeout: .seconds(10)))
        phone.queue.sync { opener.choose(1) }
        #expect(stage.world.run(until: { phone.said("subscribed: nil") }, timeout: .seconds(10)))
        phone.queue.sync { opener.open() }
        #expect(stage.world.run(until: { phone.said("the door says: door open") }, timeout: .seconds(10)))
        phone.queue.sync { opener.toggle() }
        #expect(stage.world.run(until: { phone.said("disconnected: nil") }, timeout: .seconds(10)))
        #expect(
            phone.saidInOrder(
                "[ alert: connected ]", "service 9830BC16-5CE7-43CD-996F-74E9110C4CEA",
                "characteristic F6F6B7E0-897D-4F51-959F-387A94BF440E", "value: closed", "subscribed: nil"))
        #expect(door.said("the door opens"))
        // A write without response has no callback.
        #expect(!phone.said("written"))
        withExtendedLifetime(programs) {}
    }

    @Test func `each device is in the table once, and the table is redrawn as one is added`() {
        let stage = Stage()
        let doors = (stage.place("front"), stage.place("back"))
        let phone = stage.place("phone")
        let programs = (lock(doors.0, name: "Front"), lock(doors.1, name: "Back"), opener(phone))
        stage.world.advance(by: .seconds(5))
        #expect(phone.count("--- devices ---") == 2)
        #expect(phone.lines.suffix(2).map { $0.split(separator: " ").first } == ["1", "2"])
        withExtendedLifetime(programs) {}
    }

    @Test func `anything but the key is reported and opens nothing`() {
        let stage = Stage()
        let door = stage.place("door")
        let phone = stage.place("phone")
        let program = lock(door)
        let writer = Writer(Data("OLWANDA_IL1234567".utf8))
        let manager = phone.phone.run { CBCentralManager(delegate: writer, queue: phone.queue) }
        stage.world.run(until: { door.said("not the key") }, timeout: .seconds(10))
        #expect(door.said("not the key: 4f4c57414e44415f494c31323334353637"))
        #expect(!door.said("the door opens"))
        withExtendedLifetime((program, manager)) {}
    }

    @Test func `a frame that is not complete within two seconds is reported and dropped`() {
        let stage = Stage()
        let module = stage.place("door")
        let phone = stage.place("phone")
        let cutter = HalfLock()
        let manager = module.phone.run { CBPeripheralManager(delegate: cutter, queue: module.queue) }
        let opener = opener(phone)
        #expect(stage.world.run(until: { phone.said("1  ") }, timeout: .seconds(10)))
        phone.queue.sync { opener.choose(1) }
        #expect(stage.world.run(until: { phone.said("octets dropped") }, timeout: .seconds(20)))
        #expect(phone.said("a frame was not complete within 2 s: 4 octets dropped"))
        withExtendedLifetime(manager) {}
    }

    @Test func `the tutorial as written scans too early and has no restore identifier, and works all the same`() {
        let stage = Stage()
        let door = stage.place("door")
        let phone = stage.place("phone")
        var options = DoorOpener.Options()
        options.asWritten = true
        let programs = (lock(door), opener(phone, options))
        #expect(stage.world.run(until: { phone.said("1  Door  ") }, timeout: .seconds(10)))
        #expect(!phone.said("restored"))
        withExtendedLifetime(programs) {}
    }

    @Test func `a connection that a walk out of range ends is told to the program`() {
        let stage = Stage()
        let door = stage.place("door")
        let phone = stage.place("phone")
        let programs = (lock(door), opener(phone))
        let opener = programs.1
        stage.world.run(until: { phone.said("1  Door  ") }, timeout: .seconds(10))
        phone.queue.sync { opener.choose(1) }
        stage.world.run(until: { phone.said("subscribed: nil") }, timeout: .seconds(10))
        phone.phone.setOutOfRange(of: door.phone)
        #expect(stage.world.run(until: { phone.said("disconnected: Error Domain=CBErrorDomain Code=6") }))
        withExtendedLifetime(programs) {}
    }

    /// Writes something to the lock's characteristic, without response.
    private final class Writer: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, @unchecked Sendable {
        private let octets: Data
        private var lock: CBPeripheral?

        init(_ octets: Data) { self.octets = octets }

        func centralManagerDidUpdateState(_ central: CBCentralManager) {
            if central.state == .poweredOn { central.scanForPeripherals(withServices: nil) }
        }
        func centralManager(
            _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
            rssi RSSI: NSNumber
        ) {
            guard lock == nil else { return }
            lock = peripheral
            central.connect(peripheral)
        }
        func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
            peripheral.delegate = self
            peripheral.discoverServices([DoorLock.service])
        }
        func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
            guard let service = peripheral.services?.first else { return }
            peripheral.discoverCharacteristics(nil, for: service)
        }
        func peripheral(
            _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
        ) {
            guard let found = service.characteristics?.first else { return }
            peripheral.writeValue(octets, for: found, type: .withoutResponse)
        }
    }

    /// A lock that sends the first half of a frame only.
    private final class HalfLock: NSObject, CBPeripheralManagerDelegate, @unchecked Sendable {
        private let door = CBMutableCharacteristic(
            type: DoorLock.characteristic, properties: [.notify, .read], value: nil, permissions: .readable)

        func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
            guard peripheral.state == .poweredOn else { return }
            let service = CBMutableService(type: DoorLock.service, primary: true)
            service.characteristics = [door]
            peripheral.add(service)
            peripheral.startAdvertising([CBAdvertisementDataLocalNameKey: "Half"])
        }
        func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
            request.value = Data()
            peripheral.respond(to: request, withResult: .success)
        }
        func peripheralManager(
            _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
        ) {
            peripheral.updateValue(DoorLock.frame("half").prefix(4), for: door, onSubscribedCentrals: nil)
        }
    }
}
