import CoreBluetooth
import Foundation

/// What a peripheral manager tells.
enum PeripheralEvent: Sendable {
    case added(CBService, (any Error)?)
    case advertising((any Error)?)
    case subscribed(CBCentral, CBCharacteristic)
    case unsubscribed(CBCentral, CBCharacteristic)
    case read(CBATTRequest)
    case writes([CBATTRequest])
    /// There is room for values again.
    case ready
    /// What was ordered before it has been taken.
    case settled
}

/// Puts what a peripheral manager tells into an inbox.
final class PeripheralEvents: NSObject, CBPeripheralManagerDelegate, Sendable {
    private let inbox: Inbox

    init(_ inbox: Inbox) { self.inbox = inbox }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) { inbox.put(.state(peripheral.state)) }

    func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?) {
        inbox.put(.peripheral(.added(service, error)))
    }

    func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
        inbox.put(.peripheral(.advertising(error)))
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
    ) {
        inbox.put(.peripheral(.subscribed(central, characteristic)))
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral, didUnsubscribeFrom characteristic: CBCharacteristic
    ) {
        inbox.put(.peripheral(.unsubscribed(central, characteristic)))
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        inbox.put(.peripheral(.read(request)))
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        inbox.put(.peripheral(.writes(requests)))
    }

    func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
        inbox.put(.peripheral(.ready))
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didPublishL2CAPChannel PSM: CBL2CAPPSM, error: (any Error)?
    ) {
        inbox.put(.peripheral(.settled))
    }
}
