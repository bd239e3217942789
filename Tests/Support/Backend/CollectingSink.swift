package import BLEBackend
import BLELocking

/// A session's sink that keeps what it is told.
package final class CollectingSink: BackendSink {
    private let batches = Locked<[[BackendEvent]]>([])

    package init() {}

    package func receive(_ events: [BackendEvent]) { batches.withLock { $0.append(events) } }

    /// Events since the last call.
    package func take() -> [BackendEvent] { takeBatches().flatMap { $0 } }

    /// Batches since the last call.
    package func takeBatches() -> [[BackendEvent]] {
        batches.withLock { batches in
            defer { batches = [] }
            return batches
        }
    }
}
