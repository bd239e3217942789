import BLEBackend
package import BLETransport
import BLEWire
import Dispatch
import Synchronization

/// Drives a host on a real transport: one serial queue that waits with dispatch sources.
///
/// *Role*: opens the transport, hands packets and time to the host, and opens the transport anew after a loss, ever
/// less often.
///
/// *Threading*: everything happens on the queue; `wake`, `start` and `stop` may be called from any thread. Sources are
/// suspended and resumed, never made anew for the same transport.
package final class EngineDriver: HostDriver {
    private let queue: DispatchQueue
    private let bound: QueueBound<QueueEngine>
    /// Whether a drain is on its way, so that a burst of calls costs one hop.
    private let isWakePending = Atomic(false)

    /// - Parameter onFailure: told when the transport can't be opened; once for each cause in a row.
    package init(
        host: any DrivenHost, opener: any TransportOpener, capture: (any PacketTap)? = nil,
        onFailure: @escaping @Sendable (TransportError) -> Void = EngineDriver.report
    ) {
        queue = DispatchQueue(label: "ravning.engine", qos: .userInitiated)
        bound = QueueBound(
            QueueEngine(queue: queue, host: host, opener: opener, capture: capture, onFailure: onFailure), on: queue)
    }

    /// Opens the transport, soon.
    package func start() {
        queue.async { [bound] in bound.value.start(bound) }
    }

    package func wake() {
        if isWakePending.exchange(true, ordering: .acquiringAndReleasing) { return }
        queue.async { [self] in
            // Before the work: what is put into the inbox meanwhile wakes again.
            isWakePending.store(false, ordering: .releasing)
            bound.value.work()
        }
    }

    /// Closes the transport for good. A driver that was started is to be stopped before it's let go.
    package func stop() {
        queue.sync { [bound] in bound.value.stop() }
    }

    /// Says on standard error why there is no Bluetooth.
    package static let report: @Sendable (TransportError) -> Void = { error in
        Diagnostics.emit(TraceEvent(.error, "transport", error.description))
    }
}
