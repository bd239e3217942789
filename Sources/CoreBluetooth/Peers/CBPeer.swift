internal import BLEBackend
public import Foundation

/// The other side of a connection. [contract 1.4]
open class CBPeer: NSObject, NSCopying, @unchecked Sendable {
    let peerID: PeerID

    init(id: PeerID) { peerID = id }

    /// Names the device on this host: the same in each run, and unrelated to its address. [contract 35]
    open var identifier: UUID { UUID(bits: peerID.bits) }

    /// The object itself: there is one for each device.
    @discardableResult
    open func copy(with zone: NSZone? = nil) -> Any { self }
}
