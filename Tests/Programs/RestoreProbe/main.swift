import CoreBluetooth
import Foundation

// A program with restore identifiers in one of the roles, to be killed and started again.
// RestoreProbe central NAME | peripheral NAME

func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

final class Central: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    let name: String
    var manager: CBCentralManager?
    var peripheral: CBPeripheral?

    init(_ name: String) { self.name = name }

    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
        let peripherals = dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral] ?? []
        peripheral = peripherals.first
        let scans = dict[CBCentralManagerRestoredStateScanOptionsKey] != nil
        say("restored \(peripherals.map { "\($0.identifier) state \($0.state.rawValue)" }) scan \(scans)")
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        say("state \(central.state.rawValue)")
        guard central.state == .poweredOn, peripheral == nil, !central.isScanning else { return }
        central.scanForPeripherals(withServices: nil)
        say("scanning")
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        guard peripheral.name == name, self.peripheral == nil else { return }
        self.peripheral = peripheral
        central.connect(peripheral)
        central.stopScan()
        say("connecting \(peripheral.identifier)")
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        say("connected \(peripheral.identifier)")
        peripheral.delegate = self
        peripheral.discoverServices([CBUUID(string: "FFF0")])
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        say("services \(peripheral.services?.map(\.uuid.uuidString) ?? [])")
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        say("disconnected \(peripheral.identifier)")
        central.connect(peripheral)
    }
}

final class Peripheral: NSObject, CBPeripheralManagerDelegate {
    let name: String
    var manager: CBPeripheralManager?
    var isRestored = false

    init(_ name: String) { self.name = name }

    func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]) {
        let services = dict[CBPeripheralManagerRestoredStateServicesKey] as? [CBMutableService] ?? []
        let advertisement = dict[CBPeripheralManagerRestoredStateAdvertisementDataKey] as? [String: Any]
        isRestored = !services.isEmpty
        say("restored \(services.map(\.uuid.uuidString)) \(advertisement?[CBAdvertisementDataLocalNameKey] ?? "-")")
    }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        say("state \(peripheral.state.rawValue) advertising \(peripheral.isAdvertising)")
        guard peripheral.state == .poweredOn, !isRestored else { return }
        let service = CBMutableService(type: CBUUID(string: "FFF0"), primary: true)
        service.characteristics = [
            CBMutableCharacteristic(
                type: CBUUID(string: "FFF1"), properties: .read, value: Data([1]), permissions: .readable)
        ]
        peripheral.add(service)
        peripheral.startAdvertising([CBAdvertisementDataLocalNameKey: name])
    }

    func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
        say("advertising")
    }
}

let arguments = CommandLine.arguments
let central = Central(arguments.count > 2 ? arguments[2] : "")
let peripheral = Peripheral(arguments.count > 2 ? arguments[2] : "")
switch arguments.count > 1 ? arguments[1] : "" {
case "central":
    central.manager = CBCentralManager(
        delegate: central, queue: nil, options: [CBCentralManagerOptionRestoreIdentifierKey: "probe"])
case "peripheral":
    peripheral.manager = CBPeripheralManager(
        delegate: peripheral, queue: nil, options: [CBPeripheralManagerOptionRestoreIdentifierKey: "probe"])
default:
    say("usage: RestoreProbe central|peripheral NAME")
    exit(2)
}
RunLoop.main.run()
