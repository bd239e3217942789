import CoreBluetooth
import Foundation

/// Explores a thermostat, follows its temperature, sets its target; also does what must fail, and prints why it did.
public final class ThermostatClient: NSObject {
    private static let thermometer = CBUUID(string: "1809")
    private static let temperature = CBUUID(string: "2A6E")
    private static let target = CBUUID(string: "0B7C9C31-5B5E-4D7A-9E5C-2F6B3C1A7E01")

    /// What can be chosen on the command line.
    public struct Options {
        /// The target in hundredths of a degree Celsius.
        public var target: Int16 = 2150
        /// How many temperatures to wait for.
        public var values = 3
        /// Seconds within which a thermostat must be found.
        public var timeout: TimeInterval = 10
        public init() {}
    }

    private let options: Options
    private let after: (TimeInterval, @escaping () -> Void) -> Void
    private let say: (String) -> Void
    private let finish: (Int32) -> Void
    private var manager: CBCentralManager?
    private var thermostat: CBPeripheral?
    private var servicesToExplore = 0
    private var targetCharacteristic: CBCharacteristic?
    private var temperatures = 0
    private var writesAnswered = 0
    private var isLeaving = false

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
            guard let self, self.thermostat == nil else { return }
            self.say("no thermostat was found within \(Int(self.options.timeout)) s")
            self.manager?.stopScan()
            self.finish(1)
        }
    }

    private func write(_ hundredths: Int16) {
        guard let thermostat, let targetCharacteristic else { return }
        let bits = UInt16(bitPattern: hundredths)
        let octets = Data([UInt8(bits & 0xFF), UInt8(bits >> 8)])
        thermostat.writeValue(octets, for: targetCharacteristic, type: .withResponse)
    }

    private func leaveWhenDone() {
        guard temperatures >= options.values, writesAnswered == 2, !isLeaving, let thermostat else { return }
        isLeaving = true
        manager?.cancelPeripheralConnection(thermostat)
    }

    private func degrees(_ value: Data?) -> String {
        guard let octets = value.map([UInt8].init), octets.count == 2 else { return "no temperature" }
        return "\(Double(Int16(bitPattern: UInt16(octets[0]) | UInt16(octets[1]) << 8)) / 100) °C"
    }
}

extension ThermostatClient: CBCentralManagerDelegate {
    public func centralManagerDidUpdateState(_ central: CBCentralManager) {
        guard central.state == .poweredOn else { return say("Bluetooth is not on (state \(central.state.rawValue))") }
        central.scanForPeripherals(withServices: [Self.thermometer])
    }

    public func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        guard thermostat == nil else { return }
        let services = advertisementData[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] ?? []
        say("found \(peripheral), which advertises \(services.count) service")
        thermostat = peripheral
        central.stopScan()
        central.connect(peripheral)
    }

    public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.delegate = self
        peripheral.discoverServices(nil)
    }

    public func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: Error?) {
        say("failed to connect: \(error.map { "\($0)" } ?? "no error")")
        finish(1)
    }

    public func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: Error?
    ) {
        say("disconnected: \(error.map { "\($0)" } ?? "no error")")
        finish(isLeaving && error == nil ? 0 : 1)
    }
}

extension ThermostatClient: CBPeripheralDelegate {
    public func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: Error?) {
        let services = peripheral.services ?? []
        say("it has \(services.count) services")
        servicesToExplore = services.count
        for service in services {
            say("\(service)")
            peripheral.discoverCharacteristics(nil, for: service)
        }
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: Error?
    ) {
        for characteristic in service.characteristics ?? [] {
            say("\(characteristic)")
            if characteristic.uuid == Self.target { targetCharacteristic = characteristic }
            if characteristic.uuid == Self.temperature {
                // Read is for once, a subscription for each change; both come through the same callback.
                peripheral.readValue(for: characteristic)
                peripheral.setNotifyValue(true, for: characteristic)
            }
        }
        servicesToExplore -= 1
        guard servicesToExplore == 0, let targetCharacteristic else { return }
        // This one can't notify: the subscription fails, and the cause is printed.
        peripheral.setNotifyValue(true, for: targetCharacteristic)
        write(options.target)
        // And this target is out of what a thermostat takes.
        write(9900)
        peripheral.readValue(for: targetCharacteristic)
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic, error: Error?
    ) {
        say("subscription to \(characteristic.uuid): \(error?.localizedDescription ?? "on")")
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: Error?
    ) {
        if let error { return say("value of \(characteristic.uuid): \(error.localizedDescription)") }
        if characteristic.uuid == Self.target {
            say("target \(degrees(characteristic.value))")
        } else if characteristic.uuid == Self.temperature {
            say("temperature \(degrees(characteristic.value))")
            temperatures += 1
        }
        leaveWhenDone()
    }

    public func peripheral(_ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: Error?)
    {
        say("target written: \(error?.localizedDescription ?? "yes")")
        writesAnswered += 1
        leaveWhenDone()
    }
}
