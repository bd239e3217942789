package import Dispatch

/// A value that lives on one queue: every access checks that it happens there.
///
/// *Threading*: the one unchecked conformance of the runtime's real-life side. It's sound because the value goes in with
/// `sending` and the queue is serial. [architecture 3.4]
package final class QueueBound<Value>: @unchecked Sendable {
    package let queue: DispatchQueue
    private var stored: Value

    package init(_ value: sending Value, on queue: DispatchQueue) {
        self.queue = queue
        stored = value
    }

    /// For a value that lives on the queue already, as this call must.
    package init(confined value: Value, on queue: DispatchQueue) {
        dispatchPrecondition(condition: .onQueue(queue))
        self.queue = queue
        stored = value
    }

    package var value: Value {
        _read {
            dispatchPrecondition(condition: .onQueue(queue))
            yield stored
        }
        _modify {
            dispatchPrecondition(condition: .onQueue(queue))
            yield &stored
        }
    }
}
