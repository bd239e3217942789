import CoreBluetooth
import Foundation

/// The tutorial's delegate: it implements the restore callback although its manager has no restore identifier.
final class RestoringDelegate: NSObject, CBCentralManagerDelegate {
    private weak var opener: DoorOpener?

    init(_ opener: DoorOpener) {
        self.opener = opener
    }

    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
        opener?.say("restored")
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        opener?.centralManagerDidUpdateState(central)
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        opener?.centralManager(central, didDiscover: peripheral, advertisementData: advertisementData, rssi: RSSI)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        opener?.centralManager(central, didConnect: peripheral)
    }

    func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: Error?) {
        opener?.centralManager(central, didFailToConnect: peripheral, error: error)
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: Error?
    ) {
        opener?.centralManager(central, didDisconnectPeripheral: peripheral, error: error)
    }
}
