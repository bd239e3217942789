internal import BLEBackend
internal import BLEWire
internal import Foundation

// What stands before each command.

extension CBPeripheral {
    /// Whether the peripheral is connected; if not, says so in the log. [contract 6]
    var isReady: Bool {
        if state == .connected { return true }
        Report.misuse("\(description) can only accept commands while in the connected state")
        return false
    }

    /// Whether there is a delegate to tell; if not, says so in the log. [contract 64]
    func hasDelegate(_ method: String) -> Bool {
        if delegate != nil { return true }
        reportMissingMethod(method)
        return false
    }

    func reportMissingMethod(_ method: String) {
        let what = method == "peripheral:didDiscoverServices:" ? "services" : "attributes"
        Report.misuse(
            "Discovering \(what) for peripheral \(description) while delegate is either nil or does not implement \(method)"
        )
    }

    /// The handles of an attribute that is still valid; if it isn't, says so in the log. [contract 54]
    func remote(_ service: CBService) -> RemoteService? {
        let remote = service.remote.flatMap { remote in
            storage.withLock { $0.attributes.service(remote.handles.lowerBound) === service } ? remote : nil
        }
        if remote == nil { reportInvalid(service) }
        return remote
    }

    func remote(_ characteristic: CBCharacteristic) -> RemoteCharacteristic? {
        let remote = characteristic.remote.flatMap { remote in
            storage.withLock { $0.attributes.characteristic(remote.value) === characteristic } ? remote : nil
        }
        if remote == nil { reportInvalid(characteristic) }
        return remote
    }

    func remote(_ descriptor: CBDescriptor) -> RemoteDescriptor? {
        let remote = descriptor.remote.flatMap { remote in
            storage.withLock { $0.attributes.descriptor(remote.handle) === descriptor } ? remote : nil
        }
        if remote == nil { reportInvalid(descriptor) }
        return remote
    }

    private func reportInvalid(_ attribute: CBAttribute) {
        Report.misuse("\(attribute.description) is not a valid attribute of \(description)")
    }

    /// Answers a command on an attribute that isn't valid any more; by default with `.invalidHandle`.
    func answer(
        _ name: StaticString, _ error: any Error = FrameworkError.make(CBError.Code.invalidHandle),
        _ call: @escaping @Sendable (any CBPeripheralDelegate, CBPeripheral, any Error) -> Void
    ) {
        session.deliver {
            guard self.state == .connected, let delegate = self.delegate else { return }
            self.session.willCall(name)
            call(delegate, self, error)
        }
    }
}
