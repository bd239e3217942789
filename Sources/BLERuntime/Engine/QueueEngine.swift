import BLEBackend
import BLETransport
import BLEWire
import Dispatch

/// The part of an `EngineDriver` that lives on its queue: dispatch sources around an `EngineCore`.
final class QueueEngine {
    private let queue: DispatchQueue
    private let core: EngineCore
    private let opener: any TransportOpener
    private let onFailure: @Sendable (TransportError) -> Void
    /// Set at `start`; handlers that outlive the queue's turn go through it.
    private var me: QueueBound<QueueEngine>?

    private var sources: TransportSources?
    private var timer: (any DispatchSourceTimer)?
    private var armed: Instant?
    private var openedAt = Instant.start
    private var failures = 0
    private var lastFailure: TransportError?
    private var isStopped = false
    /// When a transport that had been open was lost.
    private var lostAt: Instant?
    /// How long a transport may be away before its absence is said to last.
    private static let patience = Delay.seconds(5)

    init(
        queue: DispatchQueue, host: any DrivenHost, opener: any TransportOpener, capture: (any PacketTap)?,
        onFailure: @escaping @Sendable (TransportError) -> Void
    ) {
        self.queue = queue
        self.opener = opener
        self.onFailure = onFailure
        core = EngineCore(host: host, clock: MonotonicClock(), capture: capture)
    }

    func start(_ me: QueueBound<QueueEngine>) {
        self.me = me
        let timer = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
        timer.setEventHandler { @Sendable [weak me] in me?.value.timerFired() }
        timer.activate()
        self.timer = timer
        open()
    }

    func stop() {
        isStopped = true
        timer?.cancel()
        closeTransport()
        opener.close()
        me = nil
    }

    func work() { after(core.work()) }

    private func timerFired() {
        armed = nil
        work()
    }

    // MARK: Opening and losing

    private func open() {
        guard let me, !isStopped else { return }
        let opener = opener
        // Opening may wait for the network: not on the engine's queue.
        DispatchQueue.global(qos: .userInitiated).async { [queue] in
            let result: Result<QueueBound<any HCITransport>, TransportError>
            do throws(TransportError) {
                result = .success(QueueBound(try opener.open(), on: queue))
            } catch {
                result = .failure(error)
            }
            queue.async {
                switch result {
                case .success(let transport): me.value.opened(transport.value)
                case .failure(let error): me.value.failedToOpen(error)
                }
            }
        }
    }

    private func opened(_ transport: any HCITransport) {
        guard !isStopped else { return transport.close() }
        Diagnostics.log(.info, "transport", "\(opener.name) is open")
        openedAt = core.clock.now
        lastFailure = nil
        lostAt = nil
        sources = TransportSources(transport, on: queue) { [weak me] in
            me?.value.readable()
        } writable: { [weak me] in
            me?.value.writable()
        }
        after(core.opened(transport))
    }

    private func failedToOpen(_ error: TransportError) {
        guard !isStopped else { return }
        failures += 1
        // Who was there a moment ago may be back in a moment: that's what `resetting` is for.
        if error.kind == .unavailable, let lostAt, core.clock.now - lostAt < Self.patience { return retry() }
        if error != lastFailure {
            lastFailure = error
            onFailure(error)
        }
        core.failed(error.kind == .unauthorized ? .unauthorized : .unsupported)
        arm()
        if error.kind == .unavailable { retry() }
    }

    private func retry() {
        let delay = opener.reconnect.delay(afterFailures: failures)
        Diagnostics.log(.debug, "transport", "trying \(opener.name) again in \(delay.milliseconds) ms")
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(delay.nanoseconds))) { [weak me] in
            me?.value.open()
        }
    }

    private func lost() {
        closeTransport()
        Diagnostics.log(.notice, "transport", "\(opener.name) is lost: \(core.lossReason)")
        lostAt = core.clock.now
        if core.clock.now - openedAt >= opener.reconnect.soundAfter { failures = 0 }
        failures += 1
        arm()
        retry()
    }

    // MARK: Waiting

    private func closeTransport() {
        core.discardTransport()
        sources?.close()
        sources = nil
    }

    private func readable() {
        let step = core.readable()
        after(step)
        if step == .again { queue.async { [weak me] in me?.value.readable() } }
    }

    private func writable() { after(core.writable()) }

    private func after(_ step: EngineCore.Step) {
        if step == .lost { return lost() }
        sources?.update()
        arm()
    }

    private func arm() {
        let deadline = core.nextDeadline
        guard deadline != armed, !isStopped else { return }
        armed = deadline
        timer?.schedule(deadline: core.clock.time(of: deadline ?? .never), leeway: .nanoseconds(0))
    }
}
