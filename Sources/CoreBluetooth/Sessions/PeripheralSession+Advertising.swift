internal import BLEBackend
internal import BLEWire
internal import Foundation

// Advertising.

extension PeripheralSession {
    func startAdvertising(_ data: [String: Any]?) {
        guard let request = Self.request(data) else { return refuse(.invalidParameters) }
        startAdvertising(request)
    }

    func startAdvertising(_ request: AdvertisingRequest) {
        let hasStarted = advertising.withLock { state in
            guard state == .off else { return false }
            state = .starting
            perform(.startAdvertising(request))
            return true
        }
        guard hasStarted else { return refuse(.alreadyAdvertising) }
        restoration?.change { $0.advertisement = .init(request) }
    }

    func stopAdvertising() {
        advertising.withLock { state in
            if state != .off { perform(.stopAdvertising) }
            state = .off
        }
        restoration?.change { $0.advertisement = nil }
    }

    /// Two keys are accepted, others are ignored. [contract 110] nil where a value has the wrong type.
    private static func request(_ data: [String: Any]?) -> AdvertisingRequest? {
        var request = AdvertisingRequest()
        for (key, value) in (data ?? [:]).sorted(by: { $0.key < $1.key }) {
            switch key {
            case CBAdvertisementDataLocalNameKey:
                guard let name = value as? String else { return nil }
                request.localName = name
            case CBAdvertisementDataServiceUUIDsKey:
                guard let uuids = value as? [CBUUID] else { return nil }
                request.services = uuids.map(\.bluetoothUUID)
            default:
                Report.warning("Advertisement key '\(key)' is not allowed and is ignored")
            }
        }
        return request
    }

    private func refuse(_ code: CBError.Code) {
        deliver {
            guard let manager = self.manager else { return }
            self.tellAdvertising(FrameworkError.make(code), manager)
        }
    }
}
