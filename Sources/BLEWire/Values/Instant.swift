/// A point in time: nanoseconds since the world's or the process's start.
///
/// No protocol code reads a clock; every input comes with its instant.
package struct Instant: Hashable, Comparable, Sendable {
    package var nanoseconds: Int64

    @inlinable package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    @inlinable package static var start: Instant { Instant(nanoseconds: 0) }
    /// Later than anything that happens.
    @inlinable package static var never: Instant { Instant(nanoseconds: .max) }

    @inlinable package static func == (left: Instant, right: Instant) -> Bool { left.nanoseconds == right.nanoseconds }
    @inlinable package static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }

    @inlinable package static func + (left: Instant, right: Delay) -> Instant {
        let (sum, overflow) = left.nanoseconds.addingReportingOverflow(right.nanoseconds)
        return Instant(nanoseconds: overflow ? .max : sum)
    }
    @inlinable package static func - (left: Instant, right: Delay) -> Instant {
        Instant(nanoseconds: left.nanoseconds &- right.nanoseconds)
    }
    @inlinable package static func - (left: Instant, right: Instant) -> Delay {
        Delay(nanoseconds: left.nanoseconds &- right.nanoseconds)
    }
    @inlinable package static func += (left: inout Instant, right: Delay) { left = left + right }

    /// Seconds since the start.
    package var seconds: Double { Double(nanoseconds) / 1e9 }
}

/// A length of time in nanoseconds. (Not `Duration`: that is 128 bits wide and slower.)
package struct Delay: Hashable, Comparable, Sendable {
    package var nanoseconds: Int64

    @inlinable package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    @inlinable package static var zero: Delay { Delay(nanoseconds: 0) }
    @inlinable package static func nanoseconds(_ count: Int64) -> Delay { Delay(nanoseconds: count) }
    @inlinable package static func microseconds(_ count: Int64) -> Delay { Delay(nanoseconds: count * 1000) }
    @inlinable package static func milliseconds(_ count: Int64) -> Delay { Delay(nanoseconds: count * 1_000_000) }
    @inlinable package static func seconds(_ count: Int64) -> Delay { Delay(nanoseconds: count * 1_000_000_000) }

    @inlinable package static func == (left: Delay, right: Delay) -> Bool { left.nanoseconds == right.nanoseconds }
    @inlinable package static func < (left: Delay, right: Delay) -> Bool { left.nanoseconds < right.nanoseconds }
    @inlinable package static func + (left: Delay, right: Delay) -> Delay {
        Delay(nanoseconds: left.nanoseconds &+ right.nanoseconds)
    }
    @inlinable package static func - (left: Delay, right: Delay) -> Delay {
        Delay(nanoseconds: left.nanoseconds &- right.nanoseconds)
    }
    @inlinable package static func * (left: Delay, right: Int64) -> Delay {
        Delay(nanoseconds: left.nanoseconds &* right)
    }
    @inlinable package static func / (left: Delay, right: Delay) -> Int64 { left.nanoseconds / right.nanoseconds }

    package var seconds: Double { Double(nanoseconds) / 1e9 }
    package var milliseconds: Double { Double(nanoseconds) / 1e6 }
}
