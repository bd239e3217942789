import CoreBluetooth
import Foundation

/// Publishes a service for each UUID or name, and advertises. Callbacks come on one queue.
final class Publisher: NSObject, CBPeripheralManagerDelegate, @unchecked Sendable {
    let services: [String]
    var advertisement: [String: Any]

    init(_ services: [String]) {
        self.services = services
        advertisement = [CBAdvertisementDataLocalNameKey: services.first ?? "publisher"]
    }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        guard peripheral.state == .poweredOn else { return }
        for name in services where name.count == 4 {
            let service = CBMutableService(type: CBUUID(string: name), primary: true)
            service.characteristics = [
                CBMutableCharacteristic(
                    type: CBUUID(string: "FFF1"), properties: .read, value: Data([1]), permissions: .readable)
            ]
            peripheral.add(service)
        }
        peripheral.startAdvertising(advertisement)
    }
}

/// Finds everything, and connects as many as it's told.
final class Finder: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, @unchecked Sendable {
    private let limit: Int
    private var known: [CBPeripheral] = []
    var discovers = false
    private(set) var hasServices = false
    private(set) var connected: [CBPeripheral] = []
    private(set) var failures: [(any Error)?] = []
    private(set) var advertisements: [[String: Any]] = []

    init(connectsTo limit: Int) { self.limit = limit }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        if central.state == .poweredOn { central.scanForPeripherals(withServices: nil) }
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        advertisements.append(advertisementData)
        guard known.count < limit, !known.contains(where: { $0 === peripheral }) else { return }
        known.append(peripheral)
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        connected.append(peripheral)
        guard discovers else { return }
        peripheral.delegate = self
        peripheral.discoverServices(nil)
    }

    func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) {
        failures.append(error)
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) { hasServices = true }
}

/// Sends numbered values as fast as the queue takes them, by the tutorial's pattern: again from the ready callback.
final class Sender: NSObject, CBPeripheralManagerDelegate, @unchecked Sendable {
    private let count: Int
    private let values = CBMutableCharacteristic(
        type: CBUUID(string: "71DA3FD3-7E10-41C1-B16F-4430B506CDE7"), properties: .notify, value: nil,
        permissions: .readable)
    private var next = 0
    private(set) var refusals = 0
    private(set) var readyCalls = 0

    init(count: Int) { self.count = count }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        guard peripheral.state == .poweredOn else { return }
        let service = CBMutableService(type: CBUUID(string: "71DA3FD4-7E10-41C1-B16F-4430B506CDE7"), primary: true)
        service.characteristics = [values]
        peripheral.add(service)
        peripheral.startAdvertising([CBAdvertisementDataLocalNameKey: "Sender"])
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
    ) {
        send(peripheral)
    }

    func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
        readyCalls += 1
        send(peripheral)
    }

    private func send(_ peripheral: CBPeripheralManager) {
        while next < count {
            guard peripheral.updateValue(Data("value \(next)".utf8), for: values, onSubscribedCentrals: nil) else {
                refusals += 1
                return
            }
            next += 1
        }
    }
}

/// Connects the first device that it finds, and collects what its one characteristic notifies.
final class Receiver: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, @unchecked Sendable {
    private var peer: CBPeripheral?
    private(set) var values: [Data] = []

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        if central.state == .poweredOn { central.scanForPeripherals(withServices: nil) }
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        guard peer == nil else { return }
        peer = peripheral
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.delegate = self
        peripheral.discoverServices(nil)
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        for service in peripheral.services ?? [] { peripheral.discoverCharacteristics(nil, for: service) }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        for characteristic in service.characteristics ?? [] { peripheral.setNotifyValue(true, for: characteristic) }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        values.append(characteristic.value ?? Data())
    }
}
