import CoreBluetooth
import CoreBluetoothSimulation
import Foundation
import Testing

/// Contract 3 and 124: what a killed program had running comes back with the restore identifier.
@Suite struct ContractRestorationTests {
    private let world = World(seed: 7)
    private let phone: Phone

    init() { phone = world.addPhone("phone") }

    @Test func `3 and 124 a peripheral comes back before the first state, connecting, and is connected again`() throws {
        world.addPeripheral(VirtualPeripheral("sensor").advertising())
        var first: RestoringCentral? = RestoringCentral(phone)
        let id = try #require(first?.connect("sensor", world))
        phone.killPrograms()
        let lines = first?.diary.entries
        first = nil
        world.advance(by: .seconds(2))
        let second = RestoringCentral(phone)
        #expect(world.run(until: { second.diary.entries.contains("connected \(id)") }, timeout: .seconds(5)))
        #expect(
            second.diary.entries == ["restored [\(id)] connecting, scan -", "state 5", "connected \(id)"])
        // The killed one has heard nothing of its end.
        #expect(lines == ["state 5", "found sensor", "connected \(id)"])
    }

    @Test func `124 a pending connection comes back too, and a cancelled one does not`() throws {
        let sensor = world.addPeripheral(VirtualPeripheral("sensor").advertising())
        let first = RestoringCentral(phone)
        let id = try #require(first.connect("sensor", world))
        phone.setOutOfRange(of: sensor)
        #expect(
            world.run(until: { first.diary.entries.last?.hasPrefix("disconnected") ?? false }, timeout: .seconds(60)))
        first.manager.connect(try #require(first.kept.first))
        phone.killPrograms()
        let second = RestoringCentral(phone)
        world.advance(by: .seconds(2))
        #expect(second.diary.entries == ["restored [\(id)] connecting, scan -", "state 5"])
        second.manager.cancelPeripheralConnection(try #require(second.kept.first))
        phone.killPrograms()
        let third = RestoringCentral(phone)
        world.advance(by: .seconds(2))
        #expect(third.diary.entries == ["state 5"])
    }

    @Test func `124 a peripheral that the program does not keep is not connected`() throws {
        let sensor = world.addPeripheral(VirtualPeripheral("sensor").advertising())
        let first = RestoringCentral(phone)
        _ = try #require(first.connect("sensor", world))
        phone.killPrograms()
        world.advance(by: .seconds(1))
        let second = RestoringCentral(phone, keeps: false)
        world.advance(by: .seconds(5))
        #expect(second.diary.entries.last == "state 5")
        #expect(!sensor.isConnected)
        phone.killPrograms()
        let third = RestoringCentral(phone)
        world.advance(by: .seconds(1))
        #expect(third.diary.entries == ["state 5"])
    }

    @Test func `124 a scan comes back with its services and options, and goes on`() throws {
        let first = RestoringCentral(phone)
        world.advance(by: .seconds(1))
        first.manager.scanForPeripherals(
            withServices: [CBUUID(string: "180D")], options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
        phone.killPrograms()
        let second = RestoringCentral(phone)
        world.advance(by: .seconds(1))
        #expect(second.diary.entries == ["restored [] , scan 180D duplicates true", "state 5"])
        #expect(second.manager.isScanning)
        world.addPeripheral(VirtualPeripheral("belt").advertising(services: [CBUUID(string: "180D")]))
        world.addPeripheral(VirtualPeripheral("other").advertising())
        #expect(world.run(until: { second.diary.count("found belt") > 2 }, timeout: .seconds(10)))
        #expect(second.diary.count("found other") == 0)
        second.manager.stopScan()
        phone.killPrograms()
        let third = RestoringCentral(phone)
        world.advance(by: .seconds(1))
        #expect(third.diary.entries == ["state 5"])
        #expect(!third.manager.isScanning)
    }

    @Test func `3 a manager that was let go of leaves nothing to restore`() throws {
        world.addPeripheral(VirtualPeripheral("sensor").advertising())
        var first: RestoringCentral? = RestoringCentral(phone)
        _ = try #require(first?.connect("sensor", world))
        first = nil
        let second = RestoringCentral(phone)
        world.advance(by: .seconds(1))
        #expect(second.diary.entries == ["state 5"])
    }

    @Test func `124 another identifier is another manager`() throws {
        world.addPeripheral(VirtualPeripheral("sensor").advertising())
        let first = RestoringCentral(phone)
        _ = try #require(first.connect("sensor", world))
        phone.killPrograms()
        let second = RestoringCentral(phone, identifier: "another")
        world.advance(by: .seconds(1))
        #expect(second.diary.entries == ["state 5"])
    }

    @Test func `124 services and advertisement come back, and requests reach the restored objects`() throws {
        let first = RestoringPeripheral(phone)
        world.advance(by: .seconds(1))
        first.publish()
        world.advance(by: .seconds(1))
        phone.killPrograms()
        world.advance(by: .seconds(1))
        let second = RestoringPeripheral(phone)
        world.advance(by: .seconds(1))
        #expect(
            second.diary.entries == [
                "restored FFF0 [FFF1 dynamic 12, FFF2 fixed 01 2901 \"fixed\"] Thing [FFF0]", "state 5",
            ])
        #expect(second.manager.isAdvertising)
        // Published and advertised without a further word.
        let central = CentralProgram(world, on: world.addPhone("other"))
        let thing = try #require(central.reach("Thing"))
        let dynamic = try #require(central.characteristic("FFF1", of: thing))
        thing.readValue(for: dynamic)
        #expect(central.wait(for: "value FFF1 2a ok"))
        let fixed = try #require(central.characteristic("FFF2", of: thing))
        thing.readValue(for: fixed)
        #expect(central.wait(for: "value FFF2 01 ok"))
        #expect(second.diary.entries.last == "read FFF1 of the restored object true")
    }
}

/// A central program with a restore identifier, as a background app is written.
private final class RestoringCentral: NSObject, CBCentralManagerDelegate, @unchecked Sendable {
    let diary = Diary()
    private(set) var kept: [CBPeripheral] = []
    private(set) var manager: CBCentralManager!
    private let keeps: Bool

    init(_ phone: Phone, identifier: String = "mine", keeps: Bool = true) {
        self.keeps = keeps
        super.init()
        manager = phone.run {
            CBCentralManager(
                delegate: self, queue: DispatchQueue(label: "restoring"),
                options: [CBCentralManagerOptionRestoreIdentifierKey: identifier])
        }
    }

    func connect(_ name: String, _ world: World) -> UUID? {
        world.run(until: { self.manager.state == .poweredOn }, timeout: .seconds(5))
        manager.scanForPeripherals(withServices: nil)
        world.run(until: { !self.kept.isEmpty }, timeout: .seconds(5))
        manager.stopScan()
        guard let peripheral = kept.first else { return nil }
        manager.connect(peripheral)
        world.run(until: { peripheral.state == .connected }, timeout: .seconds(5))
        return peripheral.identifier
    }

    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
        let peripherals = dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral] ?? []
        if keeps { kept = peripherals }
        let states = Set(peripherals.map(\.state)).map { $0 == .connecting ? "connecting" : "state \($0.rawValue)" }
        let services = dict[CBCentralManagerRestoredStateScanServicesKey] as? [CBUUID]
        let options = dict[CBCentralManagerRestoredStateScanOptionsKey] as? [String: Any]
        let duplicates = options?[CBCentralManagerScanOptionAllowDuplicatesKey] as? Bool
        let scan = services?.map(\.uuidString).joined(separator: " ") ?? "-"
        diary.write(
            "restored \(peripherals.map(\.identifier)) \(states.joined()), scan \(scan)"
                + (duplicates.map { " duplicates \($0)" } ?? ""))
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) { diary.write("state \(central.state.rawValue)") }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        kept.append(peripheral)
        diary.write("found \(peripheral.name ?? "-")")
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        diary.write("connected \(peripheral.identifier)")
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) { diary.write("disconnected \(peripheral.identifier)") }
}

/// A peripheral program with a restore identifier.
private final class RestoringPeripheral: NSObject, CBPeripheralManagerDelegate, @unchecked Sendable {
    let diary = Diary()
    private(set) var manager: CBPeripheralManager!
    private var restored: [CBMutableService] = []

    init(_ phone: Phone) {
        super.init()
        manager = phone.run {
            CBPeripheralManager(
                delegate: self, queue: DispatchQueue(label: "restoring"),
                options: [CBPeripheralManagerOptionRestoreIdentifierKey: "mine"])
        }
    }

    func publish() {
        let dynamic = CBMutableCharacteristic(
            type: CBUUID(string: "FFF1"), properties: [.read, .notify], value: nil, permissions: .readable)
        let fixed = CBMutableCharacteristic(
            type: CBUUID(string: "FFF2"), properties: .read, value: Data([1]), permissions: .readable)
        fixed.descriptors = [
            CBMutableDescriptor(type: CBUUID(string: CBUUIDCharacteristicUserDescriptionString), value: "fixed")
        ]
        manager.add(PeripheralProgram.service("FFF0", dynamic, fixed))
        manager.startAdvertising([
            CBAdvertisementDataLocalNameKey: "Thing",
            CBAdvertisementDataServiceUUIDsKey: [CBUUID(string: "FFF0")],
        ])
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]) {
        restored = dict[CBPeripheralManagerRestoredStateServicesKey] as? [CBMutableService] ?? []
        let advertisement = dict[CBPeripheralManagerRestoredStateAdvertisementDataKey] as? [String: Any]
        let services = restored.map { service in
            let characteristics = (service.characteristics ?? []).map { characteristic in
                let kind = characteristic.value.map { "fixed \($0.hex)" } ?? "dynamic"
                let descriptors = (characteristic.descriptors ?? []).map {
                    " \($0.uuid.uuidString) \"\($0.value ?? "")\""
                }
                let bits =
                    characteristic.value == nil ? " " + String(characteristic.properties.rawValue, radix: 16) : ""
                return "\(characteristic.uuid.uuidString) \(kind)\(bits)\(descriptors.joined())"
            }
            return "\(service.uuid.uuidString) [\(characteristics.joined(separator: ", "))]"
        }
        let name = advertisement?[CBAdvertisementDataLocalNameKey] as? String ?? "-"
        let uuids = advertisement?[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] ?? []
        diary.write(
            "restored \(services.joined(separator: " ")) \(name) \(uuids.map(\.uuidString))".replacing(
                "\"FFF0\"", with: "FFF0"))
    }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        diary.write("state \(peripheral.state.rawValue)")
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?) {
        diary.write("added")
    }

    func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
        diary.write("advertising")
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        let isRestored = restored.contains { $0.characteristics?.contains { $0 === request.characteristic } ?? false }
        diary.write("read \(request.characteristic.uuid.uuidString) of the restored object \(isRestored)")
        request.value = Data([42])
        peripheral.respond(to: request, withResult: .success)
    }
}
