/// A point in time: nanoseconds since the world's or the process's start.
///
/// No protocol code reads a clock; every input comes with its instant.
package struct Instant: Hashable, Comparable, Sendable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package static let start = Instant(nanoseconds: 0)
    /// Later than anything that happens.
    package static let never = Instant(nanoseconds: .max)

    package static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }

    package static func + (left: Instant, right: Delay) -> Instant {
        let (sum, overflow) = left.nanoseconds.addingReportingOverflow(right.nanoseconds)
        return Instant(nanoseconds: overflow ? .max : sum)
    }
    package static func - (left: Instant, right: Delay) -> Instant {
        Instant(nanoseconds: left.nanoseconds &- right.nanoseconds)
    }
    package static func - (left: Instant, right: Instant) -> Delay {
        Delay(nanoseconds: left.nanoseconds &- right.nanoseconds)
    }
    package static func += (left: inout Instant, right: Delay) { left = left + right }

    /// Seconds since the start.
    package var seconds: Double { Double(nanoseconds) / 1e9 }
}

/// A length of time in nanoseconds. (Not `Duration`: that is 128 bits wide and slower.)
package struct Delay: Hashable, Comparable, Sendable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package static let zero = Delay(nanoseconds: 0)
    package static func nanoseconds(_ count: Int64) -> Delay { Delay(nanoseconds: count) }
    package static func microseconds(_ count: Int64) -> Delay { Delay(nanoseconds: count * 1000) }
    package static func milliseconds(_ count: Int64) -> Delay { Delay(nanoseconds: count * 1_000_000) }
    package static func seconds(_ count: Int64) -> Delay { Delay(nanoseconds: count * 1_000_000_000) }

    package static func < (left: Delay, right: Delay) -> Bool { left.nanoseconds < right.nanoseconds }
    package static func + (left: Delay, right: Delay) -> Delay {
        Delay(nanoseconds: left.nanoseconds &+ right.nanoseconds)
    }
    package static func - (left: Delay, right: Delay) -> Delay {
        Delay(nanoseconds: left.nanoseconds &- right.nanoseconds)
    }
    package static func * (left: Delay, right: Int64) -> Delay {
        Delay(nanoseconds: left.nanoseconds &* right)
    }
    package static func / (left: Delay, right: Delay) -> Int64 { left.nanoseconds / right.nanoseconds }

    package var seconds: Double { Double(nanoseconds) / 1e9 }
    package var milliseconds: Double { Double(nanoseconds) / 1e6 }
}
