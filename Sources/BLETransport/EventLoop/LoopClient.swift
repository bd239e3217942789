package import BLEWire

/// What an `EventLoop` runs. Every call comes on the loop's thread, one at a time.
package protocol LoopClient: AnyObject, SendableMetatype {
    /// When `timeReached` is to be called even if nothing happens.
    var nextDeadline: Instant? { get }
    /// The first call.
    func start(_ descriptors: WatchedDescriptors)
    /// A watched descriptor can be read (octets, an end or a failure are there) or written.
    func ready(_ token: WatchToken, readable: Bool, writable: Bool)
    /// Somebody has called the loop's `wake`.
    func woken()
    func timeReached()
    /// The last call: close what is open.
    func stop()
}

/// Names a descriptor while it's watched; never given twice.
package struct WatchToken: Hashable, Sendable {
    let rawValue: UInt64
}
