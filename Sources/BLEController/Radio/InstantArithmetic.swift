import BLEWire

// The arithmetic of instants and delays once more, for this module alone: it hides BLEWire's, does the same, and is
// inlined. A call into another module for each addition would be a fifth of what an event on the air costs
// (`@inlinable` has no effect on declarations with package access).

extension Instant {
    @inline(__always)
    static func + (left: Instant, right: Delay) -> Instant {
        var result = left
        let (sum, overflow) = left.nanoseconds.addingReportingOverflow(right.nanoseconds)
        result.nanoseconds = overflow ? .max : sum
        return result
    }
    @inline(__always)
    static func - (left: Instant, right: Delay) -> Instant {
        var result = left
        result.nanoseconds = left.nanoseconds &- right.nanoseconds
        return result
    }
    @inline(__always)
    static func - (left: Instant, right: Instant) -> Delay {
        var result = Delay(nanoseconds: 0)
        result.nanoseconds = left.nanoseconds &- right.nanoseconds
        return result
    }
    @inline(__always)
    static func == (left: Instant, right: Instant) -> Bool { left.nanoseconds == right.nanoseconds }
    @inline(__always)
    static func != (left: Instant, right: Instant) -> Bool { left.nanoseconds != right.nanoseconds }
    @inline(__always)
    static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }
    @inline(__always)
    static func <= (left: Instant, right: Instant) -> Bool { left.nanoseconds <= right.nanoseconds }
    @inline(__always)
    static func > (left: Instant, right: Instant) -> Bool { left.nanoseconds > right.nanoseconds }
    @inline(__always)
    static func >= (left: Instant, right: Instant) -> Bool { left.nanoseconds >= right.nanoseconds }
}

extension Delay {
    @inline(__always)
    static func + (left: Delay, right: Delay) -> Delay {
        var result = left
        result.nanoseconds = left.nanoseconds &+ right.nanoseconds
        return result
    }
    @inline(__always)
    static func * (left: Delay, right: Int64) -> Delay {
        var result = left
        result.nanoseconds = left.nanoseconds &* right
        return result
    }
    @inline(__always)
    static func <= (left: Delay, right: Delay) -> Bool { left.nanoseconds <= right.nanoseconds }
    @inline(__always)
    static func > (left: Delay, right: Delay) -> Bool { left.nanoseconds > right.nanoseconds }
}
