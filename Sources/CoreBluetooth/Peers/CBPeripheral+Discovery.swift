internal import BLEBackend
internal import BLEWire
internal import Foundation

// The public methods stand in the class itself, since only there they can be overridden; they forward to these.

extension CBPeripheral {
    func discover(services uuids: [CBUUID]?) {
        guard isReady, hasDelegate("peripheral:didDiscoverServices:") else { return }
        session.perform(.discoverServices(peerID, filter: Self.filter(uuids)))
    }

    func discover(included uuids: [CBUUID]?, of service: CBService) {
        guard isReady, hasDelegate("peripheral:didDiscoverIncludedServicesForService:error:") else { return }
        guard let remote = remote(service) else {
            return answer("peripheral(_:didDiscoverIncludedServicesFor:error:)") {
                $0.peripheral($1, didDiscoverIncludedServicesFor: service, error: $2)
            }
        }
        session.perform(.discoverIncludedServices(peerID, of: remote, filter: Self.filter(uuids)))
    }

    func discover(characteristics uuids: [CBUUID]?, of service: CBService) {
        guard isReady, hasDelegate("peripheral:didDiscoverCharacteristicsForService:error:") else { return }
        guard let remote = remote(service) else {
            return answer("peripheral(_:didDiscoverCharacteristicsFor:error:)") {
                $0.peripheral($1, didDiscoverCharacteristicsFor: service, error: $2)
            }
        }
        session.perform(.discoverCharacteristics(peerID, of: remote, filter: Self.filter(uuids)))
    }

    func discover(descriptorsOf characteristic: CBCharacteristic) {
        guard isReady, hasDelegate("peripheral:didDiscoverDescriptorsForCharacteristic:error:") else { return }
        guard let remote = remote(characteristic) else {
            return answer("peripheral(_:didDiscoverDescriptorsFor:error:)") {
                $0.peripheral($1, didDiscoverDescriptorsFor: characteristic, error: $2)
            }
        }
        session.perform(.discoverDescriptors(peerID, of: remote))
    }

    /// An empty filter behaves like none, as for scanning. [contract 19]
    private static func filter(_ uuids: [CBUUID]?) -> [BluetoothUUID]? {
        uuids.flatMap { $0.isEmpty ? nil : $0.map(\.bluetoothUUID) }
    }
}
