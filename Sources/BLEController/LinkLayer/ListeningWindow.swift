import BLEWire

/// The windows in which a scanner or an initiator listens, one advertising channel after the other.
/// [Vol 6, Part B, 4.4.3]
struct ListeningWindow: Sendable {
    var interval = Delay.milliseconds(10)
    var window = Delay.milliseconds(10)
    /// 37 to 39; the first window takes the first of them.
    var channel: UInt8 = 39
    var isOpen = false
    /// When the last window opened.
    var start = Instant.start
    var stamp: UInt32 = 0
    /// When it opens or closes next.
    var nextStep = Instant.never

    /// Sets the times, in units of 0.625 ms, and begins with channel 37.
    mutating func configure(interval: UInt16, window: UInt16) {
        self.interval = .microseconds(Int64(interval) * 625)
        self.window = .microseconds(Int64(min(window, interval)) * 625)
        channel = 39
        isOpen = false
    }

    /// Opens or closes; answers when to come again. A window as long as its interval goes straight to the next
    /// channel.
    mutating func step(at now: Instant) -> Instant {
        if isOpen, window < interval {
            isOpen = false
            return start + interval
        }
        isOpen = true
        start = now
        channel = channel >= 39 ? 37 : channel + 1
        return now + window
    }

    /// Closes, and makes what is planned void.
    mutating func stop() {
        isOpen = false
        nextStep = .never
        stamp &+= 1
    }
}
