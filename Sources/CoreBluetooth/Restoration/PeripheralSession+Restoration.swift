internal import BLEBackend
internal import Foundation

// What a peripheral manager gets back from the run before. [contract 3, 124]

extension PeripheralSession {
    /// Tells the delegate before it hears of the state for the first time; the services are published and advertised
    /// again when the power is on, without a further word.
    func restore(_ manager: CBPeripheralManager) {
        guard let left = restoration?.take() else { return }
        let objects = left.objects()
        var dictionary: [String: Any] = [:]
        if !objects.isEmpty { dictionary[CBPeripheralManagerRestoredStateServicesKey] = objects.map(\.service) }
        if let advertisement = left.advertisement?.data {
            dictionary[CBPeripheralManagerRestoredStateAdvertisementDataKey] = advertisement
        }
        self.left.set(\.self, (services: objects.map(\.service), advertising: left.advertisement?.request))
        guard !dictionary.isEmpty else { return }
        willCall("peripheralManager(_:willRestoreState:)")
        manager.delegate?.peripheralManager(manager, willRestoreState: dictionary)
    }

    /// The power is on: services and advertisement go on.
    func resume() {
        guard let left = left.take() else { return }
        // Each gets a name of this run.
        restoration?.change { $0.services = [] }
        for service in left.services { republish(service) }
        guard let request = left.advertising else { return }
        advertising.withLock { state in
            guard state == .off else { return }
            state = .on
            perform(.startAdvertising(request))
        }
    }
}
