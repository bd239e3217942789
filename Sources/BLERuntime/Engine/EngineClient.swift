import BLEBackend
import BLETransport
import BLEWire
import Dispatch
import BLELocking

/// The part of an `EngineDriver` that lives on its loop: an `EngineCore` whose transport is opened, watched, and opened
/// anew.
final class EngineClient: LoopClient {
    private let core: EngineCore
    private let opener: any TransportOpener
    private let onFailure: @Sendable (TransportError) -> Void

    private var loop: EventLoop<EngineClient>?
    private var descriptors: WatchedDescriptors?
    private var watched: WatchedTransport?
    private var openedAt = Instant.start
    /// When a transport that had been open was lost.
    private var lostAt: Instant?
    private var failures = 0
    private var lastFailure: TransportError?
    /// When to open the transport again.
    private var retryAt: Instant?

    /// How long a transport may be away before its absence is said to last.
    private static let patience = Delay.seconds(5)

    init(_ core: EngineCore, opener: any TransportOpener, onFailure: @escaping @Sendable (TransportError) -> Void) {
        self.core = core
        self.opener = opener
        self.onFailure = onFailure
    }

    // MARK: What the loop calls

    var nextDeadline: Instant? {
        switch (core.nextDeadline, retryAt) {
        case (let host?, let retry?): min(host, retry)
        case (let host, let retry): host ?? retry
        }
    }

    func start(_ descriptors: WatchedDescriptors) { self.descriptors = descriptors }

    func woken() { after(core.work()) }

    func timeReached() {
        if let retryAt, retryAt <= core.clock.now, let loop {
            self.retryAt = nil
            open(on: loop)
        }
        after(core.work())
    }

    func ready(_ token: WatchToken, readable: Bool, writable: Bool) {
        guard token == watched?.token else { return }
        if readable { after(core.readable()) }
        // Reading may have lost it.
        if writable, token == watched?.token { after(core.writable()) }
    }

    func stop() {
        closeTransport()
        opener.close()
        loop = nil
    }

    // MARK: Opening and losing

    func open(on loop: EventLoop<EngineClient>) {
        self.loop = loop
        // Opening may wait for the network: not on the loop's thread.
        DispatchQueue.global(qos: .userInitiated).async { [opener, loop] in
            do throws(TransportError) {
                let transport = Handed(try opener.open())
                loop.perform { engine in
                    if let transport = transport.take() { engine.opened(transport) }
                }
            } catch {
                loop.perform { engine in engine.failedToOpen(error) }
            }
        }
    }

    private func opened(_ transport: any HCITransport) {
        guard let descriptors, let watched = WatchedTransport(transport, descriptors) else {
            transport.close()
            return failedToOpen(
                TransportError(
                    .unsupported, layer: opener.name, cause: "it can't be waited for", remedy: "name another adapter"))
        }
        Diagnostics.log(.info, "transport", "\(opener.name) is open")
        self.watched = watched
        openedAt = core.clock.now
        lastFailure = nil
        lostAt = nil
        after(core.opened(transport))
    }

    private func failedToOpen(_ error: TransportError) {
        failures += 1
        // Who was there a moment ago may be back in a moment: that's what `resetting` is for.
        if error.kind == .unavailable, let lostAt, core.clock.now - lostAt < Self.patience { return retry() }
        if error != lastFailure {
            lastFailure = error
            onFailure(error)
        }
        core.failed(error.kind == .unauthorized ? .unauthorized : .unsupported)
        if error.kind == .unavailable { retry() }
    }

    private func retry() {
        let delay = opener.reconnect.delay(afterFailures: failures)
        Diagnostics.log(.debug, "transport", "trying \(opener.name) again in \(delay.milliseconds) ms")
        retryAt = core.clock.now + delay
    }

    private func lost() {
        closeTransport()
        Diagnostics.log(.notice, "transport", "\(opener.name) is lost: \(core.lossReason)")
        let now = core.clock.now
        lostAt = now
        if now - openedAt >= opener.reconnect.soundAfter { failures = 0 }
        failures += 1
        retry()
    }

    private func closeTransport() {
        core.discardTransport()
        watched?.close()
        watched = nil
    }

    private func after(_ step: EngineCore.Step) {
        switch step {
        case .lost: lost()
        case .wait: watched?.update()
        }
    }
}

/// Hands a transport over from the thread that has opened it.
private final class Handed: Sendable {
    private let transport: Locked<(any HCITransport)?>

    init(_ transport: sending any HCITransport) { self.transport = Locked(transport) }

    func take() -> sending (any HCITransport)? {
        transport.withLock { transport in
            let taken = transport
            transport = nil
            return taken
        }
    }
}
