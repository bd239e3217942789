import BLEWire

/// The windows in which a scanner or an initiator listens, one advertising channel after the other.
/// [Vol 6, Part B, 4.4.3]
struct ListeningWindow: Sendable {
    /// A window on one PHY, and the pause behind it.
    struct Slot: Sendable {
        var window: Delay
        var pause: Delay
        var isCoded: Bool
    }

    /// They follow each other, and begin anew.
    var slots = [Slot(window: .milliseconds(10), pause: .zero, isCoded: false)]
    private var place = 0
    /// 37 to 39; the first window takes the first of them.
    var channel: UInt8 = 39
    var isCoded = false
    var isOpen = false
    /// When the last window opened.
    var start = Instant.start
    var stamp: UInt32 = 0
    /// When it opens or closes next.
    var nextStep = Instant.never

    /// Sets the times on 1M and on the Coded PHY, in units of 0.625 ms, and begins with channel 37. Two windows that don't
    /// fit into one interval take turns, an interval each.
    mutating func configure(on1M: Times?, onCoded: Times? = nil) {
        let first = on1M.map { Slot(window: $0.window, pause: $0.pause, isCoded: false) }
        let second = onCoded.map { Slot(window: $0.window, pause: $0.pause, isCoded: true) }
        slots = [first, second].compactMap(\.self)
        if let on1M, let onCoded {
            let rest = min(on1M.whole, onCoded.whole) - on1M.window - onCoded.window
            if rest >= .zero {
                slots[0].pause = .zero
                slots[1].pause = rest
            }
        }
        place = slots.count - 1
        channel = 39
        isOpen = false
    }

    /// Scan interval and scan window, in units of 0.625 ms.
    struct Times: Sendable {
        var whole: Delay
        var window: Delay
        var pause: Delay { whole - window }

        init(interval: UInt16, window: UInt16) {
            whole = .microseconds(Int64(interval) * 625)
            self.window = .microseconds(Int64(min(window, interval)) * 625)
        }
    }

    /// Opens or closes; answers when to come again. A window as long as its interval goes straight to the next
    /// channel.
    mutating func step(at now: Instant) -> Instant {
        if isOpen, slots[place].pause > .zero {
            isOpen = false
            return start + slots[place].window + slots[place].pause
        }
        isOpen = true
        start = now
        place = (place + 1) % slots.count
        if place == 0 { channel = channel >= 39 ? 37 : channel + 1 }
        isCoded = slots[place].isCoded
        return now + slots[place].window
    }

    /// Closes, and makes what is planned void.
    mutating func stop() {
        isOpen = false
        nextStep = .never
        stamp &+= 1
    }
}
