internal import BLEBackend
internal import Foundation

// Connecting and disconnecting. The state of each connection is kept by its peripheral object.

extension CentralSession {
    func connect(_ peripheral: CBPeripheral, options: [String: Any]?) {
        guard peripheral.session === self, peripheral.isValid else {
            Report.misuse("\(peripheral) is not a valid peripheral of this manager")
            return fail(peripheral, .unknownDevice)
        }
        guard let options = ConnectionOptions.parse(options) else { return fail(peripheral, .invalidParameters) }
        let answer = peripheral.startConnecting {
            peripherals.withLock { $0.setEngaged(true, peripheral.peerID, generation: peripheral.generation) }
            perform(.connect(peripheral.peerID, options))
        }
        if answer == .started, let restoration {
            backend?.keep(peripheral.peerID)
            restoration.change { state in
                state.remove(peripheral.peerID)
                state.peripherals.append(.init(peripheral.peerID, options))
            }
        }
        guard answer == .alreadyConnected else { return }
        // Told again, without radio traffic. [contract 44]
        deliver {
            guard let manager = self.manager, peripheral.state == .connected else { return }
            self.tellConnected(peripheral, manager)
        }
    }

    func cancel(_ peripheral: CBPeripheral) {
        guard peripheral.session === self, peripheral.isValid else { return }
        peripheral.startDisconnecting {
            keep(untilEnded: peripheral)
            perform(.disconnect(peripheral.peerID))
        }
        restoration?.change { $0.remove(peripheral.peerID) }
    }

    private func fail(_ peripheral: CBPeripheral, _ code: CBError.Code) {
        deliver {
            guard let manager = self.manager else { return }
            self.willCall("centralManager(_:didFailToConnect:error:)")
            manager.delegate?.centralManager(
                manager, didFailToConnect: peripheral, error: FrameworkError.make(code))
        }
    }

    /// Events of connections; what belongs to a peripheral goes to its object.
    func applyConnection(_ event: BackendEvent, _ manager: CBCentralManager) {
        switch event {
        case .connected(let id):
            guard let peripheral = peripherals.withLock({ $0[id] }), peripheral.didConnect() else { return }
            tellConnected(peripheral, manager)
        case .connectFailed(let id, let error):
            guard let peripheral = peripherals.withLock({ $0[id] }) else { return }
            switch didDisconnect(peripheral, isReconnecting: false) {
            case .none: return
            case .cancelled: tellDisconnected(peripheral, nil, isReconnecting: false, manager)
            case .lost:
                willCall("centralManager(_:didFailToConnect:error:)")
                manager.delegate?.centralManager(
                    manager, didFailToConnect: peripheral, error: FrameworkError.make(error))
            }
        case .disconnected(let id, let error, let isReconnecting):
            guard let peripheral = peripherals.withLock({ $0[id] }) else { return }
            let end = didDisconnect(peripheral, isReconnecting: isReconnecting)
            guard end != .none else { return }
            // Who asked for the end gets it, however it came. [contract 46]
            let cause = end == .lost ? error.map(FrameworkError.make) : nil
            tellDisconnected(peripheral, cause, isReconnecting: isReconnecting && end == .lost, manager)
        default:
            guard let id = event.peer, let peripheral = peripherals.withLock({ $0[id] }) else { return }
            peripheral.apply(event)
        }
    }

    private func didDisconnect(_ peripheral: CBPeripheral, isReconnecting: Bool) -> CBPeripheral.End {
        ended(peripheral)
        var isIdle = false
        let end = peripheral.didDisconnect(isReconnecting: isReconnecting) {
            peripherals.withLock { $0.setEngaged(false, peripheral.peerID, generation: peripheral.generation) }
            isIdle = true
        }
        if isIdle { restoration?.change { $0.remove(peripheral.peerID) } }
        return end
    }

    private func tellConnected(_ peripheral: CBPeripheral, _ manager: CBCentralManager) {
        ConnectionEvents.tell(.peerConnected, KnownPeer(id: peripheral.peerID, name: peripheral.name), from: self)
        willCall("centralManager(_:didConnect:)")
        manager.delegate?.centralManager(manager, didConnect: peripheral)
    }

    /// The older form is called; where the delegate doesn't have it, its default calls the newer one. [contract 53]
    private func tellDisconnected(
        _ peripheral: CBPeripheral, _ error: (any Error)?, isReconnecting: Bool, _ manager: CBCentralManager
    ) {
        ConnectionEvents.tell(.peerDisconnected, KnownPeer(id: peripheral.peerID, name: peripheral.name), from: self)
        guard let delegate = manager.delegate else { return }
        willCall("centralManager(_:didDisconnectPeripheral:error:)")
        let isNewForm = DelegateCall.isDefaulted(delegate) {
            Disconnection.$current.withValue(Disconnection(isReconnecting: isReconnecting)) {
                delegate.centralManager(manager, didDisconnectPeripheral: peripheral, error: error)
            }
        }
        // A delegate with the older form gets no automatic reconnection. [contract 53]
        if isReconnecting, !isNewForm {
            peripheral.stopReconnecting { perform(.disconnect(peripheral.peerID)) }
            restoration?.change { $0.remove(peripheral.peerID) }
        }
    }
}

extension BackendEvent {
    /// The peer that an event of the central role is about.
    var peer: PeerID? {
        switch self {
        case .discovered(let id, _, _, _), .connected(let id), .connectFailed(let id, _), .disconnected(let id, _, _),
            .nameChanged(let id, _), .rssi(let id, _), .servicesDiscovered(let id, _),
            .includedServicesDiscovered(let id, _, _), .characteristicsDiscovered(let id, _, _),
            .descriptorsDiscovered(let id, _, _), .valueRead(let id, _, _), .valueNotified(let id, _, _),
            .written(let id, _, _), .notifyStateChanged(let id, _, _), .readyToWriteWithoutResponse(let id),
            .servicesModified(let id, _), .attMTUChanged(let id, _), .channelOpened(let id, _, _):
            id
        case .stateChanged, .periodic, .serviceAdded, .advertisingStarted, .readRequest, .writeRequests, .subscribed,
            .unsubscribed, .readyToUpdateSubscribers, .channelPublished, .channelUnpublished, .channelAccepted:
            nil
        }
    }
}
