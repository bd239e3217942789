package import BLEWire

/// A few timers in the order in which they are due; those due at the same time in the order in which they were set.
package struct TimerQueue<Timer: Equatable> {
    private var entries: [(due: Instant, timer: Timer)] = []

    package init() {}

    /// Timers that are set for `.never` only wait to be replaced.
    package var nextDeadline: Instant? { entries.first.flatMap { $0.due == .never ? nil : $0.due } }

    package mutating func set(_ timer: Timer, at due: Instant) {
        let index = entries.firstIndex { $0.due > due } ?? entries.count
        entries.insert((due, timer), at: index)
    }

    package mutating func cancel(_ timer: Timer) { entries.removeAll { $0.timer == timer } }
    package func contains(_ timer: Timer) -> Bool { entries.contains { $0.timer == timer } }

    package mutating func popDue(at now: Instant) -> Timer? {
        guard let first = entries.first, first.due <= now else { return nil }
        return entries.removeFirst().timer
    }
}
