import CoreBluetooth
import CoreBluetoothSimulation
import Foundation

/// An ordinary Core Bluetooth program in the peripheral role, on a phone of a world. It writes down what it is told.
/// Reads and writes of dynamic characteristics are answered from the objects that it added.
final class PeripheralProgram: NSObject, CBPeripheralManagerDelegate, @unchecked Sendable {
    let world: World
    let phone: Phone
    let diary = Diary()
    let manager: CBPeripheralManager
    var onReady: () -> Void = {}
    var onSubscribe: (CBCharacteristic) -> Void = { _ in }
    /// Whether it answers requests at all.
    var answers = true
    /// The PSMs that were published, and the channels that were opened to them.
    private(set) var psms: [CBL2CAPPSM] = []
    var channels: [CBL2CAPChannel] = []
    var onChannel: (CBL2CAPChannel) -> Void = { _ in }

    init(_ world: World, on phone: Phone, queue: DispatchQueue? = DispatchQueue(label: "peripheral")) {
        self.world = world
        self.phone = phone
        manager = phone.run { CBPeripheralManager(delegate: nil, queue: queue) }
        super.init()
        manager.delegate = self
    }

    var lines: [String] { diary.entries }
    func has(_ line: String) -> Bool { lines.contains(line) }
    func count(_ start: String) -> Int { diary.count(start) }

    /// Publishes services and advertises a name; lets time go by until that is done.
    @discardableResult
    func publish(_ services: [CBMutableService], name: String?, advertises uuids: [CBUUID] = []) -> Bool {
        world.run(until: { self.manager.state == .poweredOn }, timeout: .seconds(5))
        for service in services { manager.add(service) }
        guard world.run(until: { self.count("added") == services.count }, timeout: .seconds(5)) else { return false }
        var data: [String: Any] = [CBAdvertisementDataServiceUUIDsKey: uuids]
        if let name { data[CBAdvertisementDataLocalNameKey] = name }
        manager.startAdvertising(data)
        return world.run(until: { self.manager.isAdvertising }, timeout: .seconds(5))
    }

    static func service(_ uuid: String, _ characteristics: CBMutableCharacteristic...) -> CBMutableService {
        let service = CBMutableService(type: CBUUID(string: uuid), primary: true)
        service.characteristics = characteristics
        return service
    }

    // MARK: What it is told

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        diary.write("state \(text(peripheral.state))")
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?) {
        diary.write("added \(service.uuid.uuidString) \(text(error))")
    }

    func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
        diary.write("advertising \(text(error))")
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
    ) {
        diary.write("subscribed \(characteristic.uuid.uuidString)")
        onSubscribe(characteristic)
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral, didUnsubscribeFrom characteristic: CBCharacteristic
    ) {
        diary.write("unsubscribed \(characteristic.uuid.uuidString)")
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        diary.write("read \(request.characteristic.uuid.uuidString) at \(request.offset)")
        guard answers else { return }
        let value = request.characteristic.value ?? Data()
        guard request.offset <= value.count else { return peripheral.respond(to: request, withResult: .invalidOffset) }
        request.value = value.dropFirst(request.offset)
        peripheral.respond(to: request, withResult: .success)
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        for request in requests {
            let value = request.value ?? Data()
            diary.write("write \(request.characteristic.uuid.uuidString) at \(request.offset) \(value.hex)")
            guard let characteristic = request.characteristic as? CBMutableCharacteristic else { continue }
            characteristic.value = (characteristic.value ?? Data()).prefix(request.offset) + value
        }
        if answers, let first = requests.first { peripheral.respond(to: first, withResult: .success) }
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didPublishL2CAPChannel PSM: CBL2CAPPSM, error: (any Error)?
    ) {
        diary.write("published \(PSM) \(text(error))")
        psms.append(PSM)
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didUnpublishL2CAPChannel PSM: CBL2CAPPSM, error: (any Error)?
    ) {
        diary.write("unpublished \(PSM) \(text(error))")
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didOpen channel: CBL2CAPChannel?, error: (any Error)?
    ) {
        diary.write("opened \(channel.map { "\($0.psm)" } ?? "nil") \(text(error))")
        guard let channel else { return }
        channels.append(channel)
        onChannel(channel)
    }

    func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
        diary.write("ready to update")
        onReady()
    }
}
