import CoreBluetooth
import Testing

// Delegates as they are found: with every optional method, generic proxies in front of others, and every key of an
// advertisement cast to what it is.

/// Every method of all three protocols.
final class WholeDelegate: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, CBPeripheralManagerDelegate {
    var calls = [String]()

    func centralManagerDidUpdateState(_ central: CBCentralManager) { calls.append(#function) }
    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) { calls.append(#function) }
    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) { calls.append(#function) }
    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) { calls.append(#function) }
    func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: Error?) {
        calls.append(#function)
    }
    func centralManager(_ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: Error?) {
        calls.append(#function)
    }
    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, timestamp: CFAbsoluteTime,
        isReconnecting: Bool, error: Error?
    ) { calls.append(#function) }
    func centralManager(
        _ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent, for peripheral: CBPeripheral
    ) { calls.append(#function) }
    func centralManager(_ central: CBCentralManager, didUpdateANCSAuthorizationFor peripheral: CBPeripheral) {
        calls.append(#function)
    }

    func peripheralDidUpdateName(_ peripheral: CBPeripheral) { calls.append(#function) }
    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
        calls.append(#function)
    }
    func peripheralDidUpdateRSSI(_ peripheral: CBPeripheral, error: Error?) { calls.append(#function) }
    func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: Error?) { calls.append(#function) }
    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: Error?) { calls.append(#function) }
    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverIncludedServicesFor service: CBService, error: Error?
    ) { calls.append(#function) }
    func peripheral(_ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: Error?) {
        calls.append(#function)
    }
    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: Error?) {
        calls.append(#function)
    }
    func peripheral(_ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: Error?) {
        calls.append(#function)
    }
    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic, error: Error?
    ) { calls.append(#function) }
    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic, error: Error?
    ) { calls.append(#function) }
    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: Error?) {
        calls.append(#function)
    }
    func peripheral(_ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: Error?) {
        calls.append(#function)
    }
    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) { calls.append(#function) }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) { calls.append(#function) }
    func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]) {
        calls.append(#function)
    }
    func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: Error?) {
        calls.append(#function)
    }
    func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: Error?) {
        calls.append(#function)
    }
    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
    ) { calls.append(#function) }
    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral, didUnsubscribeFrom characteristic: CBCharacteristic
    ) { calls.append(#function) }
    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        calls.append(#function)
    }
    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        calls.append(#function)
    }
    func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) { calls.append(#function) }
}

/// Passes on what it hears, to whatever wants it.
final class Proxy<Target: AnyObject>: NSObject, CBCentralManagerDelegate {
    private weak var target: Target?
    private let update: (Target, CBManagerState) -> Void
    private(set) var last: CBManagerState?

    init(_ target: Target, update: @escaping (Target, CBManagerState) -> Void) {
        self.target = target
        self.update = update
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        last = central.state
        if let target = target { update(target, central.state) }
    }
}

/// Several delegates behind one.
final class Multicast: NSObject, CBCentralManagerDelegate {
    private struct Weak { weak var delegate: CBCentralManagerDelegate? }
    private var all = [Weak]()
    func add(_ delegate: CBCentralManagerDelegate) { all.append(Weak(delegate: delegate)) }
    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        all.forEach { $0.delegate?.centralManagerDidUpdateState(central) }
    }
}

/// An advertisement as programs read it: each key with the type that it has. [contract 1.11]
struct ParsedAdvertisement {
    let name: String?
    let power: Int?
    let services: Set<CBUUID>
    let overflow: [CBUUID]
    let solicited: [CBUUID]
    let manufacturer: Data?
    let serviceData: [CBUUID: Data]
    let isConnectable: Bool

    init(_ data: [String: Any]) {
        name = data[CBAdvertisementDataLocalNameKey] as? String
        power = (data[CBAdvertisementDataTxPowerLevelKey] as? NSNumber)?.intValue
        services = Set(data[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] ?? [])
        overflow = data[CBAdvertisementDataOverflowServiceUUIDsKey] as? [CBUUID] ?? []
        solicited = data[CBAdvertisementDataSolicitedServiceUUIDsKey] as? [CBUUID] ?? []
        manufacturer = data[CBAdvertisementDataManufacturerDataKey] as? Data
        serviceData = data[CBAdvertisementDataServiceDataKey] as? [CBUUID: Data] ?? [:]
        isConnectable = (data[CBAdvertisementDataIsConnectable] as? NSNumber)?.boolValue ?? false
    }
}

struct DelegateStyleTests {
    @Test func `methods of a delegate with all of them are called through the protocols`() {
        let delegate = WholeDelegate()
        let queue = DispatchQueue(label: "whole", attributes: .initiallyInactive)
        let central = CBCentralManager(delegate: nil, queue: queue)
        let peripheral = CBPeripheralManager(delegate: nil, queue: queue)
        (delegate as CBCentralManagerDelegate).centralManagerDidUpdateState(central)
        (delegate as CBCentralManagerDelegate).centralManager(central, willRestoreState: [:])
        (delegate as CBPeripheralManagerDelegate).peripheralManagerIsReady(toUpdateSubscribers: peripheral)
        #expect(
            delegate.calls == [
                "centralManagerDidUpdateState(_:)", "centralManager(_:willRestoreState:)",
                "peripheralManagerIsReady(toUpdateSubscribers:)",
            ])
        queue.activate()
    }

    @Test func `a generic proxy passes on what it hears`() {
        let queue = DispatchQueue(label: "proxy", attributes: .initiallyInactive)
        let central = CBCentralManager(delegate: nil, queue: queue)
        let list = NSMutableArray()
        let proxy = Proxy(list) { list, state in list.add(state.rawValue) }
        proxy.centralManagerDidUpdateState(central)
        #expect(list.count == 1)
        #expect(proxy.last == .unknown)
        let multicast = Multicast()
        multicast.add(proxy)
        multicast.centralManagerDidUpdateState(central)
        #expect(list.count == 2)
        queue.activate()
    }

    @Test func `every key of an advertisement has its type`() {
        let parsed = ParsedAdvertisement([
            CBAdvertisementDataLocalNameKey: "band", CBAdvertisementDataTxPowerLevelKey: NSNumber(value: -4),
            CBAdvertisementDataServiceUUIDsKey: [CBUUID(string: "180D")],
            CBAdvertisementDataServiceDataKey: [CBUUID(string: "FE95"): Data([1])],
            CBAdvertisementDataManufacturerDataKey: Data([0x4C, 0x00]),
            CBAdvertisementDataIsConnectable: NSNumber(value: true),
        ])
        #expect(parsed.name == "band")
        #expect(parsed.power == -4)
        #expect(parsed.services == [CBUUID(string: "0000180D-0000-1000-8000-00805F9B34FB")])
        #expect(parsed.serviceData[CBUUID(data: Data([0xFE, 0x95]))] == Data([1]))
        #expect(parsed.manufacturer?.count == 2)
        #expect(parsed.isConnectable)
        #expect(parsed.overflow.isEmpty && parsed.solicited.isEmpty)
    }

    @Test func `ATT errors are caught by their names`() {
        func outcome(_ error: Error) -> String {
            do { throw error } catch CBATTError.insufficientAuthentication { return "pair" } catch CBATTError
                .insufficientEncryption
            { return "encrypt" } catch let error as CBATTError { return "\(error.code.rawValue)" } catch {
                return "other"
            }
        }
        #expect(outcome(CBATTError(.insufficientAuthentication)) == "pair")
        #expect(outcome(CBATTError(.insufficientEncryption)) == "encrypt")
        #expect(outcome(CBATTError(CBATTError.Code(rawValue: 0x80)!)) == "128")
        #expect(outcome(CBError(.unknown)) == "other")
    }

    @Test func `a UUID is the same from text, octets and the long form, in sets and dictionaries`() {
        let uuid = UUID(uuidString: "0000180D-0000-1000-8000-00805F9B34FB")!
        let all: Set<CBUUID> = [
            CBUUID(string: "180D"), CBUUID(data: Data([0x18, 0x0D])), CBUUID(nsuuid: uuid),
            CBUUID(string: uuid.uuidString),
        ]
        #expect(all.count == 1)
        let names: [CBUUID: String] = [CBUUID(string: "180D"): "heart rate"]
        #expect(names[CBUUID(nsuuid: uuid)] == "heart rate")
    }
}
