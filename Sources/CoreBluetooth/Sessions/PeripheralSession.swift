internal import BLEBackend
internal import BLEWire
internal import Foundation

/// A peripheral manager's line to its device: its advertising, its services, and the centrals that use them.
final class PeripheralSession: ManagerSession, @unchecked Sendable {
    /// Set once, before the session is opened.
    weak var manager: CBPeripheralManager?
    /// Set once, before the session is opened; nil without a restore identifier.
    var restoration: Restoration<PeripheralState>?
    let database = Guarded(PublishedDatabase())
    let advertising = Guarded(AdvertisingState.off)
    private let centrals = Guarded([PeerID: WeakCentral]())

    /// What the run before left, until the power is on.
    typealias Left = (services: [CBMutableService], advertising: AdvertisingRequest?)
    let left = Guarded(Left?.none)

    enum AdvertisingState { case off, starting, on }
    private struct WeakCentral { weak var central: CBCentral? }

    var isAdvertising: Bool { advertising.value == .on }

    /// The object for the central: the one there is, or a new one. [contract 34, 96]
    func central(for id: PeerID) -> CBCentral {
        centrals.withLock { centrals in
            if let known = centrals[id]?.central { return known }
            let new = CBCentral(session: self, id: id)
            centrals = centrals.filter { $0.value.central != nil }
            centrals[id] = WeakCentral(central: new)
            return new
        }
    }

    /// Nothing that the manager had running goes on without it. [contract 16]
    func managerReleased() {
        close()
        restoration?.end()
        advertising.withLock { $0 = .off }
        for entry in database.withLock({ $0.reset() }) { entry.unpublish() }
    }

    override func apply(_ event: BackendEvent) {
        guard let manager else { return }
        switch event {
        case .stateChanged(let state): apply(CBManagerState(state), manager)
        case .serviceAdded(let id, let error):
            guard let answer = database.withLock({ $0.answered(id, failed: error != nil) }) else { return }
            if let removed = answer.removed {
                removed.unpublish()
                restoration?.change { $0.remove(removed.id) }
            }
            tellAdded(answer.service, error.map(FrameworkError.make), manager)
        case .advertisingStarted(let error):
            let isExpected = advertising.withLock { state in
                guard state == .starting else { return false }
                state = error == nil ? .on : .off
                return true
            }
            if isExpected { tellAdvertising(error.map(FrameworkError.make), manager) }
        case .readyToUpdateSubscribers:
            willCall("peripheralManagerIsReady(toUpdateSubscribers:)")
            manager.delegate?.peripheralManagerIsReady(toUpdateSubscribers: manager)
        case .subscribed, .unsubscribed: applySubscription(event, manager)
        case .readRequest, .writeRequests: applyRequest(event, manager)
        case .channelPublished, .channelUnpublished, .channelAccepted: applyChannel(event, manager)
        default: break
        }
    }

    private func apply(_ state: CBManagerState, _ manager: CBPeripheralManager) {
        if self.state == .unknown { restore(manager) }
        setState(state)
        if state == .poweredOn { resume() }
        var lost: [(CBMutableCharacteristic, [CBCentral])] = []
        if state != .poweredOn {
            // Advertising doesn't go on by itself: programs start it again when they hear of the power. [contract 12]
            advertising.withLock { $0 = .off }
            restoration?.change { $0.advertisement = nil }
            lost = database.withLock { $0.characteristics }.map { ($0, $0.removeSubscribers()) }
            // Below poweredOff the database is gone too. [contract 13]
            if state != .poweredOff {
                for entry in database.withLock({ $0.reset() }) { entry.unpublish() }
                restoration?.change { $0.services = [] }
                _ = left.take()
            }
        }
        willCall("peripheralManagerDidUpdateState(_:)")
        manager.delegate?.peripheralManagerDidUpdateState(manager)
        for (characteristic, centrals) in lost {
            for central in centrals { tellUnsubscribed(central, characteristic, manager) }
        }
    }

    func tellAdded(_ service: CBMutableService, _ error: (any Error)?, _ manager: CBPeripheralManager) {
        willCall("peripheralManager(_:didAdd:error:)")
        manager.delegate?.peripheralManager(manager, didAdd: service, error: error)
    }

    func tellAdvertising(_ error: (any Error)?, _ manager: CBPeripheralManager) {
        willCall("peripheralManagerDidStartAdvertising(_:error:)")
        manager.delegate?.peripheralManagerDidStartAdvertising(manager, error: error)
    }

    func tellUnsubscribed(
        _ central: CBCentral, _ characteristic: CBMutableCharacteristic, _ manager: CBPeripheralManager
    ) {
        willCall("peripheralManager(_:central:didUnsubscribeFrom:)")
        manager.delegate?.peripheralManager(manager, central: central, didUnsubscribeFrom: characteristic)
    }
}
