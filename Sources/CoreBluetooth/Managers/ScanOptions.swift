internal import BLEBackend
internal import BLEWire
internal import Foundation

/// Reads the options of a scan.
enum ScanOptions {
    static func request(services: [CBUUID]?, options: [String: Any]?) -> ScanRequest {
        var request = ScanRequest()
        // An empty array behaves like nil. [contract 19]
        if let services, !services.isEmpty { request.services = services.map(\.bluetoothUUID) }
        for (key, value) in (options ?? [:]).sorted(by: { $0.key < $1.key }) {
            switch key {
            case CBCentralManagerScanOptionAllowDuplicatesKey:
                guard let number = value as? NSNumber else { fallthrough }
                request.allowDuplicates = number.boolValue
            case CBCentralManagerScanOptionSolicitedServiceUUIDsKey:
                guard let uuids = value as? [CBUUID] else { fallthrough }
                request.solicitedServices = uuids.map(\.bluetoothUUID)
            default:
                Report.warning("The scan option \(key) = \(value) is not supported and is ignored")
            }
        }
        return request
    }
}
