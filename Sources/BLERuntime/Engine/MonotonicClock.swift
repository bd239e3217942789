import BLETransport
package import BLEWire
package import Dispatch

/// Real time for the machines: nanoseconds since the clock was made, by the system's monotonic clock.
package struct MonotonicClock: Sendable {
    private let origin: UInt64
    /// The wall clock at the origin.
    private let unixOrigin: Int64

    package init() {
        origin = DispatchTime.now().uptimeNanoseconds
        unixOrigin = unixNanoseconds()
    }

    /// The instant as nanoseconds since 1970: in step with this clock, even if somebody sets the wall clock.
    package func unixTime(of instant: Instant) -> Int64 { unixOrigin &+ instant.nanoseconds }

    package var now: Instant {
        Instant(nanoseconds: Int64(clamping: DispatchTime.now().uptimeNanoseconds &- origin))
    }

    /// The instant for a timer; far ahead stays far ahead.
    package func time(of instant: Instant) -> DispatchTime {
        let (sum, overflow) = origin.addingReportingOverflow(UInt64(clamping: instant.nanoseconds))
        return overflow || instant == .never ? .distantFuture : DispatchTime(uptimeNanoseconds: sum)
    }
}
