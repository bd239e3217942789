package import Dispatch
import BLELocking

/// Tells by the wall clock that a callback keeps a world from going on.
///
/// Time stands still in a world while a callback runs, so one that waits for something that only the world could bring
/// waits for ever. The watchdog can't end it; it says which one it is.
///
/// *Threading*: a queue of its own looks; everything else on the thread that runs the world.
package final class Watchdog: Sendable {
    /// What it says.
    package struct Report: Equatable, Sendable {
        /// The device whose callback it is.
        package var owner: String
        /// The delegate method, where one was called.
        package var callback: String?
        /// The label of the queue that it runs on; nil = the thread that runs the world.
        package var queue: String?
        /// How long it has run when it was found.
        package var seconds: Double

        package var text: String {
            let name = callback.map { " \($0)" } ?? ""
            let place = queue.map { " on queue \($0)" } ?? ""
            return "a callback of \(owner) blocks the world:\(name)\(place), for \(Int(seconds * 1000)) ms by now"
        }
    }

    private struct Running: Sendable {
        var owner = ""
        var queue: DispatchQueue?
        var callback: StaticString?
        var start: UInt64 = 0
        var isReported = false
    }

    private struct State: Sendable {
        var running: Running?
        /// Whether a look is due.
        var isWatching = false
        var report: @Sendable (Report) -> Void
    }

    private let state: Locked<State>
    private let limit: UInt64
    private let queue = DispatchQueue(label: "ravning.world.watchdog")

    /// - Parameter limit: nanoseconds by the wall clock that a callback may take.
    package init(limit: UInt64, report: @escaping @Sendable (Report) -> Void) {
        self.limit = max(limit, 1_000_000)
        state = Locked(State(report: report))
    }

    /// Replaces who is told.
    package func onReport(_ report: @escaping @Sendable (Report) -> Void) {
        state.withLock { $0.report = report }
    }

    package func begin(owner: String, queue: DispatchQueue?) {
        let mustWatch = state.withLock { state in
            state.running = Running(owner: owner, queue: queue, start: DispatchTime.now().uptimeNanoseconds)
            defer { state.isWatching = true }
            return !state.isWatching
        }
        if mustWatch { lookLater() }
    }

    /// The delegate method that is called next.
    package func willCall(_ callback: StaticString) {
        state.withLock { state in
            state.running?.callback = callback
            state.running?.start = DispatchTime.now().uptimeNanoseconds
        }
    }

    package func end() { state.withLock { $0.running = nil } }

    private func lookLater() {
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(clamping: limit / 4))) { [weak self] in self?.look() }
    }

    private func look() {
        let found: (Report, @Sendable (Report) -> Void)? = state.withLock { state in
            guard let running = state.running else {
                state.isWatching = false
                return nil
            }
            if running.isReported { return nil }
            let elapsed = DispatchTime.now().uptimeNanoseconds &- running.start
            guard elapsed >= limit else { return nil }
            state.running?.isReported = true
            let report = Report(
                owner: running.owner, callback: running.callback.map { "\($0)" }, queue: running.queue?.label,
                seconds: Double(elapsed) / 1e9)
            return (report, state.report)
        }
        if let (report, tell) = found { tell(report) }
        if state.withLock({ $0.isWatching }) { lookLater() }
    }
}
