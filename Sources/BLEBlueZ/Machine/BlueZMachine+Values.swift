import BLEBackend
import BLEWire

// Values that a peer sends: one subscription at BlueZ for all sessions. [contract 68, 79-81]
//
// `StartNotify` is used and not `AcquireNotify`, which would shut other programs out. BlueZ then tells a notification as a
// change of the property `Value`, and so it tells the value of a read: of those of our own reads it's known which it was.
extension BlueZMachine {
    mutating func setNotify(
        _ characteristic: RemoteCharacteristic, _ isOn: Bool, _ session: SessionID, on link: BlueZLink
    ) {
        let peer = link.peer, handle = characteristic.value
        guard let object = objects.attribute(handle, on: link.path) else { return finish(peer, .gone) }
        if isOn && characteristic.properties & 0x30 == 0 {
            return finish(peer, .failure(BackendError(.att(.requestNotSupported))))
        }
        let users = link.subscriptions[handle]?.sessions ?? []
        switch (isOn, users.contains(session)) {
        case (true, true), (false, false): return finish(peer, .success(.done))
        case (true, false) where !users.isEmpty:
            links.update(peer) { $0.subscriptions.update(handle) { $0.sessions.append(session) } }
            return finish(peer, .success(.done))
        case (false, true) where users.count > 1:
            links.update(peer) { $0.subscriptions.update(handle) { $0.sessions.removeAll { $0 == session } } }
            return finish(peer, .success(.done))
        case (true, false), (false, true): break
        }
        callOperation(
            object.path, BlueZName.gattCharacteristic, isOn ? "StartNotify" : "StopNotify", on: link)
    }

    /// The session wants no more values of the peer.
    mutating func unsubscribe(_ session: SessionID, from peer: PeerID) {
        guard let link = links[peer] else { return }
        for (handle, subscription) in link.subscriptions.map({ ($0.key, $0.value) }) {
            let remaining = subscription.sessions.filter { $0 != session }
            guard remaining.count < subscription.sessions.count else { continue }
            links.update(peer) { link in
                if remaining.isEmpty {
                    link.subscriptions[handle] = nil
                } else {
                    link.subscriptions.update(handle) { $0.sessions = remaining }
                }
            }
            if remaining.isEmpty { stopNotify(subscription.path) }
        }
    }

    mutating func stopNotify(_ path: String) {
        guard objects[path, BlueZName.gattCharacteristic] != nil else { return }
        call(path, BlueZName.gattCharacteristic, "StopNotify", then: .ignored)
    }

    // MARK: - What comes

    mutating func valueChanged(_ path: String, _ value: [UInt8]) {
        guard let handle = ObjectTree.valueHandle(ofCharacteristic: path),
            let link = links.first(where: { path.hasPrefix($0.value.path + "/") })?.value
        else { return }
        switch link.running?.kind {
        case .read(handle):
            links.update(link.peer) { $0.held.append((handle, value)) }
        case .setNotify(let characteristic, true) where characteristic.value == handle:
            links.update(link.peer) { $0.held.append((handle, value)) }
        default: notify(value, handle, link.peer)
        }
    }

    private mutating func notify(_ value: [UInt8], _ handle: AttributeHandle, _ peer: PeerID) {
        emit(.valueNotified(peer, handle, value), to: links[peer]?.subscriptions[handle]?.sessions ?? [])
    }

    /// An operation has ended: it's clear now what the values are that came meanwhile.
    mutating func settleHeldValues(
        _ peer: PeerID, after operation: BlueZOperation, _ result: Result<BlueZOutcome, BackendError>
    ) {
        var held = links[peer]?.held ?? []
        links.update(peer) { $0.held = [] }
        switch (operation.kind, result) {
        case (.setNotify(let characteristic, let isOn), .success):
            subscriptionChanged(peer, characteristic, isOn, operation)
            tell(operation, result, of: peer)
            for one in held { notify(one.value, one.handle, peer) }
        case (.read, .success(.value(let value))):
            // The last one of this value is the one that was read.
            if let index = held.lastIndex(where: { $0.value == value }) { held.remove(at: index) }
            for one in held { notify(one.value, one.handle, peer) }
            tell(operation, result, of: peer)
        default:
            for one in held { notify(one.value, one.handle, peer) }
            tell(operation, result, of: peer)
        }
    }

    private mutating func subscriptionChanged(
        _ peer: PeerID, _ characteristic: RemoteCharacteristic, _ isOn: Bool, _ operation: BlueZOperation
    ) {
        guard let link = links[peer], let object = objects.attribute(characteristic.value, on: link.path) else {
            return
        }
        let handle = characteristic.value
        guard isOn else {
            links.update(peer) { link in
                link.subscriptions.update(handle) { $0.sessions.removeAll { $0 == operation.session } }
                if link.subscriptions[handle]?.sessions.isEmpty == true { link.subscriptions[handle] = nil }
            }
            return
        }
        // The session has left while BlueZ subscribed for it.
        if operation.isAbandoned, link.subscriptions[handle] == nil { return stopNotify(object.path) }
        if operation.isAbandoned { return }
        links.update(peer) { link in
            var subscription = link.subscriptions[handle] ?? BlueZSubscription(path: object.path, sessions: [])
            if !subscription.sessions.contains(operation.session) { subscription.sessions.append(operation.session) }
            link.subscriptions[handle] = subscription
        }
    }

    // MARK: - Services that change

    /// A service of a connected device came or went. BlueZ tells several at once: they are told together. [contract 66]
    mutating func serviceChanged(_ path: String) {
        guard let link = links.first(where: { path.hasPrefix($0.value.path + "/") })?.value, link.isReady,
            !link.isEnding,
            objects[link.path, BlueZName.device]?["Connected"]?.flag == true,
            objects[link.path, BlueZName.device]?["ServicesResolved"]?.flag == true,
            let service = objects.services(of: link.path).first(where: { $0.path == path })?.attribute
        else { return }
        let range = link.modified ?? service.handles
        links.update(link.peer) { link in
            link.modified =
                min(range.lowerBound, service.handles.lowerBound)...max(range.upperBound, service.handles.upperBound)
        }
        if !timers.contains(.servicesModified(link.peer)) {
            timers.set(.servicesModified(link.peer), at: now + .milliseconds(100))
        }
    }

    mutating func tellModified(_ peer: PeerID) {
        guard let link = links[peer], let range = link.modified else { return }
        links.update(peer) { link in
            link.modified = nil
            for handle in link.subscriptions.keys where range.contains(handle) { link.subscriptions[handle] = nil }
        }
        emit(.servicesModified(peer, range), to: link.users)
    }
}
