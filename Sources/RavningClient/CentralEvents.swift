import CoreBluetooth
import Foundation

/// Puts what Core Bluetooth tells into an inbox.
final class CentralEvents: NSObject, Sendable {
    private let inbox: Inbox

    init(_ inbox: Inbox) { self.inbox = inbox }
}

extension CentralEvents: CBCentralManagerDelegate {
    func centralManagerDidUpdateState(_ central: CBCentralManager) { inbox.put(.state(central.state)) }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        inbox.put(.sighting(Sighting(peripheral, advertisementData, rssi: RSSI.intValue)))
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) { inbox.put(.connected) }

    func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?) {
        inbox.put(.failed(error))
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        inbox.put(.disconnected(error))
    }
}

extension CentralEvents: CBPeripheralDelegate {
    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {}

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) { inbox.put(.services(error)) }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverIncludedServicesFor service: CBService, error: (any Error)?
    ) {
        inbox.put(.includedServices(service, error))
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        inbox.put(.characteristics(service, error))
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        inbox.put(.descriptors(characteristic, error))
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        inbox.put(.value(characteristic, characteristic.value ?? Data(), error))
    }

    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?) {
        inbox.put(.descriptorValue(descriptor, descriptor.octets, error))
    }

    func peripheral(_ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?)
    {
        inbox.put(.written(characteristic, error))
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        inbox.put(.notifying(characteristic, error))
    }

    func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {
        inbox.put(.rssi(RSSI.intValue, error))
    }

    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) { inbox.put(.ready) }
}
