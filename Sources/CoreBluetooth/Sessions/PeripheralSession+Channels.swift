internal import BLEBackend
internal import Foundation

// L2CAP channels that centrals open. [contract 117, 118, 120]

extension PeripheralSession {
    func applyChannel(_ event: BackendEvent, _ manager: CBPeripheralManager) {
        switch event {
        case .channelPublished(.success(let psm)):
            willCall("peripheralManager(_:didPublishL2CAPChannel:error:)")
            manager.delegate?.peripheralManager(manager, didPublishL2CAPChannel: psm, error: nil)
        case .channelPublished(.failure(let error)):
            willCall("peripheralManager(_:didPublishL2CAPChannel:error:)")
            manager.delegate?.peripheralManager(manager, didPublishL2CAPChannel: 0, error: FrameworkError.make(error))
        case .channelUnpublished(let psm, let error):
            willCall("peripheralManager(_:didUnpublishL2CAPChannel:error:)")
            manager.delegate?.peripheralManager(
                manager, didUnpublishL2CAPChannel: psm, error: error.map(FrameworkError.make))
        case .channelAccepted(let info, let psm, let pipe):
            // Without a delegate nobody keeps it, and it closes.
            let channel = CBL2CAPChannel(pipe, to: central(for: info.id), psm: psm, delivery: delivery)
            willCall("peripheralManager(_:didOpen:error:)")
            manager.delegate?.peripheralManager(manager, didOpen: channel, error: nil)
        default: break
        }
    }
}
