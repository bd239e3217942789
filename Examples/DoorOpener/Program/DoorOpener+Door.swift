import CoreBluetooth
import Foundation

extension DoorOpener: CBPeripheralDelegate {
    public func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: Error?) {
        if let error { return say("services: \(error)") }
        for service in peripheral.services ?? [] {
            say("service \(service.uuid)")
            if service.uuid == Self.service { peripheral.discoverCharacteristics(nil, for: service) }
        }
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: Error?
    ) {
        if let error { return say("characteristics: \(error)") }
        for characteristic in service.characteristics ?? [] {
            say("characteristic \(characteristic.uuid)")
            guard characteristic.uuid == Self.characteristic else { continue }
            door = characteristic
            peripheral.readValue(for: characteristic)
            // The subscription keeps the link.
            peripheral.setNotifyValue(true, for: characteristic)
        }
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic, error: Error?
    ) {
        say("subscribed: \(error.map { "\($0)" } ?? "nil")")
        if error == nil { onReady?() }
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: Error?
    ) {
        if let error { return say("value: \(error)") }
        let value = characteristic.value ?? Data()
        guard characteristic.isNotifying else {
            return say("value: \(String(decoding: value, as: UTF8.self))")
        }
        receive(value)
    }

    public func peripheral(_ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: Error?)
    {
        say("written: \(error.map { "\($0)" } ?? "nil")")
    }

    private func receive(_ octets: Data) {
        let wasWaiting = frames.isWaiting
        for event in frames.add(octets) {
            framesBegun += 1
            switch event {
            case .frame(let body):
                let text = String(decoding: body, as: UTF8.self)
                say("the door says: \(text)")
                onFrame?(text)
            case .tooLong(let length):
                say("a frame of \(length) octets is above the limit of \(frames.limit): dropped")
            }
        }
        guard frames.isWaiting else { return }
        if !wasWaiting { framesBegun += 1 }
        let current = framesBegun
        after(2) { [weak self] in
            guard let self, self.framesBegun == current, self.frames.isWaiting else { return }
            self.say("a frame was not complete within 2 s: \(self.frames.drop()) octets dropped")
        }
    }
}
