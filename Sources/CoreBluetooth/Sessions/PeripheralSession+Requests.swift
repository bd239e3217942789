internal import BLEBackend
internal import BLEWire
internal import Foundation

// What centrals ask for, and what is sent to them.

extension PeripheralSession {
    func applySubscription(_ event: BackendEvent, _ manager: CBPeripheralManager) {
        switch event {
        case .subscribed(let info, let id):
            guard let characteristic = database.withLock({ $0.characteristic(id) }) else { return }
            let central = central(for: info.id)
            guard characteristic.addSubscriber(central) else { return }
            willCall("peripheralManager(_:central:didSubscribeTo:)")
            manager.delegate?.peripheralManager(manager, central: central, didSubscribeTo: characteristic)
        case .unsubscribed(let info, let id):
            guard let characteristic = database.withLock({ $0.characteristic(id) }) else { return }
            let central = central(for: info.id)
            guard characteristic.removeSubscriber(central) else { return }
            tellUnsubscribed(central, characteristic, manager)
        default: break
        }
    }

    func applyRequest(_ event: BackendEvent, _ manager: CBPeripheralManager) {
        switch event {
        case .readRequest(let id, let info, let attribute, let offset):
            guard let characteristic = database.withLock({ $0.characteristic(attribute) }) else {
                return perform(.respond(id, .attributeNotFound, value: nil))
            }
            let transaction = RequestTransaction(id: id, kind: .read, session: self)
            let request = CBATTRequest(
                transaction, central: central(for: info.id), characteristic: characteristic, offset: offset,
                value: nil)
            tellRequest("peripheralManager(_:didReceiveRead:)", transaction, manager) {
                $0.peripheralManager(manager, didReceiveRead: request)
            }
        case .writeRequests(let id, let info, let writes):
            let central = central(for: info.id)
            let kind: RequestTransaction.Kind = writes.contains { !$0.isCommand } ? .write : .command
            let transaction = RequestTransaction(id: id, kind: kind, session: self)
            let requests = writes.compactMap { write in
                database.withLock { $0.characteristic(write.characteristic) }.map {
                    CBATTRequest(
                        transaction, central: central, characteristic: $0, offset: write.offset,
                        value: Data(write.value))
                }
            }
            // All or nothing: what has lost a part since can't be written. [contract 98]
            guard !requests.isEmpty, requests.count == writes.count else {
                _ = transaction.answer()
                return perform(.respond(id, .attributeNotFound, value: nil))
            }
            tellRequest("peripheralManager(_:didReceiveWrite:)", transaction, manager) {
                $0.peripheralManager(manager, didReceiveWrite: requests)
            }
        default: break
        }
    }

    /// Without anybody to ask, the system refuses; the central would wait for nothing else.
    private func tellRequest(
        _ name: StaticString, _ transaction: RequestTransaction, _ manager: CBPeripheralManager,
        _ call: (any CBPeripheralManagerDelegate) -> Void
    ) {
        willCall(name)
        if let delegate = manager.delegate, !DelegateCall.isDefaulted(delegate, { call(delegate) }) { return }
        guard transaction.answer() else { return }
        Report.warning("A \(transaction.kind) request was refused: the delegate is nil or can't answer it")
        perform(.respond(transaction.id, .requestNotSupported, value: nil))
    }

    /// Exactly one answer goes out for each transaction. [contract 97, 98]
    func respond(to request: CBATTRequest, _ result: CBATTError.Code) {
        let transaction = request.transaction
        guard transaction.session === self else {
            return Report.misuse("\(request.description) doesn't belong to this manager - ignoring the response")
        }
        guard transaction.answer() else {
            return Report.misuse("\(request.description) was answered already - ignoring the response")
        }
        let value = transaction.kind == .read && result == .success ? request.value?.octets ?? [] : nil
        perform(.respond(transaction.id, ATTErrorCode(result), value: value))
    }

    func updateValue(_ value: Data, _ characteristic: CBMutableCharacteristic, _ centrals: [CBCentral]?) -> Bool {
        guard let backend, let session = id else { return false }
        guard let id = characteristic.localID else {
            Report.misuse("\(characteristic.description) isn't published - ignoring the update")
            return true
        }
        let subscribers = characteristic.subscribedCentrals ?? []
        let receivers = centrals.map { wanted in subscribers.filter { one in wanted.contains { $0 === one } } }
        // Nobody to send to: nothing goes out, and there is room for it. [contract 105]
        guard let longest = (receivers ?? subscribers).map(\.maximumUpdateValueLength).max() else { return true }
        // What nobody could receive needn't be queued; each link cuts to its own length. [contract 106]
        return backend.updateValue(
            value.prefix(longest).octets, of: id, centrals: receivers?.map(\.peerID), in: session)
    }
}
