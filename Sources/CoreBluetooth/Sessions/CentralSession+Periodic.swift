package import BLEBackend
package import BLEWire
internal import Foundation
internal import Synchronization

// Following periodic advertising: Apple's API has nothing for it, the module Ravning is its public side.

extension CentralSession {
    private static let lastFollow = Atomic<UInt64>(0)

    /// Asks for a train; the handler is called on the manager's queue until `ended`, which is told in any case.
    func follow(
        _ peripheral: CBPeripheral, _ request: FollowRequest, _ handler: @escaping @Sendable (FollowEvent) -> Void
    ) -> FollowID {
        let id = FollowID(rawValue: Self.lastFollow.add(1, ordering: .relaxed).newValue)
        followers.withLock { $0[id] = handler }
        if peripheral.session !== self || !peripheral.isValid {
            Report.misuse("\(peripheral) is not a valid peripheral of this manager")
            refuse(id, BackendError(.unknownDevice, underlying: "the peripheral isn't one of this manager"))
        } else if state != .poweredOn {
            refuse(id, BackendError(.notConnected, underlying: "the manager isn't powered on"))
        } else {
            perform(.followPeriodic(id, request))
        }
        return id
    }

    func stopFollowing(_ id: FollowID) {
        if takeFollower(id) != nil { perform(.stopFollowing(id)) }
    }

    private func refuse(_ id: FollowID, _ error: BackendError) {
        deliver { self.applyFollowing(id, .ended(error)) }
    }

    private func takeFollower(_ id: FollowID) -> (@Sendable (FollowEvent) -> Void)? {
        followers.withLock { $0.removeValue(forKey: id) }
    }

    func applyFollowing(_ id: FollowID, _ event: FollowEvent) {
        let handler =
            if case .ended = event { takeFollower(id) } else { followers.withLock { $0[id] } }
        guard let handler else { return }
        willCall("periodic advertising")
        handler(event)
    }
}

extension CBCentralManager {
    /// Follows a periodic advertising train of a peripheral of this manager.
    /// - Parameter handler: called on the manager's queue; `ended` is the last call.
    /// - Returns: what ends it, without a further call.
    package func followPeriodic(
        _ peripheral: CBPeripheral, setIdentifier: Int?, skip: Int, timeout: Delay?,
        _ handler: @escaping @Sendable (FollowEvent) -> Void
    ) -> @Sendable () -> Void {
        let request = FollowRequest(
            peer: peripheral.peerID, setIdentifier: setIdentifier, skip: skip, timeout: timeout)
        let id = central.follow(peripheral, request, handler)
        return { [weak central] in central?.stopFollowing(id) }
    }
}
