import CoreBluetooth
import Foundation

/// A thermostat: a temperature to subscribe to, a target temperature to read and write; it advertises less than it has.
public final class Thermostat: NSObject, CBPeripheralManagerDelegate {
    public static let thermometer = CBUUID(string: "1809")
    public static let temperature = CBUUID(string: "2A6E")
    public static let control = CBUUID(string: "0B7C9C30-5B5E-4D7A-9E5C-2F6B3C1A7E01")
    public static let target = CBUUID(string: "0B7C9C31-5B5E-4D7A-9E5C-2F6B3C1A7E01")
    public static let information = CBUUID(string: "0B7C9C40-5B5E-4D7A-9E5C-2F6B3C1A7E01")
    public static let model = CBUUID(string: "0B7C9C41-5B5E-4D7A-9E5C-2F6B3C1A7E01")

    private let name: String
    private let after: (TimeInterval, @escaping () -> Void) -> Void
    private let say: (String) -> Void
    private var manager: CBPeripheralManager?
    private let measured = CBMutableCharacteristic(
        type: temperature, properties: [.read, .notify], value: nil, permissions: .readable)
    private let wanted = CBMutableCharacteristic(
        type: target, properties: [.read, .write], value: nil, permissions: [.readable, .writeable])
    private var servicesToAdd = 0
    private var timer = 0
    /// Hundredths of a degree Celsius.
    private var present: Int16 = 1850
    private var goal: Int16 = 2000
    private var refused: Data?

    public init(
        name: String = "Thermostat", after: @escaping (TimeInterval, @escaping () -> Void) -> Void,
        say: @escaping (String) -> Void
    ) {
        self.name = name
        self.after = after
        self.say = say
    }

    public func start(queue: DispatchQueue? = nil) {
        manager = CBPeripheralManager(delegate: self, queue: queue)
    }

    /// A temperature in hundredths of a degree as two octets, least significant first.
    public static func octets(_ hundredths: Int16) -> Data {
        let bits = UInt16(bitPattern: hundredths)
        return Data([UInt8(bits & 0xFF), UInt8(bits >> 8)])
    }

    /// The temperature of two octets, or nil.
    public static func hundredths(_ octets: Data) -> Int16? {
        let octets = [UInt8](octets)
        guard octets.count == 2 else { return nil }
        return Int16(bitPattern: UInt16(octets[0]) | UInt16(octets[1]) << 8)
    }

    public func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        timer += 1
        guard peripheral.state == .poweredOn else {
            return say("Bluetooth is not on (state \(peripheral.state.rawValue))")
        }
        let temperature = CBMutableService(type: Self.thermometer, primary: true)
        temperature.characteristics = [measured]
        let control = CBMutableService(type: Self.control, primary: true)
        control.characteristics = [wanted]
        let information = CBMutableService(type: Self.information, primary: true)
        information.characteristics = [
            CBMutableCharacteristic(
                type: Self.model, properties: .read, value: Data("T-1000".utf8), permissions: .readable)
        ]
        servicesToAdd = 3
        peripheral.removeAllServices()
        [temperature, control, information].forEach(peripheral.add)
    }

    public func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: Error?) {
        if let error { return say("\(service.uuid) could not be published: \(error)") }
        servicesToAdd -= 1
        guard servicesToAdd == 0 else { return }
        peripheral.startAdvertising([
            CBAdvertisementDataLocalNameKey: name, CBAdvertisementDataServiceUUIDsKey: [Self.thermometer],
        ])
    }

    public func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: Error?) {
        say(error.map { "advertising failed: \($0)" } ?? "the thermostat waits")
    }

    public func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        let value = Self.octets(request.characteristic === wanted ? goal : present)
        guard request.offset <= value.count else {
            return peripheral.respond(to: request, withResult: .invalidOffset)
        }
        request.value = value.subdata(in: request.offset..<value.count)
        peripheral.respond(to: request, withResult: .success)
    }

    public func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        guard let request = requests.first else { return }
        guard requests.count == 1, request.offset == 0, let value = Self.hundredths(request.value ?? Data()) else {
            say("a target that is no temperature")
            return peripheral.respond(to: request, withResult: .invalidAttributeValueLength)
        }
        guard (500...3000).contains(value) else {
            say("a target of \(Double(value) / 100) °C is refused")
            return peripheral.respond(to: request, withResult: .unlikelyError)
        }
        goal = value
        say("the target is \(Double(goal) / 100) °C")
        peripheral.respond(to: request, withResult: .success)
    }

    public func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
    ) {
        say("subscribed to \(characteristic.uuid)")
        guard measured.subscribedCentrals?.count == 1 else { return }
        timer += 1
        measure(timer)
    }

    public func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral, didUnsubscribeFrom characteristic: CBCharacteristic
    ) {
        say("unsubscribed from \(characteristic.uuid)")
        if measured.subscribedCentrals?.isEmpty ?? true { timer += 1 }
    }

    private func measure(_ current: Int) {
        after(1) { [weak self] in
            guard let self, self.timer == current else { return }
            // A tenth of the way to the target each second.
            self.present += (self.goal - self.present) / 10
            self.send(Self.octets(self.present))
            self.measure(current)
        }
    }

    private func send(_ value: Data) {
        let isQueued = manager?.updateValue(value, for: measured, onSubscribedCentrals: nil) ?? false
        refused = isQueued ? nil : value
    }

    public func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
        if let refused { send(refused) }
    }
}
