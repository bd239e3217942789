import BLEBackend
package import BLETransport
import BLEWire

/// Drives a host on a real transport, on a thread of its own.
///
/// *Role*: opens the transport, hands packets and time to the host, and opens the transport anew after a loss, ever
/// less often.
///
/// *Threading*: the host is driven on the loop's thread; all methods here may be called from any other. A driver that
/// was made is to be stopped before it's let go.
package final class EngineDriver: HostDriver {
    private let loop: EventLoop<EngineClient>

    /// - Parameter onFailure: told when the transport can't be opened; once for each cause in a row.
    package init(
        host: any DrivenHost, opener: any TransportOpener, capture: (any PacketTap)? = nil,
        onFailure: @escaping @Sendable (TransportError) -> Void = EngineDriver.report
    ) {
        let clock = MonotonicClock()
        loop = EventLoop(
            name: "ravning engine", clock: clock,
            client: EngineClient(
                EngineCore(host: host, clock: clock, capture: capture), opener: opener, onFailure: onFailure))
    }

    /// Opens the transport, soon.
    package func start() {
        loop.perform { [loop] engine in engine.open(on: loop) }
    }

    package func wake() { loop.wake() }

    /// Closes the transport for good.
    package func stop() { loop.stop() }

    /// Says on standard error why there is no Bluetooth.
    package static let report: @Sendable (TransportError) -> Void = { error in
        Diagnostics.emit(TraceEvent(.error, "transport", error.description))
    }
}
