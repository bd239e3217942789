import BLEWire
import CLinuxSupport
import Dispatch
import Glibc
import BLELocking

/// A thread that waits for descriptors and a time, and runs one client.
///
/// *Role*: drives what lives on real descriptors: an engine with its transport, a hosted radio with its hosts.
///
/// *Why not dispatch sources*: a thread that waits by itself answers sooner (echo over a socket pair, median 7.9 µs
/// against 12.7, 99th percentile 17 against 50 and more). And on Linux they aren't safe for a descriptor whose other side
/// hangs up: the source is unregistered on its own queue while dispatch's manager thread still walks the same lists,
/// which crashed a test in which programs were killed.
///
/// *Threading*: the one unchecked conformance of the runtime's real-life side. It's sound because the client comes in
/// with `sending` and is touched on the loop's thread only. `wake`, `perform` and `stop` may be called from any thread.
/// The thread keeps the loop until `stop`.
package final class EventLoop<Client: LoopClient>: @unchecked Sendable {
    private struct Inbox {
        var work: [@Sendable (Client) -> Void] = []
        var isWoken = false
        var isStopping = false
        /// The thread waits, and nobody has raised the signal yet.
        var isAsleep = false
    }
    private let inbox = Locked(Inbox())
    private let signal = cls_signal_open()
    private let ended = DispatchSemaphore(value: 0)
    private let clock: MonotonicClock
    // On the loop's thread only.
    private let client: Client
    private let descriptors = WatchedDescriptors()

    /// - Parameter name: the thread's, for who looks at the process; 15 octets at most.
    package init(name: String, clock: MonotonicClock, client: sending Client) {
        self.clock = clock
        self.client = client
        let body = Unmanaged.passRetained(ThreadBody { self.run() })
        let result = cls_thread_start(
            name,
            { context in
                if let context { Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, body.toOpaque())
        precondition(result == 0, "no thread can be made")
    }

    deinit { close(signal) }

    /// Has the client's `woken` called, soon; once for a burst of calls.
    package func wake() {
        put { $0.isWoken = true }
    }

    /// Runs the body with the client, soon; in the order of the calls. Not after `stop`.
    @discardableResult
    package func perform(_ body: @escaping @Sendable (Client) -> Void) -> Bool {
        put { $0.work.append(body) }
    }

    /// Runs the body with the client and waits for its result; nil after `stop`. Not to be called on the loop's thread.
    package func result<Result: Sendable>(of body: @escaping @Sendable (Client) -> Result) -> Result? {
        let result = Reply<Result>()
        let isTaken = perform { client in
            let value = body(client)
            result.value.withLock { $0 = value }
            result.done.signal()
        }
        guard isTaken else { return nil }
        result.done.wait()
        return result.value.withLock { $0 }
    }

    /// Ends the thread after what was asked for before, and waits until the client's `stop` has returned. Not to be
    /// called on the loop's thread.
    package func stop() {
        guard put({ $0.isStopping = true }) else { return }
        ended.wait()
    }

    /// Changes the inbox, and ends the thread's sleep. False: the loop has been stopped.
    @discardableResult
    private func put(_ change: (inout Inbox) -> Void) -> Bool {
        let (isOpen, isAsleep) = inbox.withLock { inbox in
            if inbox.isStopping { return (false, false) }
            change(&inbox)
            defer { inbox.isAsleep = false }
            return (true, inbox.isAsleep)
        }
        if isAsleep { cls_signal_raise(signal) }
        return isOpen
    }

    // MARK: On the thread

    private func run() {
        client.start(descriptors)
        let signalToken = descriptors.add(signal)
        var isRunning = true
        while isRunning {
            descriptors.wait(nanoseconds: fallAsleep()) { token, readable, writable in
                if token == signalToken {
                    cls_signal_clear(signal)
                } else {
                    client.ready(token, readable: readable, writable: writable)
                }
            }
            isRunning = takeInbox()
            if let deadline = client.nextDeadline, deadline <= clock.now { client.timeReached() }
        }
        client.stop()
        ended.signal()
    }

    /// How long to wait; not at all while the inbox holds something.
    private func fallAsleep() -> Int64 {
        var nanoseconds: Int64 = -1
        if let deadline = client.nextDeadline, deadline != .never {
            nanoseconds = max(0, (deadline - clock.now).nanoseconds)
        }
        return inbox.withLock { inbox in
            if inbox.isWoken || inbox.isStopping || !inbox.work.isEmpty { return 0 }
            inbox.isAsleep = nanoseconds != 0
            return nanoseconds
        }
    }

    /// Does what others have asked for; false when that is to stop.
    private func takeInbox() -> Bool {
        let taken = inbox.withLock { inbox in
            defer {
                inbox.work.removeAll()
                inbox.isWoken = false
                inbox.isAsleep = false
            }
            return inbox
        }
        for body in taken.work { body(client) }
        if taken.isWoken { client.woken() }
        return !taken.isStopping
    }
}

/// What a thread runs.
private final class ThreadBody {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
}

/// A result on its way from a loop.
private final class Reply<Value: Sendable>: Sendable {
    let value = Locked<Value?>(nil)
    let done = DispatchSemaphore(value: 0)
}
