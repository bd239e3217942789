import CoreBluetooth
import CoreBluetoothSimulation
import Foundation

/// An ordinary Core Bluetooth program in the central role, on a phone of a world. It writes down what it is told and
/// does what the test says.
final class CentralProgram: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, @unchecked Sendable {
    let world: World
    let phone: Phone
    let diary = Diary()
    let manager: CBCentralManager
    private let lock = NSLock()
    private var found: [CBPeripheral] = []
    private var reports = 0
    /// Called on the manager's queue for each value of a characteristic.
    var onValue: (CBCharacteristic) -> Void = { _ in }
    /// The L2CAP channels that it has opened.
    var channels: [CBL2CAPChannel] = []
    var onReadyToWrite: (CBPeripheral) -> Void = { _ in }
    var onDisconnect: (CBPeripheral) -> Void = { _ in }

    init(_ world: World, on phone: Phone, queue: DispatchQueue? = DispatchQueue(label: "central")) {
        self.world = world
        self.phone = phone
        manager = phone.run { CBCentralManager(delegate: nil, queue: queue) }
        super.init()
        manager.delegate = self
    }

    var peripherals: [CBPeripheral] { lock.withLock { found } }
    var discoveries: Int { lock.withLock { reports } }
    var lines: [String] { diary.entries }
    func has(_ line: String) -> Bool { lines.contains(line) }
    func count(_ start: String) -> Int { diary.count(start) }

    /// Lets time go by until the line is there.
    @discardableResult
    func wait(for line: String, timeout: Duration = .seconds(30)) -> Bool {
        world.run(until: { self.has(line) }, timeout: timeout)
    }

    // MARK: Steps

    func find(_ name: String, timeout: Duration = .seconds(30)) -> CBPeripheral? {
        world.run(until: { self.manager.state == .poweredOn }, timeout: .seconds(5))
        manager.scanForPeripherals(withServices: nil)
        world.run(until: { self.peripheral(name) != nil }, timeout: timeout)
        manager.stopScan()
        return peripheral(name)
    }

    func peripheral(_ name: String) -> CBPeripheral? { peripherals.first { $0.name == name } }

    @discardableResult
    func connect(_ peripheral: CBPeripheral, timeout: Duration = .seconds(30)) -> Bool {
        peripheral.delegate = self
        manager.connect(peripheral)
        return world.run(until: { peripheral.state == .connected }, timeout: timeout)
    }

    /// Discovers everything: services, characteristics, descriptors.
    @discardableResult
    func explore(_ peripheral: CBPeripheral) -> Bool {
        peripheral.discoverServices(nil)
        guard world.run(until: { peripheral.services != nil }) else { return false }
        for service in peripheral.services ?? [] { peripheral.discoverCharacteristics(nil, for: service) }
        let isComplete = world.run {
            peripheral.services?.allSatisfy { $0.characteristics != nil } ?? false
        }
        for characteristic in characteristics(of: peripheral) { peripheral.discoverDescriptors(for: characteristic) }
        return world.run { self.characteristics(of: peripheral).allSatisfy { $0.descriptors != nil } } && isComplete
    }

    /// Finds, connects and explores.
    func reach(_ name: String) -> CBPeripheral? {
        guard let peripheral = find(name), connect(peripheral), explore(peripheral) else { return nil }
        return peripheral
    }

    func characteristics(of peripheral: CBPeripheral) -> [CBCharacteristic] {
        (peripheral.services ?? []).flatMap { $0.characteristics ?? [] }
    }

    func characteristic(_ uuid: String, of peripheral: CBPeripheral, in service: String? = nil) -> CBCharacteristic? {
        characteristics(of: peripheral).first {
            $0.uuid == CBUUID(string: uuid) && (service == nil || $0.service?.uuid == service.map(CBUUID.init(string:)))
        }
    }

    @discardableResult
    func subscribe(to characteristic: CBCharacteristic, _ enabled: Bool = true) -> Bool {
        characteristic.service?.peripheral?.setNotifyValue(enabled, for: characteristic)
        return world.run { characteristic.isNotifying == enabled }
    }

    // MARK: What it is told

    func centralManagerDidUpdateState(_ central: CBCentralManager) { diary.write("state \(text(central.state))") }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        lock.withLock {
            reports += 1
            if !found.contains(where: { $0 === peripheral }) { found.append(peripheral) }
        }
        let name = advertisementData[CBAdvertisementDataLocalNameKey] as? String ?? "-"
        diary.write("discovered \(name) \(RSSI)")
        if let data = advertisementData[CBAdvertisementDataManufacturerDataKey] as? Data {
            diary.write("manufacturer \(data.hex)")
        }
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        diary.write("connected \(peripheral.name ?? "-")")
    }

    func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?) {
        diary.write("failed \(peripheral.name ?? "-") \(text(error))")
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        diary.write("disconnected \(peripheral.name ?? "-") \(text(error))")
        onDisconnect(peripheral)
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        let uuids = (peripheral.services ?? []).map(\.uuid.uuidString).joined(separator: " ")
        diary.write("services \(uuids) \(text(error))")
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        let uuids = (service.characteristics ?? []).map(\.uuid.uuidString).joined(separator: " ")
        diary.write("characteristics of \(service.uuid.uuidString) \(uuids) \(text(error))")
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        let uuids = (characteristic.descriptors ?? []).map(\.uuid.uuidString).joined(separator: " ")
        diary.write("descriptors of \(characteristic.uuid.uuidString) \(uuids) \(text(error))")
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        diary.write("value \(characteristic.uuid.uuidString) \(characteristic.value?.hex ?? "nil") \(text(error))")
        if error == nil { onValue(characteristic) }
    }

    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?) {
        diary.write("descriptor \(descriptor.uuid.uuidString) \(descriptor.value ?? "nil") \(text(error))")
    }

    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        diary.write("written \(characteristic.uuid.uuidString) \(text(error))")
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        diary.write("notifying \(characteristic.uuid.uuidString) \(characteristic.isNotifying) \(text(error))")
    }

    func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
        diary.write("opened \(channel.map { "\($0.psm)" } ?? "nil") \(text(error))")
        if let channel { channels.append(channel) }
    }

    func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {
        diary.write("rssi \(RSSI) \(text(error))")
    }

    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) {
        diary.write("ready to write")
        onReadyToWrite(peripheral)
    }

    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
        diary.write("modified \(invalidatedServices.map(\.uuid.uuidString).joined(separator: " "))")
    }
}

/// `ok`, or domain and code.
func text(_ error: (any Error)?) -> String {
    switch error {
    case nil: "ok"
    case let error as CBError: "CBError.\(error.code.rawValue)"
    case let error as CBATTError: "CBATTError.\(error.code.rawValue)"
    case let error?: "\(error)"
    }
}

extension Data {
    /// Two digits an octet.
    var hex: String { map { String(format: "%02x", $0) }.joined() }
}

/// The name of a state.
func text(_ state: CBManagerState) -> String {
    switch state {
    case .unknown: "unknown"
    case .resetting: "resetting"
    case .unsupported: "unsupported"
    case .unauthorized: "unauthorized"
    case .poweredOff: "poweredOff"
    case .poweredOn: "poweredOn"
    @unknown default: "\(state.rawValue)"
    }
}
