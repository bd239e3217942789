import CoreBluetooth
import Foundation

/// The central: scans, connects and uses one peripheral at a time.
final class Central: NSObject, Role {
    private var manager: CBCentralManager?
    private var found: [String: CBPeripheral] = [:]
    private var peripheral: CBPeripheral?
    /// Discoveries whose answers are still to come.
    private var discoveries = 0
    private var channel: Channel?

    override init() {
        super.init()
        manager = CBCentralManager(delegate: self, queue: nil)
    }

    func perform(_ order: Order) -> Bool {
        switch order.verb {
        case "scan":
            let services = order.texts("services").map(CBUUID.init(string:))
            manager?.scanForPeripherals(withServices: services.isEmpty ? nil : services)
        case "stopScan": manager?.stopScan()
        case "connect":
            guard let peer = found[order.text("peer")] else { return refuse("no peripheral has this identifier") }
            peripheral = peer
            peer.delegate = self
            manager?.connect(peer)
        case "disconnect": peripheral.map { manager?.cancelPeripheralConnection($0) }
        default:
            guard let peripheral, peripheral.state == .connected else { return refuse("no peripheral is connected") }
            return use(peripheral, order)
        }
        return true
    }

    private func use(_ peripheral: CBPeripheral, _ order: Order) -> Bool {
        switch order.verb {
        case "mtu":
            say("mtu", ["withoutResponse": peripheral.maximumWriteValueLength(for: .withoutResponse)])
        case "rssi": peripheral.readRSSI()
        case "discover": peripheral.discoverServices(nil)
        case "open": peripheral.openL2CAPChannel(CBL2CAPPSM(order.number("psm")))
        case "send": channel?.send(order.octets("value") ?? Data())
        case "close":
            channel?.close()
            channel = nil
            say("closed")
        default:
            guard let characteristic = characteristic(order.text("characteristic")) else {
                return refuse("no characteristic \(order.text("characteristic")) was discovered")
            }
            return use(peripheral, characteristic, order)
        }
        return true
    }

    private func use(_ peripheral: CBPeripheral, _ characteristic: CBCharacteristic, _ order: Order) -> Bool {
        switch order.verb {
        case "read": peripheral.readValue(for: characteristic)
        case "write": peripheral.writeValue(order.octets("value") ?? Data(), for: characteristic, type: .withResponse)
        case "send without response":
            peripheral.writeValue(order.octets("value") ?? Data(), for: characteristic, type: .withoutResponse)
        case "follow": peripheral.setNotifyValue(order.flag("on"), for: characteristic)
        case "readDescriptor":
            let wanted = CBUUID(string: order.text("descriptor"))
            guard let descriptor = characteristic.descriptors?.first(where: { $0.uuid == wanted }) else {
                return refuse("no descriptor \(wanted) was discovered")
            }
            peripheral.readValue(for: descriptor)
        default: return false
        }
        return true
    }

    private func refuse(_ cause: String) -> Bool {
        say("refused", ["cause": cause])
        return true
    }

    private func characteristic(_ text: String) -> CBCharacteristic? {
        guard !text.isEmpty else { return nil }
        let wanted = CBUUID(string: text)
        return peripheral?.services?.lazy.flatMap { $0.characteristics ?? [] }.first { $0.uuid == wanted }
    }
}

extension Central: CBCentralManagerDelegate {
    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        // What was found counts no more, and is found anew.
        if central.state != .poweredOn { found.removeAll() }
        say("state", ["state": central.state.rawValue])
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        let identifier = peripheral.identifier.uuidString
        guard found.updateValue(peripheral, forKey: identifier) == nil else { return }
        let services = advertisementData[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] ?? []
        say(
            "found",
            [
                "peer": identifier, "rssi": RSSI.intValue, "services": services.map(\.uuidString),
                "name": advertisementData[CBAdvertisementDataLocalNameKey] as? String ?? "",
            ])
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) { say("connected") }

    func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: Error?) {
        say("failedToConnect", [:], error)
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: Error?
    ) {
        discoveries = 0
        channel = nil
        say("disconnected", [:], error)
    }
}

extension Central: CBPeripheralDelegate {
    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
        say("modified", ["services": invalidatedServices.map(\.uuid.uuidString)])
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: Error?) {
        if let error { return say("database", [:], error) }
        discoveries = 1
        for service in peripheral.services ?? [] {
            discoveries += 2
            peripheral.discoverIncludedServices(nil, for: service)
            peripheral.discoverCharacteristics(nil, for: service)
        }
        discovered(nil)
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverIncludedServicesFor service: CBService, error: Error?) {
        discovered(error)
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: Error?) {
        for characteristic in service.characteristics ?? [] {
            discoveries += 1
            peripheral.discoverDescriptors(for: characteristic)
        }
        discovered(error)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic, error: Error?
    ) {
        discovered(error)
    }

    /// One discovery is answered; after the last one the database is said.
    private func discovered(_ error: Error?) {
        if let error { return say("database", [:], error) }
        discoveries -= 1
        guard discoveries == 0 else { return }
        say("database", ["services": (peripheral?.services ?? []).map(Self.described)])
    }

    private static func described(_ service: CBService) -> [String: Any] {
        [
            "uuid": service.uuid.uuidString,
            "includes": (service.includedServices ?? []).map(\.uuid.uuidString),
            "characteristics": (service.characteristics ?? []).map { characteristic in
                [
                    "uuid": characteristic.uuid.uuidString, "properties": characteristic.properties.rawValue,
                    "descriptors": (characteristic.descriptors ?? []).map(\.uuid.uuidString),
                ] as [String: Any]
            },
        ]
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: Error?
    ) {
        let value = characteristic.value?.hexadecimal ?? ""
        say("value", ["characteristic": characteristic.uuid.uuidString, "value": value], error)
    }

    func peripheral(_ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: Error?) {
        say("written", ["characteristic": characteristic.uuid.uuidString], error)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic, error: Error?
    ) {
        let fields: [String: Any] = [
            "characteristic": characteristic.uuid.uuidString, "on": characteristic.isNotifying,
        ]
        say("followed", fields, error)
    }

    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: Error?) {
        say("descriptor", ["descriptor": descriptor.uuid.uuidString, "value": "\(descriptor.value ?? "")"], error)
    }

    func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: Error?) {
        say("rssi", ["rssi": RSSI.intValue], error)
    }

    func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: Error?) {
        self.channel = channel.map { Channel($0, echoes: false) }
        say("opened", ["psm": Int(channel?.psm ?? 0)], error)
    }
}
