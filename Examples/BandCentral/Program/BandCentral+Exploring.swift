import CoreBluetooth
import Foundation

extension BandCentral: CBPeripheralDelegate {
    public func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: Error?) {
        if let error { say("services: \(error)") }
        for service in peripheral.services ?? [] {
            say("service \(service.uuid)")
            outstanding += 1
            peripheral.discoverCharacteristics(nil, for: service)
        }
        answered()
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: Error?
    ) {
        if let error { say("characteristics of \(service.uuid): \(error)") }
        for characteristic in service.characteristics ?? [] {
            say("characteristic \(characteristic.uuid) of \(service.uuid)")
            outstanding += 1
            peripheral.discoverDescriptors(for: characteristic)
        }
        answered()
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic, error: Error?
    ) {
        if let error { say("descriptors of \(characteristic.uuid): \(error)") }
        for descriptor in characteristic.descriptors ?? [] {
            say("descriptor \(descriptor.uuid.uuidString) of \(characteristic.uuid)")
        }
        answered()
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: Error?
    ) {
        if let error {
            say("value of \(characteristic.uuid): \(error)")
        } else {
            say("value of \(characteristic.uuid): \(show(characteristic.value))")
        }
        switch step {
        case .reading:
            answered()
        case .following where error == nil:
            valuesReceived += 1
            if valuesReceived == options.values { begin(.unsubscribing) }
        default:
            break
        }
    }

    public func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: Error?) {
        if let error {
            say("descriptor \(descriptor.uuid.uuidString): \(error)")
        } else {
            say("descriptor \(descriptor.uuid.uuidString): \(descriptor.value ?? "nil")")
        }
        answered()
    }

    public func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: Error?) {
        say("RSSI \(RSSI), \(describe(error))")
        answered()
    }

    public func peripheral(_ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: Error?)
    {
        say("written \(characteristic.uuid): \(describe(error))")
        answered()
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic, error: Error?
    ) {
        say(
            "notifications of \(characteristic.uuid) are \(characteristic.isNotifying ? "on" : "off"), \(describe(error))"
        )
        answered()
    }

    // MARK: Steps

    /// One answer of the present step has come; after the last one the next step begins.
    private func answered() {
        outstanding -= 1
        guard outstanding == 0 else { return }
        switch step {
        case .exploring:
            printTree()
            begin(.reading)
        case .reading: begin(.measuring)
        case .measuring: begin(.writing)
        case .writing: begin(.subscribing)
        case .subscribing: begin(.following)
        case .unsubscribing: begin(.leaving)
        case .looking, .connecting, .following, .leaving: break
        }
    }

    private func begin(_ next: Step) {
        guard let band else { return }
        step = next
        // One for the step itself, so that a step without anything to do goes on as well.
        outstanding = 1
        switch next {
        case .reading:
            for characteristic in characteristics where options.readAll || characteristic.properties.contains(.read) {
                outstanding += 1
                band.readValue(for: characteristic)
            }
            for descriptor in characteristics.flatMap({ $0.descriptors ?? [] }) {
                outstanding += 1
                band.readValue(for: descriptor)
            }
        case .measuring:
            outstanding += 1
            band.readRSSI()
        case .writing:
            for characteristic in characteristics where characteristic.properties.contains(.write) {
                outstanding += 1
                band.writeValue(Data("hello band".utf8), for: characteristic, type: .withResponse)
            }
        case .subscribing, .unsubscribing:
            for characteristic in notifying {
                outstanding += 1
                band.setNotifyValue(next == .subscribing, for: characteristic)
            }
        case .following:
            if notifying.isEmpty || options.values == 0 { return begin(.unsubscribing) }
        case .leaving:
            manager?.stopScan()
            manager?.cancelPeripheralConnection(band)
            return
        case .looking, .connecting, .exploring:
            break
        }
        answered()
    }

    private var characteristics: [CBCharacteristic] { (band?.services ?? []).flatMap { $0.characteristics ?? [] } }

    private var notifying: [CBCharacteristic] {
        characteristics.filter { !$0.properties.isDisjoint(with: [.notify, .indicate]) }
    }

    private func printTree() {
        for service in band?.services ?? [] {
            say("\(service.uuid)")
            for characteristic in service.characteristics ?? [] {
                say("  \(characteristic.uuid) properties 0x\(String(characteristic.properties.rawValue, radix: 16))")
                for descriptor in characteristic.descriptors ?? [] { say("    \(descriptor.uuid.uuidString)") }
            }
        }
    }

    func describe(_ error: Error?) -> String { error.map { "error: \($0)" } ?? "no error" }

    private func show(_ value: Data?) -> String {
        guard let value else { return "nil" }
        let hex = value.map { String(format: "%02x", $0) }.joined()
        guard let text = String(data: value, encoding: .utf8), text.allSatisfy({ $0.isASCII && !$0.isNewline }) else {
            return hex
        }
        return "\(hex) \"\(text)\""
    }
}
