import CoreBluetooth
import Testing

// Code as it is written for Apple's platforms, in Swift 5 and without any flag. That it compiles, without a warning, is
// most of the test. It imports Core Bluetooth alone: Foundation and Dispatch come with it. [contract 1.13]

extension CBUUID {
    static let band = CBUUID(string: "FFF0")

    convenience init(short: UInt16) { self.init(string: String(format: "%04X", short)) }
}

extension CBManagerState {
    var name: String {
        switch self {
        case .unknown: return "unknown"
        case .resetting: return "resetting"
        case .unsupported: return "unsupported"
        case .unauthorized: return "unauthorized"
        case .poweredOff: return "poweredOff"
        case .poweredOn: return "poweredOn"
        @unknown default: return "new"
        }
    }
}

/// A delegate as a view controller would be one: bare protocol names, implicitly unwrapped properties.
class BandController: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    var central: CBCentralManager!
    var peripheral: CBPeripheral?
    weak var next: CBCentralManagerDelegate?
    let queue: dispatch_queue_t = DispatchQueue(label: "band", qos: .userInitiated)
    lazy var characteristics = [CBUUID: CBCharacteristic]()

    func start() { central = CBCentralManager(delegate: self, queue: queue, options: nil) }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        guard central.state == .poweredOn else { return }
        central.scanForPeripherals(
            withServices: [.band], options: [CBCentralManagerScanOptionAllowDuplicatesKey: false])
        next?.centralManagerDidUpdateState(central)
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        guard (advertisementData[CBAdvertisementDataLocalNameKey] as? String) == "OBand-75", RSSI.intValue > -90,
            advertisementData[CBAdvertisementDataIsConnectable] as? Bool ?? false
        else { return }
        let services = advertisementData[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] ?? []
        let data = advertisementData[CBAdvertisementDataServiceDataKey] as? [CBUUID: Data]
        guard services.contains(.band), data?[.band] != Data() else { return }
        self.peripheral = peripheral
        peripheral.delegate = self
        central.stopScan()
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.discoverServices([.band])
    }

    func centralManager(_ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: Error?) {
        if let error = error as? CBError, error.code == .connectionTimeout { central.connect(peripheral, options: nil) }
        if let error = error as NSError?, error.domain == CBErrorDomain { self.peripheral = nil }
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: Error?) {
        for service in peripheral.services ?? [] where service.isPrimary {
            peripheral.discoverCharacteristics(nil, for: service)
        }
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: Error?) {
        service.characteristics?.forEach { characteristic in
            characteristics[characteristic.uuid] = characteristic
            if characteristic.properties.contains(.notify) { peripheral.setNotifyValue(true, for: characteristic) }
            if !characteristic.properties.intersection([.write, .writeWithoutResponse]).isEmpty {
                peripheral.maximumWriteValueLength(for: .withoutResponse)
            }
        }
    }

    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: Error?) {
        do {
            if let error = error { throw error }
        } catch CBATTError.readNotPermitted {
            print("not readable")
        } catch let error as CBATTError where error.code == .insufficientEncryption {
            print("encrypted")
        } catch CBError.peripheralDisconnected, CBError.connectionTimeout {
            print("gone")
        } catch {
            print(error.localizedDescription)
        }
    }
}

/// A peripheral that answers requests.
final class BandServer: NSObject, CBPeripheralManagerDelegate {
    private var manager: CBPeripheralManager?
    private let characteristic = CBMutableCharacteristic(
        type: CBUUID(short: 0xFFF1), properties: [.read, .write, .notify], value: nil,
        permissions: [.readable, .writeable])

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        let service = CBMutableService(type: .band, primary: true)
        service.characteristics = [characteristic]
        peripheral.add(service)
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        guard let value = characteristic.value, request.offset <= value.count else {
            return peripheral.respond(to: request, withResult: .invalidOffset)
        }
        request.value = value.subdata(in: request.offset..<value.count)
        peripheral.respond(to: request, withResult: .success)
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        for request in requests where request.characteristic == characteristic { characteristic.value = request.value }
        if let first = requests.first { peripheral.respond(to: first, withResult: CBATTError.success) }
        peripheral.updateValue(Data(), for: characteristic, onSubscribedCentrals: nil)
    }
}

/// A manager with its own initialisers and overridden members. A subclass must say `@unchecked Sendable` again, or the
/// compiler warns; on Apple's platforms that is allowed, but not needed.
class LoggingManager: CBCentralManager, @unchecked Sendable {
    private(set) var scans = 0

    override init(delegate: CBCentralManagerDelegate?, queue: DispatchQueue?, options: [String: Any]? = nil) {
        super.init(delegate: delegate, queue: queue, options: options)
    }

    override func scanForPeripherals(withServices serviceUUIDs: [CBUUID]?, options: [String: Any]? = nil) {
        scans += 1
        super.scanForPeripherals(withServices: serviceUUIDs, options: options)
    }

    override var delegate: CBCentralManagerDelegate? {
        didSet { scans = 0 }
    }
}

/// What a test double of a program's own covers.
protocol Scanning: AnyObject {
    var state: CBManagerState { get }
    func scanForPeripherals(withServices serviceUUIDs: [CBUUID]?, options: [String: Any]?)
    func stopScan()
}
extension CBCentralManager: Scanning {}

struct SwiftFiveStyleTests {
    @Test func `initialisers are function values`() {
        let make: (CBCentralManagerDelegate?, DispatchQueue?) -> CBCentralManager = CBCentralManager.init(
            delegate:queue:)
        let queue = DispatchQueue(label: "made", attributes: .initiallyInactive)
        let manager = make(nil, queue)
        #expect((manager as Scanning).state == .unknown)
        queue.activate()
        #expect(CBManagerState.poweredOn.name == "poweredOn")
        #expect(CBManagerState(rawValue: 42)?.name == "new")
    }

    @Test func `members of a subclass are called`() {
        let manager = LoggingManager(delegate: nil, queue: DispatchQueue(label: "subclass"))
        let scanning: Scanning = manager
        scanning.scanForPeripherals(withServices: nil, options: nil)
        #expect(manager.scans == 1)
        manager.delegate = nil
        #expect(manager.scans == 0)
    }

    @Test func `a controller and a server can be made`() {
        let controller = BandController()
        controller.start()
        #expect(controller.central.delegate === controller)
        let server = BandServer()
        #expect(CBPeripheralManager(delegate: server, queue: nil).delegate === server)
    }

    @Test func `errors are made, thrown and matched`() {
        #expect(CBError(.connectionFailed).errorCode == 10)
        #expect(CBError.Code.unknownDevice.rawValue == 12)
        #expect(CBATTError.Code(rawValue: 0x80)!.rawValue == 0x80)
        let error: Error = CBATTError(.writeNotPermitted, userInfo: [NSLocalizedDescriptionKey: "no"])
        #expect(error.localizedDescription == "no")
        #expect(CBATTError.writeNotPermitted ~= error)
    }
}
