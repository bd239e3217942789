import CoreBluetooth
import Foundation

/// A heart rate sensor with a second service of its own that holds sensitive data.
public final class HeartRatePeripheral: NSObject, CBPeripheralManagerDelegate {
    public static let heartRateService = CBUUID(string: "180D")
    public static let heartRateMeasurement = CBUUID(string: "2A37")
    public static let bodySensorLocation = CBUUID(string: "2A38")
    public static let ownService = CBUUID(string: "71DA3FD1-7E10-41C1-B16F-4430B506CDE7")
    public static let email = CBUUID(string: "71DA3FD2-7E10-41C1-B16F-4430B506CDE7")

    /// What can be chosen on the command line.
    public struct Options {
        /// Seconds after which advertising stops; nil = never.
        public var stopAfter: TimeInterval?
        public init() {}
    }

    private let options: Options
    private let after: (TimeInterval, @escaping () -> Void) -> Void
    private let say: (String) -> Void

    private var manager: CBPeripheralManager?
    private var servicesToAdd = 0
    private let measurement = CBMutableCharacteristic(
        type: heartRateMeasurement, properties: .notify, value: nil, permissions: .readable)
    private let address = CBMutableCharacteristic(
        type: email, properties: [.read, .notifyEncryptionRequired], value: nil,
        permissions: .readEncryptionRequired)
    private var beats = 60
    private var timer = 0
    private var refused: Data?

    /// - Parameters:
    ///   - after: does work after some seconds, on the manager's queue.
    ///   - say: takes a line for the person who watches.
    public init(
        options: Options = Options(), after: @escaping (TimeInterval, @escaping () -> Void) -> Void,
        say: @escaping (String) -> Void
    ) {
        self.options = options
        self.after = after
        self.say = say
    }

    public func start(queue: DispatchQueue? = nil) {
        manager = CBPeripheralManager(delegate: self, queue: queue)
    }

    public func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        guard peripheral.state == .poweredOn else {
            say("Bluetooth is not on (state \(peripheral.state.rawValue))")
            timer += 1
            return
        }
        // A value given here is static: the system answers its reads, and it can't change once it is published.
        let location = CBMutableCharacteristic(
            type: Self.bodySensorLocation, properties: .read, value: Data([0x01]), permissions: .readable)
        let heart = CBMutableService(type: Self.heartRateService, primary: true)
        heart.characteristics = [measurement, location]
        let own = CBMutableService(type: Self.ownService, primary: true)
        own.characteristics = [address]

        servicesToAdd = 2
        peripheral.removeAllServices()
        peripheral.add(heart)
        peripheral.add(own)
        address.value = Data("runner@example.org".utf8)
    }

    public func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: Error?) {
        if let error {
            say("error publishing \(service.uuid.uuidString): \(error.localizedDescription)")
            return
        }
        say("published \(service.uuid.uuidString)")
        servicesToAdd -= 1
        guard servicesToAdd == 0 else { return }
        // The services only, no name.
        peripheral.startAdvertising([CBAdvertisementDataServiceUUIDsKey: [Self.heartRateService, Self.ownService]])
    }

    public func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: Error?) {
        if let error {
            say("error advertising: \(error.localizedDescription)")
            return
        }
        say("advertising")
        guard let stopAfter = options.stopAfter else { return }
        after(stopAfter) { [weak self] in
            self?.manager?.stopAdvertising()
            self?.say("advertising stopped")
        }
    }

    public func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        let value = (request.characteristic.uuid == Self.email ? address.value : nil) ?? Data()
        guard request.offset <= value.count else {
            return peripheral.respond(to: request, withResult: .invalidOffset)
        }
        request.value = value.subdata(in: request.offset..<value.count)
        peripheral.respond(to: request, withResult: .success)
    }

    public func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        guard let first = requests.first else { return }
        peripheral.respond(to: first, withResult: .writeNotPermitted)
    }

    public func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
    ) {
        say("central subscribed to \(characteristic.uuid.uuidString)")
        if characteristic === measurement, measurement.subscribedCentrals?.count == 1 {
            timer += 1
            beat(timer)
        }
    }

    public func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral, didUnsubscribeFrom characteristic: CBCharacteristic
    ) {
        say("central unsubscribed from \(characteristic.uuid.uuidString)")
        if measurement.subscribedCentrals?.isEmpty ?? true { timer += 1 }
    }

    private func beat(_ current: Int) {
        after(1) { [weak self] in
            guard let self, self.timer == current else { return }
            self.beats = self.beats < 90 ? self.beats + 1 : 60
            // Flags 0: the value is one octet, beats a minute.
            self.send(Data([0x00, UInt8(self.beats)]))
            self.beat(current)
        }
    }

    private func send(_ value: Data) {
        let isQueued = manager?.updateValue(value, for: measurement, onSubscribedCentrals: nil) ?? false
        refused = isQueued ? nil : value
    }

    public func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
        if let refused { send(refused) }
    }
}
