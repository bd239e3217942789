package import BLEWire

/// Radio time for a radio that is paced by the wall clock, with slip.
///
/// *Role*: if the process stalls (a busy machine, a breakpoint), radio time stalls with it: nothing is made up for in a
/// burst, and no link times out because a machine was busy.
///
/// *Inputs and outputs*: wall instants in, radio instants out, and back for the timer.
///
/// *Limits*: only what is due can be late. Wall time passed with nothing planned is radio time passed.
package struct PacedClock: Sendable {
    /// Radio time per wall time.
    package let factor: Double
    /// How late something due may be and still be caught up with; measured in radio time.
    package let tolerance: Delay
    /// Wall time that was taken out.
    package private(set) var slipped = Delay.zero
    private var latest = Instant.start

    package init(factor: Double = 1, tolerance: Delay = .milliseconds(20)) {
        self.factor = factor
        self.tolerance = tolerance
    }

    /// What time it is on the radio. `due` is when the radio has something to do next.
    package mutating func radioTime(at wall: Instant, due: Instant?) -> Instant {
        var now = scaled(wall - slipped)
        if let due, due != .never, now > due + tolerance {
            now = due + tolerance
            slipped = wall - unscaled(now)
        }
        latest = max(latest, now)
        return latest
    }

    /// When the wall clock will show that it's `instant` on the radio.
    package func wallTime(of instant: Instant) -> Instant {
        instant == .never ? .never : unscaled(instant) + slipped
    }

    private func scaled(_ wall: Instant) -> Instant {
        factor == 1 ? wall : Instant(nanoseconds: Int64(Double(wall.nanoseconds) * factor))
    }

    private func unscaled(_ radio: Instant) -> Instant {
        if factor == 1 { return radio }
        let nanoseconds = (Double(radio.nanoseconds) / factor).rounded(.up)
        return nanoseconds < 9e18 ? Instant(nanoseconds: Int64(nanoseconds)) : .never
    }
}
