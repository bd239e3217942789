import BLELocking

/// A world's state behind its lock.
///
/// `Locked` proves that nothing of its value is shared with whoever called; it can't for a closure that a test hands in
/// to look at machines that aren't `Sendable`. Here it is kept by hand: the value is only touched under the lock, and
/// only `Sendable` results leave it.
final class LockedState<Value>: @unchecked Sendable {
    private let lock = Locked(())
    private var value: Value

    init(_ value: Value) { self.value = value }

    func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        lock.withLock { _ in body(&value) }
    }
}
