package import BLEWire
import Glibc

/// Real time for the machines: nanoseconds since the clock was made, by the system's monotonic clock.
package struct MonotonicClock: Sendable {
    private let origin: Int64
    /// The wall clock at the origin.
    private let unixOrigin: Int64

    package init() {
        origin = Self.uptime()
        unixOrigin = unixNanoseconds()
    }

    package var now: Instant { Instant(nanoseconds: Self.uptime() &- origin) }

    /// The instant as nanoseconds since 1970: in step with this clock, even if somebody sets the wall clock.
    package func unixTime(of instant: Instant) -> Int64 { unixOrigin &+ instant.nanoseconds }

    private static func uptime() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
