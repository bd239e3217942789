import CoreBluetooth
import Foundation

/// Reads and follows a heart rate sensor, and tries to read its sensitive characteristic.
public final class HeartRateCentral: NSObject {
    private static let heartRateService = CBUUID(string: "180D")
    private static let measurement = CBUUID(string: "2A37")
    private static let location = CBUUID(string: "2A38")
    private static let email = CBUUID(string: "71DA3FD2-7E10-41C1-B16F-4430B506CDE7")

    /// What can be chosen on the command line.
    public struct Options {
        /// How many measurements to wait for.
        public var values = 3
        /// Seconds within which a sensor must be found.
        public var timeout: TimeInterval = 10
        public init() {}
    }

    private let options: Options
    private let after: (TimeInterval, @escaping () -> Void) -> Void
    private let say: (String) -> Void
    private let finish: (Int32) -> Void
    private var manager: CBCentralManager?
    private var sensor: CBPeripheral?
    private var servicesToExplore = 0
    private var values = 0
    private var isLeaving = false
    private var isEmailAnswered = false

    public init(
        options: Options = Options(), after: @escaping (TimeInterval, @escaping () -> Void) -> Void,
        say: @escaping (String) -> Void, finish: @escaping (Int32) -> Void
    ) {
        self.options = options
        self.after = after
        self.say = say
        self.finish = finish
    }

    public func start(queue: DispatchQueue? = nil) {
        manager = CBCentralManager(delegate: self, queue: queue)
        after(options.timeout) { [weak self] in
            guard let self, self.sensor == nil else { return }
            self.say("no heart rate sensor was found within \(Int(self.options.timeout)) s")
            self.manager?.stopScan()
            self.finish(1)
        }
    }

    private func leaveWhenDone() {
        guard values >= options.values, isEmailAnswered, !isLeaving, let sensor else { return }
        isLeaving = true
        manager?.cancelPeripheralConnection(sensor)
    }
}

extension HeartRateCentral: CBCentralManagerDelegate {
    public func centralManagerDidUpdateState(_ central: CBCentralManager) {
        guard central.state == .poweredOn else { return say("Bluetooth is not on (state \(central.state.rawValue))") }
        central.scanForPeripherals(withServices: [Self.heartRateService])
    }

    public func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        guard sensor == nil else { return }
        let services = advertisementData[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] ?? []
        say("found a sensor with \(services.map(\.uuidString).joined(separator: ", "))")
        sensor = peripheral
        central.stopScan()
        central.connect(peripheral)
    }

    public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        say("connected")
        peripheral.delegate = self
        peripheral.discoverServices(nil)
    }

    public func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: Error?) {
        say("failed to connect: \(error?.localizedDescription ?? "no error")")
        finish(1)
    }

    public func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: Error?
    ) {
        say("disconnected: \(error?.localizedDescription ?? "no error")")
        finish(isLeaving && error == nil ? 0 : 1)
    }
}

extension HeartRateCentral: CBPeripheralDelegate {
    public func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: Error?) {
        for service in peripheral.services ?? [] {
            say("service \(service.uuid)")
            peripheral.discoverCharacteristics(nil, for: service)
        }
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: Error?
    ) {
        for characteristic in service.characteristics ?? [] {
            switch characteristic.uuid {
            case Self.measurement: peripheral.setNotifyValue(true, for: characteristic)
            case Self.location, Self.email: peripheral.readValue(for: characteristic)
            default: break
            }
        }
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic, error: Error?
    ) {
        say("following \(characteristic.uuid): \(error?.localizedDescription ?? "yes")")
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: Error?
    ) {
        let value = characteristic.value ?? Data()
        switch characteristic.uuid {
        case Self.measurement:
            guard error == nil, let beats = Self.beats(value) else { return say("a measurement that can't be read") }
            say("\(beats) beats a minute")
            values += 1
        case Self.location:
            say("sensor location: \(error?.localizedDescription ?? Self.locationName(value))")
        case Self.email:
            isEmailAnswered = true
            say("email: \(error?.localizedDescription ?? String(decoding: value, as: UTF8.self))")
        default: break
        }
        leaveWhenDone()
    }

    /// The Heart Rate Measurement: bit 0 of the flags says whether the value has one octet or two.
    private static func beats(_ value: Data) -> Int? {
        let octets = [UInt8](value)
        guard octets.count >= 2 else { return nil }
        if octets[0] & 1 == 0 { return Int(octets[1]) }
        return octets.count >= 3 ? Int(octets[1]) | Int(octets[2]) << 8 : nil
    }

    private static func locationName(_ value: Data) -> String {
        let names = ["other", "chest", "wrist", "finger", "hand", "ear lobe", "foot"]
        guard let index = value.first, Int(index) < names.count else { return "unknown" }
        return names[Int(index)]
    }
}
