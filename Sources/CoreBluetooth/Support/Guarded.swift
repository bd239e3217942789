internal import BLELocking

/// A value behind a lock: what a `CB*` object knows, changed in the block on the delegate's queue and read from any
/// thread.
///
/// `Locked` alone can't hand out references that aren't `Sendable` (delegates are such), so this is the facade's one
/// place where the compiler's word is replaced by ours: the value is reached only under the lock.
///
/// *Limits*: not recursive. No program code and no other guarded value's owner is called under the lock; backends may
/// be, since they never call back within a call.
struct Guarded<Value>: ~Copyable, @unchecked Sendable {
    private let mutex: Locked<Unchecked<Value>>

    init(_ value: Value) { mutex = Locked(Unchecked(content: value)) }

    /// A copy of the value.
    var value: Value { mutex.withLock { $0 }.content }

    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        mutex.withLock { Unchecked(content: body(&$0.content)) }.content
    }

    /// Sets a part. What was there is let go of outside the lock, since program code may run when it goes.
    func set<Part>(_ part: WritableKeyPath<Value, Part>, _ new: Part) {
        _ = withLock { value in
            defer { value[keyPath: part] = new }
            return value[keyPath: part]
        }
    }
}

extension Guarded {
    /// Takes the value out, and leaves none.
    func take<Wrapped>() -> Wrapped? where Value == Wrapped? { withLock { $0.take() } }
}

/// What `Guarded` alone may carry across the lock. Not nested and not private: the compiler (6.3.1) can't emit that.
struct Unchecked<Content>: @unchecked Sendable {
    var content: Content
}
