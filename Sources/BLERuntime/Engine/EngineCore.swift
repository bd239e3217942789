import BLEBackend
import BLETransport
import BLEWire

/// The engine without its waiting: a host, a transport, and what passes between them.
///
/// *Role*: what every driver does, whoever waits for it.
///
/// *Inputs and outputs*: the driver calls when the transport is readable or writable, when the host has work, and when
/// the deadline has come. All packets that one call brings about leave in one write.
///
/// *Limits*: used by one thread of control at a time. Without a transport the host is drained only once its absence has
/// been told, so that nothing is lost that a manager asks for before the first transport opens.
final class EngineCore {
    /// Whether the driver has to do something after a call.
    enum Step: Equatable {
        case wait
        /// The transport is gone: stop waiting for its descriptor, close it, and open another one.
        case lost
    }

    let host: any DrivenHost
    let clock: MonotonicClock
    let capture: (any PacketTap)?
    private(set) var transport: (any HCITransport)?
    /// Whether the host knows how it stands with the transport.
    private var isToldOfTransport = false
    private var received: [[UInt8]] = []
    private var outgoing: [[UInt8]] = []

    init(host: any DrivenHost, clock: MonotonicClock, capture: (any PacketTap)?) {
        self.host = host
        self.clock = clock
        self.capture = capture
    }

    var nextDeadline: Instant? { isToldOfTransport ? host.nextDeadline : nil }

    /// The host has something in its inbox, or a timer is due.
    func work() -> Step {
        guard isToldOfTransport else { return .wait }
        host.drain(at: clock.now, into: &outgoing)
        return send()
    }

    /// The descriptor can be read.
    func readable() -> Step {
        guard let transport else { return .wait }
        let status = transport.receive(into: &received)
        takeReceived()
        if case .closed(let reason) = status { return lose(reason) }
        return send()
    }

    /// The descriptor can be written.
    func writable() -> Step {
        guard let transport else { return .wait }
        if case .closed(let reason) = transport.flush() { return lastWords(reason) }
        return .wait
    }

    func opened(_ transport: any HCITransport) -> Step {
        self.transport = transport
        isToldOfTransport = true
        let now = clock.now
        host.transportOpened(at: now, into: &outgoing)
        host.drain(at: now, into: &outgoing)
        return send()
    }

    /// No transport can be had at the moment.
    func failed(_ failure: TransportFailure) {
        isToldOfTransport = true
        let now = clock.now
        host.transportFailed(failure, at: now, into: &outgoing)
        host.drain(at: now, into: &outgoing)
        outgoing.removeAll()
    }

    /// Lets go of the transport after `.lost`; the driver closes it.
    func discardTransport() { transport = nil }

    private func takeReceived() {
        if received.isEmpty { return }
        let now = clock.now
        capture?.record(received, .controllerToHost)
        host.receive(received, at: now, into: &outgoing)
        host.drain(at: now, into: &outgoing)
        received.removeAll(keepingCapacity: true)
    }

    private func send() -> Step {
        if outgoing.isEmpty { return .wait }
        guard let transport else {
            outgoing.removeAll()
            return .wait
        }
        capture?.record(outgoing, .hostToController)
        let status = transport.send(outgoing)
        outgoing.removeAll(keepingCapacity: true)
        if case .closed(let reason) = status { return lastWords(reason) }
        return .wait
    }

    /// Writing failed: what the other side wrote before counts still.
    private func lastWords(_ reason: String) -> Step {
        _ = transport?.receive(into: &received)
        takeReceived()
        return lose(reason)
    }

    private func lose(_ reason: String) -> Step {
        outgoing.removeAll()
        let now = clock.now
        host.transportClosed(reason: reason, at: now, into: &outgoing)
        host.drain(at: now, into: &outgoing)
        outgoing.removeAll()
        lossReason = reason
        return .lost
    }

    /// Why the transport was lost last.
    private(set) var lossReason = ""
}
