import BLERuntime
import BLETestSupport
import CoreBluetooth
import Dispatch
import Foundation
import BLELocking

/// A central that follows every wrist band it finds, in the test's own process: its device is one of its own on the
/// fixture's radio.
final class BandFollower: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, @unchecked Sendable {
    enum Event: Equatable, Sendable {
        case state(Int)
        case found(UUID)
        case subscribed(UUID)
        case value(UUID, String)
        case lost(UUID, withError: Bool)
        case failed(UUID)
    }
    let events = Recorder<Event>()

    private let device: ProcessDevice
    private let queue = DispatchQueue(label: "follower")
    // Touched on the queue only.
    private var manager: CBCentralManager?
    private var peripherals: [UUID: CBPeripheral] = [:]
    private let service = CBUUID(string: "FFF0")
    private let characteristic = CBUUID(string: "FFF1")

    init(_ fixture: ProcessFixture, variables: [String: String] = [:]) {
        let all = fixture.environment.merging(variables) { $1 }
        device = ProcessDevice(EnvironmentVariables(all), executable: "Follower")
        super.init()
        Device.$attached.withValue(device.device) {
            manager = CBCentralManager(delegate: self, queue: queue)
        }
    }

    /// Values that came from each band, in order.
    static func values(in events: [Event]) -> [UUID: [String]] {
        events.reduce(into: [:]) { values, event in
            if case .value(let band, let value) = event { values[band, default: []].append(value) }
        }
    }

    func stop() {
        queue.sync { manager = nil }
        device.stop()
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        events.record(.state(central.state.rawValue))
        if central.state == .poweredOn {
            peripherals.removeAll()
            central.scanForPeripherals(withServices: [service])
        }
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        guard peripherals[peripheral.identifier] == nil else { return }
        events.record(.found(peripheral.identifier))
        peripherals[peripheral.identifier] = peripheral
        peripheral.delegate = self
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.discoverServices([service])
    }

    func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?) {
        events.record(.failed(peripheral.identifier))
        central.connect(peripheral)
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        events.record(.lost(peripheral.identifier, withError: error != nil))
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        for service in peripheral.services ?? [] { peripheral.discoverCharacteristics([characteristic], for: service) }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        for found in service.characteristics ?? [] { peripheral.setNotifyValue(true, for: found) }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        if characteristic.isNotifying { events.record(.subscribed(peripheral.identifier)) }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        let value = String(decoding: characteristic.value ?? Data(), as: UTF8.self)
        events.record(.value(peripheral.identifier, value))
    }
}
