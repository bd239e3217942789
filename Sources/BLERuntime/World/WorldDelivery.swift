package import Dispatch
import BLELocking

/// Callbacks that wait for their turn in a world, in the order in which they came to be.
///
/// *Role*: keeps user code out of the machines: what a backend wants to tell is put down here while the machine runs,
/// and run when it has returned.
///
/// *Threading*: `add` from any thread, the rest on the thread that runs the world.
package final class WorldCallbacks: Sendable {
    /// One callback.
    package struct Callback: Sendable {
        /// nil = on the thread that runs the world.
        package var queue: DispatchQueue?
        /// Whose callback it is, for the watchdog.
        package var owner: String
        package var work: @Sendable () -> Void
        package init(queue: DispatchQueue?, owner: String, work: @escaping @Sendable () -> Void) {
            self.queue = queue
            self.owner = owner
            self.work = work
        }
    }

    private struct State {
        var waiting: [Callback] = []
        var head = 0
        /// Queues that callbacks were delivered on, in the order of their first.
        var queues: [(identity: QueueIdentity, queue: DispatchQueue)] = []
        var hasDelivered = false
    }
    private let state = Locked(State())

    package init() {}

    package func add(_ callback: Callback) {
        state.withLock { state in
            state.waiting.append(callback)
            guard let queue = callback.queue else { return }
            state.hasDelivered = true
            let identity = QueueIdentity(of: queue)
            if identity == .main || state.queues.contains(where: { $0.identity == identity }) { return }
            state.queues.append((identity, queue))
        }
    }

    /// Takes the callback whose turn it is.
    package func next() -> Callback? {
        state.withLock { state in
            guard state.head < state.waiting.count else { return nil }
            let callback = state.waiting[state.head]
            state.head += 1
            if state.head == state.waiting.count {
                state.waiting.removeAll(keepingCapacity: true)
                state.head = 0
            }
            return callback
        }
    }

    package var isEmpty: Bool { state.withLock { $0.head == $0.waiting.count } }

    /// Runs a callback in its place: here if this is its queue, else on its queue while this thread waits.
    package func run(_ callback: Callback) {
        guard let queue = callback.queue, !QueueIdentity(of: queue).isCurrent else { return callback.work() }
        // A barrier, so that calls keep their order on a concurrent queue too. [contract 1]
        queue.sync(flags: .barrier, execute: callback.work)
    }

    /// Waits until what callbacks have put on the main queue and on the managers' queues has run.
    package func drainQueues() {
        MainQueue.drain()
        let queues = state.withLock { $0.queues }
        for (identity, queue) in queues where !identity.isCurrent { queue.sync(flags: .barrier) {} }
    }

    /// Whether a callback went to a queue at all: only then is there something to wait for.
    package var hasDelivered: Bool { state.withLock { $0.hasDelivered } }
    /// Whether callbacks went to other queues than the main one.
    package var usesOwnQueues: Bool { state.withLock { !$0.queues.isEmpty } }
}

/// How one device of a world delivers: it puts callbacks down for the world to run in their place.
package final class WorldDelivery: Delivery {
    private let callbacks: WorldCallbacks
    private let watchdog: Watchdog
    private let owner: String
    /// Managers that a callback makes belong to the device whose callback it is.
    private let device = Locked<WeakDevice>(WeakDevice())

    private struct WeakDevice: Sendable { weak var device: Device? }

    package init(callbacks: WorldCallbacks, watchdog: Watchdog, owner: String) {
        self.callbacks = callbacks
        self.watchdog = watchdog
        self.owner = owner
    }

    package func attach(_ device: Device) { self.device.withLock { $0.device = device } }

    package func deliver(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
        _ = deliverInPlace(on: queue, work)
    }

    package func deliverInPlace(on queue: DispatchQueue?, _ work: @escaping @Sendable () -> Void) -> Bool {
        let device = device.withLock { $0.device }
        callbacks.add(
            .init(queue: queue, owner: owner) {
                Device.$attached.withValue(device, operation: work)
            })
        return true
    }

    package func willCall(_ callback: StaticString) { watchdog.willCall(callback) }
}
