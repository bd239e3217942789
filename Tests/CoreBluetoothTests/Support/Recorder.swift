import CoreBluetooth
import BLELocking

/// Notes the calls of delegates, one line each, and runs what a test wants done within one.
class Recorder: NSObject, @unchecked Sendable {
    private let storage = Locked<[String]>([])
    /// Called with each line, on the manager's queue.
    let inside = Locked<(@Sendable (String) -> Void)?>(nil)

    /// The lines since the last time.
    func take() -> [String] {
        storage.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }

    func note(_ line: String) {
        storage.withLock { $0.append(line) }
        inside.withLock { $0 }?(line)
    }

    static func text(_ error: (any Error)?) -> String {
        switch error {
        case nil: "nil"
        case let error as CBError: "CBError \(error.code.rawValue)"
        case let error as CBATTError: "CBATTError \(error.code.rawValue)"
        case let error?: "\(error)"
        }
    }

    static func text(_ data: Data?) -> String {
        data.map { $0.map { String($0, radix: 16) }.joined(separator: " ") } ?? "nil"
    }
}

/// A delegate of a central manager and of its peripherals with every method, but the newer one for disconnections.
final class CentralRecorder: Recorder, CBCentralManagerDelegate, CBPeripheralDelegate, @unchecked Sendable {
    let found = Locked<[CBPeripheral]>([])
    /// The dictionary of the last discovery.
    let advertisement = Locked(Dictionary())

    struct Dictionary: @unchecked Sendable { var content: [String: Any] = [:] }

    func centralManagerDidUpdateState(_ central: CBCentralManager) { note("state \(central.state.rawValue)") }
    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        found.withLock { $0.append(peripheral) }
        let dictionary = Dictionary(content: advertisementData)
        advertisement.withLock { $0 = dictionary }
        note("discovered \(peripheral.name ?? "nil") \(RSSI)")
    }
    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        note("connected, state \(peripheral.state.rawValue)")
    }
    func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) { note("failed \(Self.text(error)), state \(peripheral.state.rawValue)") }
    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) { note("disconnected \(Self.text(error)), state \(peripheral.state.rawValue)") }
    func centralManager(
        _ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent, for peripheral: CBPeripheral
    ) { note("connection event \(event.rawValue)") }

    func peripheralDidUpdateName(_ peripheral: CBPeripheral) { note("name \(peripheral.name ?? "nil")") }
    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
        note("modified \(invalidatedServices.map(\.uuid.uuidString)), left \(Self.list(peripheral.services))")
    }
    func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {
        note("rssi \(RSSI) \(Self.text(error))")
    }
    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        note("services \(Self.list(peripheral.services)) \(Self.text(error))")
    }
    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverIncludedServicesFor service: CBService, error: (any Error)?
    ) { note("included \(Self.list(service.includedServices)) \(Self.text(error))") }
    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) { note("characteristics \(Self.list(service.characteristics)) \(Self.text(error))") }
    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) { note("value \(characteristic.uuid.uuidString) \(Self.text(characteristic.value)) \(Self.text(error))") }
    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) { note("wrote \(characteristic.uuid.uuidString) \(Self.text(error))") }
    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) { note("notifying \(characteristic.isNotifying) \(Self.text(error))") }
    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic, error: (any Error)?
    ) { note("descriptors \(Self.list(characteristic.descriptors)) \(Self.text(error))") }
    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?) {
        note("descriptor value \(descriptor.value.map { "\($0)" } ?? "nil") \(Self.text(error))")
    }
    func peripheral(_ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?) {
        note("wrote descriptor \(Self.text(error))")
    }
    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) { note("ready to write") }
    func peripheral(_ peripheral: CBPeripheral, didCompleteChannelSoundingSession error: (any Error)?) {
        note("sounding \(Self.text(error))")
    }

    private static func list(_ attributes: [CBAttribute]?) -> String {
        attributes.map { "\($0.map(\.uuid.uuidString))" } ?? "nil"
    }
}

/// A delegate of a peripheral manager with every method.
final class PeripheralRecorder: Recorder, CBPeripheralManagerDelegate, @unchecked Sendable {
    let requests = Locked<[CBATTRequest]>([])
    let attributes = Locked<[CBAttribute]>([])
    let centrals = Locked<[CBCentral]>([])

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        note("state \(peripheral.state.rawValue)")
    }
    func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
        note("advertising \(peripheral.isAdvertising) \(Self.text(error))")
    }
    func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?) {
        attributes.withLock { $0.append(service) }
        note("added \(service.uuid.uuidString) \(Self.text(error))")
    }
    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
    ) {
        attributes.withLock { $0.append(characteristic) }
        centrals.withLock { $0.append(central) }
        note("subscribed \(Self.count(characteristic))")
    }
    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral, didUnsubscribeFrom characteristic: CBCharacteristic
    ) { note("unsubscribed \(Self.count(characteristic))") }
    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        requests.withLock { $0.append(request) }
        note("read \(request.characteristic.uuid.uuidString) from \(request.offset)")
    }
    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        self.requests.withLock { $0 += requests }
        note("write \(requests.map { "\($0.characteristic.uuid.uuidString) \(Self.text($0.value))" })")
    }
    func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) { note("ready to update") }

    private static func count(_ characteristic: CBCharacteristic) -> String {
        let count = (characteristic as? CBMutableCharacteristic)?.subscribedCentrals?.count ?? -1
        return "\(characteristic.uuid.uuidString), now \(count)"
    }
}
