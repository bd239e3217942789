import BLERuntime
import BLESimulator
import BLEWire
import Dispatch
import Foundation
import BLELocking

/// A timer in virtual time, from ``World/after(_:on:_:)`` or ``World/every(_:on:_:)``.
///
/// It goes on without being kept; keep it to cancel it.
public final class WorldTimer: Sendable {
    /// Weak, or a timer that repeats would keep its world.
    private weak let driver: WorldDriver?
    private let period: Delay?
    private let queue: DispatchQueue?
    private let work: @Sendable () -> Void
    private let state: Locked<State>

    private struct State {
        var action: ActionID?
        var due: Instant
        var isCancelled = false
    }

    init(
        driver: WorldDriver, period: TimeInterval?, queue: DispatchQueue?, work: @escaping @Sendable () -> Void,
        first: TimeInterval
    ) {
        self.driver = driver
        self.period = period.map(Delay.init(seconds:))
        self.queue = queue
        self.work = work
        state = Locked(State(due: driver.now + Delay(seconds: max(0, first))))
        plan()
    }

    /// Nothing runs any more; what runs already isn't stopped.
    public func cancel() {
        let action = state.withLock { state in
            state.isCancelled = true
            return state.action
        }
        if let action { driver?.cancel(action) }
    }

    private func plan() {
        guard let driver else { return }
        let due = state.withLock { $0.due }
        let action = driver.schedule(at: due, on: queue, owner: "a timer") { self.fire() }
        state.withLock { $0.action = action }
    }

    private func fire() {
        guard !state.withLock({ $0.isCancelled }) else { return }
        work()
        guard let period else { return }
        let isCancelled = state.withLock { state in
            state.due += period
            return state.isCancelled
        }
        if !isCancelled { plan() }
    }
}

extension Delay {
    /// Rounded to nanoseconds; what is longer than some 290 years is as long as that.
    init(seconds: TimeInterval) {
        let nanoseconds = (seconds * 1e9).rounded()
        self.init(nanoseconds: nanoseconds < 9.2e18 ? Int64(nanoseconds) : .max)
    }
}
