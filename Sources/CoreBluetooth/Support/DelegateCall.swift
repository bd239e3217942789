internal import BLEBackend

/// Watches one call of a delegate's optional method, so that one learns whether the delegate has it.
///
/// An optional method is a requirement with a default implementation here, and Swift can't be asked which of the two a
/// type has. So the default ones leave a mark in the call that is being watched. [contract 53, 64, 67]
final class DelegateCall: Sendable {
    @TaskLocal static var current: DelegateCall?

    private let receiver: ObjectIdentifier
    private let defaulted = Guarded(false)

    private init(_ receiver: AnyObject) { self.receiver = ObjectIdentifier(receiver) }

    /// Whether the default implementation answered: the delegate doesn't have the method.
    static func isDefaulted(_ receiver: AnyObject, _ call: () -> Void) -> Bool {
        let watched = DelegateCall(receiver)
        $current.withValue(watched, operation: call)
        return watched.defaulted.value
    }

    /// Called by a default implementation; a forwarded call to another object doesn't count.
    static func markDefault(_ receiver: AnyObject) {
        guard let current, current.receiver == ObjectIdentifier(receiver) else { return }
        current.defaulted.withLock { $0 = true }
    }
}
