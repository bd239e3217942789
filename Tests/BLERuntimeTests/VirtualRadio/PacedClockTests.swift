import BLERuntime
import BLEWire
import Testing

@Suite struct PacedClockTests {
    private func at(_ milliseconds: Int64) -> Instant { .start + .milliseconds(milliseconds) }

    @Test func `follows the wall clock while nothing is late`() {
        var clock = PacedClock()
        #expect(clock.radioTime(at: at(5), due: at(10)) == at(5))
        #expect(clock.radioTime(at: at(10), due: at(10)) == at(10))
        #expect(clock.slipped == .zero)
    }

    @Test func `catches up with what is a little late`() {
        var clock = PacedClock(tolerance: .milliseconds(20))
        #expect(clock.radioTime(at: at(30), due: at(10)) == at(30))
        #expect(clock.slipped == .zero)
    }

    @Test func `stalls with the process, and goes on from there`() {
        var clock = PacedClock(tolerance: .milliseconds(20))
        #expect(clock.radioTime(at: at(5010), due: at(10)) == at(30))
        #expect(clock.slipped == .milliseconds(4980))
        #expect(clock.radioTime(at: at(5015), due: at(40)) == at(35))
        #expect(clock.wallTime(of: at(40)) == at(5020))
    }

    @Test func `passes with the wall clock while nothing is planned`() {
        var clock = PacedClock()
        #expect(clock.radioTime(at: at(60_000), due: nil) == at(60_000))
        #expect(clock.slipped == .zero)
    }

    @Test func `never goes back`() {
        var clock = PacedClock(tolerance: .milliseconds(20))
        #expect(clock.radioTime(at: at(100), due: nil) == at(100))
        #expect(clock.radioTime(at: at(200), due: at(50)) == at(100))
    }

    @Test func `runs at a multiple of the wall clock`() {
        var clock = PacedClock(factor: 10)
        #expect(clock.radioTime(at: at(5), due: at(60)) == at(50))
        #expect(clock.wallTime(of: at(60)) == at(6))
    }

    @Test func `has no wall time for never`() {
        #expect(PacedClock(factor: 0.5).wallTime(of: .never) == .never)
    }
}
