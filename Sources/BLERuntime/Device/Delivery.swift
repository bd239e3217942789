package import Dispatch

/// How callbacks reach a program's queue.
///
/// In real life they are put on the queue; in a world they run in their place in virtual time, and time stands still
/// meanwhile. Work for one queue keeps its order.
package protocol Delivery: AnyObject, Sendable {
    func deliver(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void)
    /// Said within delivered work before each delegate method is called, so that a world's watchdog can name the one
    /// that doesn't return.
    func willCall(_ callback: StaticString)
    /// Runs the work in its place in virtual time: on the queue, or where the world runs. False where time is real:
    /// then nothing was done.
    func deliverInPlace(on queue: DispatchQueue?, _ work: @escaping @Sendable () -> Void) -> Bool
}

extension Delivery {
    package func deliverInPlace(on queue: DispatchQueue?, _ work: @escaping @Sendable () -> Void) -> Bool { false }
    package func willCall(_ callback: StaticString) {}
}

/// Delivery in real life.
package final class QueueDelivery: Delivery {
    package init() {}
    package func deliver(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
        // A barrier, so that calls keep their order on a concurrent queue too. [contract 1]
        queue.async(flags: .barrier, execute: work)
    }
}
