internal import BLEBackend
internal import BLEWire
internal import Foundation

// Runs on the manager's queue: first the objects change, then the delegate is called, so that it sees what it was told.

extension CBPeripheral {
    /// Applies an event of this peripheral.
    func apply(_ event: BackendEvent) {
        // After the disconnection the delegate isn't called any more. [contract 47]
        guard state == .connected || state == .disconnecting else { return }
        switch event {
        case .nameChanged(_, let name):
            let hasChanged = storage.withLock { storage in
                defer { storage.name = name }
                return storage.name != name
            }
            if hasChanged { tell("peripheralDidUpdateName(_:)") { $0.peripheralDidUpdateName(self) } }
        case .rssi(_, let result):
            let (value, error) = Self.split(result)
            if let value { storage.withLock { $0.rssi = NSNumber(value: value) } }
            tell("peripheral(_:didReadRSSI:error:)") {
                $0.peripheral(self, didReadRSSI: NSNumber(value: value ?? 127), error: error)
            }
        case .readyToWriteWithoutResponse:
            tell("peripheralIsReady(toSendWriteWithoutResponse:)") {
                $0.peripheralIsReady(toSendWriteWithoutResponse: self)
            }
        case .channelOpened(_, let psm, let result): applyChannel(psm, result)
        case .servicesModified(_, let range):
            let (shown, old) = storage.withLock { $0.attributes.removeServices(in: range) }
            old.invalidate()
            tellModified(shown)
        case .valueRead, .valueNotified, .written, .notifyStateChanged: applyValue(event)
        default: applyDiscovery(event)
        }
    }

    private func applyChannel(_ psm: CBL2CAPPSM, _ result: Result<ChannelPipe, BackendError>) {
        let (pipe, error) = Self.split(result)
        let channel = pipe.map { CBL2CAPChannel($0, to: self, psm: psm, delivery: session.delivery) }
        tell("peripheral(_:didOpen:error:)") { $0.peripheral(self, didOpen: channel, error: error) }
    }

    private func applyDiscovery(_ event: BackendEvent) {
        switch event {
        case .servicesDiscovered(_, let result):
            let (found, error) = Self.split(result)
            storage.withLock { storage in
                if let found { storage.attributes.discovered(found, of: self) }
            }
            tellDiscovery("peripheral(_:didDiscoverServices:)", "peripheral:didDiscoverServices:") {
                $0.peripheral(self, didDiscoverServices: error)
            }
        case .includedServicesDiscovered(_, let parent, let result):
            guard let service = service(parent) else { return }
            let (found, error) = Self.split(result)
            if let found {
                service.addIncluded(storage.withLock { $0.attributes.included(found, of: self) })
            }
            tellDiscovery(
                "peripheral(_:didDiscoverIncludedServicesFor:error:)",
                "peripheral:didDiscoverIncludedServicesForService:error:"
            ) { $0.peripheral(self, didDiscoverIncludedServicesFor: service, error: error) }
        case .characteristicsDiscovered(_, let parent, let result):
            guard let service = service(parent) else { return }
            let (found, error) = Self.split(result)
            storage.withLock { storage in
                if let found { storage.attributes.discovered(found, of: service) }
            }
            tellDiscovery(
                "peripheral(_:didDiscoverCharacteristicsFor:error:)",
                "peripheral:didDiscoverCharacteristicsForService:error:"
            ) { $0.peripheral(self, didDiscoverCharacteristicsFor: service, error: error) }
        case .descriptorsDiscovered(_, let parent, let result):
            guard let characteristic = characteristic(parent.value) else { return }
            let (found, error) = Self.split(result)
            storage.withLock { storage in
                if let found { storage.attributes.discovered(found, of: characteristic) }
            }
            tellDiscovery(
                "peripheral(_:didDiscoverDescriptorsFor:error:)",
                "peripheral:didDiscoverDescriptorsForCharacteristic:error:"
            ) { $0.peripheral(self, didDiscoverDescriptorsFor: characteristic, error: error) }
        default: break
        }
    }

    private func applyValue(_ event: BackendEvent) {
        switch event {
        case .valueRead(_, let handle, let result):
            let (value, error) = Self.split(result)
            if let characteristic = characteristic(handle) {
                updateValue(of: characteristic, value, error)
            } else if let descriptor = descriptor(handle) {
                if let value { descriptor.setValue(DescriptorValue.object(value, of: descriptor.uuid)) }
                tell("peripheral(_:didUpdateValueFor:error:)") {
                    $0.peripheral(self, didUpdateValueFor: descriptor, error: error)
                }
            }
        case .valueNotified(_, let handle, let value):
            // A value of a characteristic that isn't known, or not subscribed to, has nobody to go to.
            guard let characteristic = characteristic(handle) else { return }
            updateValue(of: characteristic, value, nil)
        case .written(_, let handle, let error):
            let error = error.map(FrameworkError.make)
            if let characteristic = characteristic(handle) {
                tell("peripheral(_:didWriteValueFor:error:)") {
                    $0.peripheral(self, didWriteValueFor: characteristic, error: error)
                }
            } else if let descriptor = descriptor(handle) {
                tell("peripheral(_:didWriteValueFor:error:)") {
                    $0.peripheral(self, didWriteValueFor: descriptor, error: error)
                }
            }
        case .notifyStateChanged(_, let remote, let result):
            guard let characteristic = characteristic(remote.value) else { return }
            let (isNotifying, error) = Self.split(result)
            characteristic.didUpdateNotifying(isNotifying)
            tell("peripheral(_:didUpdateNotificationStateFor:error:)") {
                $0.peripheral(self, didUpdateNotificationStateFor: characteristic, error: error)
            }
        default: break
        }
    }

    /// On an error the value stays as it was. [contract 68, 70]
    private func updateValue(of characteristic: CBCharacteristic, _ value: [UInt8]?, _ error: (any Error)?) {
        if let value { characteristic.setReceived(Data(value)) }
        tell("peripheral(_:didUpdateValueFor:error:)") {
            $0.peripheral(self, didUpdateValueFor: characteristic, error: error)
        }
    }

    private func tell(_ name: StaticString, _ call: (any CBPeripheralDelegate) -> Void) {
        guard let delegate else { return }
        session.willCall(name)
        call(delegate)
    }

    /// A delegate without the method could have done without discovering. [contract 64]
    private func tellDiscovery(
        _ name: StaticString, _ selector: String, _ call: (any CBPeripheralDelegate) -> Void
    ) {
        guard let delegate else { return }
        session.willCall(name)
        if DelegateCall.isDefaulted(delegate, { call(delegate) }) { reportMissingMethod(selector) }
    }

    /// [contract 66, 67]
    private func tellModified(_ services: [CBService]) {
        guard let delegate else { return }
        session.willCall("peripheral(_:didModifyServices:)")
        let isMissing = DelegateCall.isDefaulted(delegate) {
            delegate.peripheral(self, didModifyServices: services)
        }
        if isMissing {
            Report.warning(
                "The delegate for \(description) does not implement -[peripheral:didModifyServices:]")
        }
    }

    private func service(_ remote: RemoteService) -> CBService? {
        storage.withLock { $0.attributes.service(remote.handles.lowerBound) }
    }

    private func characteristic(_ handle: AttributeHandle) -> CBCharacteristic? {
        storage.withLock { $0.attributes.characteristic(handle) }
    }

    private func descriptor(_ handle: AttributeHandle) -> CBDescriptor? {
        storage.withLock { $0.attributes.descriptor(handle) }
    }

    private static func split<Value>(_ result: Result<Value, BackendError>) -> (Value?, (any Error)?) {
        switch result {
        case .success(let value): (value, nil)
        case .failure(let error): (nil, FrameworkError.make(error))
        }
    }
}
