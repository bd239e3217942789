import BLEBackend
import BLEHost
import BLEWire

// Subscriptions to a peer's values: one CCCD for all sessions. [contract 79-81]
extension BackendCore {
    /// Starts an operation that turns values on or off for its session.
    mutating func startNotify(
        _ characteristic: RemoteCharacteristic, _ isOn: Bool, _ operation: ClientOperation,
        on handle: ConnectionHandle
    ) {
        guard let session = operation.session, let link = links[handle] else { return }
        let subscription = link.subscriptions[characteristic.value]
        let isHeld = subscription?.sessions.contains(session) ?? false
        if isOn && !characteristic.canNotify && !characteristic.canIndicate {
            return finish(operation, .failure(.att(.requestNotSupported)), on: handle)
        }
        // Already so, or the others' subscription serves this one too.
        if isOn == isHeld && (!isOn || subscription?.isConfirmed == true) {
            return finish(operation, .success(.done), on: handle)
        }
        if isOn, subscription?.isConfirmed == true {
            links.update(handle) { link in
                link.subscriptions.update(characteristic.value) { $0.sessions.append(session) }
            }
            return finish(operation, .success(.done), on: handle)
        }
        if !isOn, let others = subscription?.sessions, others.count > 1 {
            links.update(handle) { link in
                link.subscriptions.update(characteristic.value) { $0.sessions.removeAll { $0 == session } }
            }
            return finish(operation, .success(.done), on: handle)
        }
        if let configuration = link.configurations[characteristic.value] {
            return writeConfiguration(configuration, characteristic, isOn, operation, on: handle)
        }
        guard let range = characteristic.descriptorRange else {
            return finish(operation, .failure(.att(.attributeNotFound)), on: handle)
        }
        run(.discoverDescriptors(range), operation, on: handle)
    }

    /// The CCCD was found or written.
    mutating func proceedNotify(
        _ characteristic: RemoteCharacteristic, _ isOn: Bool, _ operation: ClientOperation,
        _ result: Result<GATTOutcome, HostError>, on handle: ConnectionHandle
    ) {
        if case .success(.descriptors(let list)) = result {
            let descriptors = list.map { RemoteDescriptor(uuid: $0.uuid, handle: $0.handle) }
            noteConfiguration(in: descriptors, of: characteristic, on: handle)
            guard let configuration = links[handle]?.configurations[characteristic.value] else {
                return finish(operation, .failure(.att(.attributeNotFound)), on: handle)
            }
            return writeConfiguration(configuration, characteristic, isOn, operation, on: handle)
        }
        var isDone = false
        if case .success = result { isDone = true }
        links.update(handle) { link in
            // What failed leaves things as they were; what was turned off, or not turned on, is gone.
            if isDone == isOn {
                link.subscriptions.update(characteristic.value) { $0.isConfirmed = true }
            } else {
                link.subscriptions[characteristic.value] = nil
            }
        }
        finish(operation, result, on: handle)
    }

    private mutating func writeConfiguration(
        _ configuration: AttributeHandle, _ characteristic: RemoteCharacteristic, _ isOn: Bool,
        _ operation: ClientOperation, on handle: ConnectionHandle
    ) {
        guard let session = operation.session else { return }
        if isOn {
            // Values count from the moment that the write leaves.
            links.update(handle) { $0.subscriptions[characteristic.value] = RemoteSubscription(sessions: [session]) }
        }
        // Notifications are preferred where both are offered. [Vol 3, Part G, 3.3.3.3]
        let value: UInt8 = isOn ? (characteristic.canNotify ? 1 : 2) : 0
        run(.write(configuration, [value, 0]), operation, on: handle)
    }

    /// Remembers where the CCCD is, if the list has it.
    mutating func noteConfiguration(
        in descriptors: [RemoteDescriptor], of characteristic: RemoteCharacteristic, on handle: ConnectionHandle
    ) {
        guard let found = descriptors.first(where: { $0.uuid == .clientConfiguration }) else { return }
        links.update(handle) { $0.configurations[characteristic.value] = found.handle }
    }

    /// A session leaves a link that stays: what only it was subscribed to is turned off.
    mutating func unsubscribe(_ session: SessionID, on handle: ConnectionHandle) {
        guard let link = links[handle] else { return }
        for (value, subscription) in link.subscriptions.map({ ($0.key, $0.value) })
        where subscription.sessions.contains(session) {
            guard subscription.sessions == [session] else {
                links.update(handle) { link in
                    link.subscriptions.update(value) { $0.sessions.removeAll { $0 == session } }
                }
                continue
            }
            links.update(handle) { $0.subscriptions[value] = nil }
            if let configuration = link.configurations[value] {
                links.update(handle) { link in
                    link.waiting.append(ClientOperation(.unsubscribe(configuration), session: nil))
                }
            }
        }
    }
}

extension RemoteCharacteristic {
    /// [Vol 3, Part G, 3.3.1.1]
    fileprivate var canNotify: Bool { properties & 0x10 != 0 }
    fileprivate var canIndicate: Bool { properties & 0x20 != 0 }
}
