import BLEWire

/// One radio, several links: who may use it when.
///
/// An event begins at its anchor point if the radio is free, and ends before the anchor point of the next link. Where
/// two anchor points are so close that only one event can be, the link that had to wait longer goes first.
extension Radio {
    /// Less than this apart, two anchor points can't both have an exchange of empty packets at 1M.
    private static let leastDistance = Delay.microseconds(460)

    /// Whether the link of an end may use its controller's radio from `now` on; it is taken then.
    mutating func takeRadio(_ end: Int, at now: Instant) -> Bool {
        let controller = ends[end].owner
        if controllers[controller].radioTime.until > now || mustYield(end, at: now) {
            if ends[end].skipped == 0 { controllers[controller].radioTime.waitingLinks += 1 }
            ends[end].skipped += 1
            return false
        }
        if ends[end].skipped > 0 {
            ends[end].skipped = 0
            controllers[controller].radioTime.waitingLinks -= 1
        }
        controllers[controller].radioTime.begin(now, until: now)
        return true
    }

    private mutating func mustYield(_ end: Int, at now: Instant) -> Bool {
        let controller = ends[end].owner
        guard controllers[controller].radioTime.waitingLinks > 0 else { return false }
        for place in 0..<controllers[controller].links.count {
            let other = controllers[controller].links.end(at: place)
            guard other != end, ends[other].skipped > ends[end].skipped else { continue }
            if ends[other].timing.anchor(notBefore: now) < now + Self.leastDistance { return true }
        }
        return false
    }

    /// Both radios are taken until `end`.
    mutating func holdRadio(_ link: Int, until end: Instant) {
        controllers[ends[2 * link].owner].radioTime.until = end
        if links[link].peripheralListens { controllers[ends[2 * link + 1].owner].radioTime.until = end }
    }

    /// When the last packet of the event that began at `start` must have ended: one inter frame space before the
    /// next anchor point of either radio. [Vol 6, Part B, 4.5.1]
    mutating func limit(of link: Int, from start: Instant) -> Instant {
        var limit = self.limit(ofEnd: 2 * link, from: start)
        if links[link].peripheralListens { limit = min(limit, self.limit(ofEnd: 2 * link + 1, from: start)) }
        return limit
    }

    private mutating func limit(ofEnd end: Int, from start: Instant) -> Instant {
        let controller = ends[end].owner
        var next = ends[end].timing.nextAnchor
        if controllers[controller].links.count > 1 {
            for place in 0..<controllers[controller].links.count {
                let other = controllers[controller].links.end(at: place)
                guard other != end else { continue }
                next = min(next, ends[other].timing.anchor(notBefore: start + .nanoseconds(1)))
            }
        }
        var limit = next - AirTime.interFrameSpace
        if controllers[controller].hasBackground {
            // Half of the interval is left to advertising and scanning.
            let half = ends[end].timing.anchor + .nanoseconds(ends[end].timing.interval.nanoseconds / 2)
            limit = min(limit, half)
        }
        return limit
    }

    /// Where the anchor points of a link fit best between those of the controller's other links: as units of 1.25 ms
    /// behind `earliest`, less than the interval.
    func placeAnchor(
        of controller: Int, without end: Int?, notBefore earliest: Instant, intervalUnits: UInt16
    ) -> UInt16 {
        let others = controllers[controller].links.ends.filter { $0 != end }
        guard !others.isEmpty else { return 0 }
        let interval = Int64(intervalUnits) * 1_250_000
        var best: UInt16 = 0
        var bestDistance: Int64 = -1
        // At most 64 places are looked at.
        let step = max(1, intervalUnits / 64)
        var offset: UInt16 = 0
        while offset < intervalUnits {
            let time = (earliest + .microseconds(Int64(offset) * 1250)).nanoseconds
            var distance = Int64.max
            for other in others {
                // Anchor points of two links come together as close as their distance modulo the common divisor.
                let common = Self.commonDivisor(interval, ends[other].timing.interval.nanoseconds)
                let apart = abs(time - ends[other].timing.anchor(notBefore: earliest).nanoseconds) % common
                distance = min(distance, min(apart, common - apart))
            }
            if distance > bestDistance { (best, bestDistance) = (offset, distance) }
            offset += step
        }
        return best
    }

    private static func commonDivisor(_ first: Int64, _ second: Int64) -> Int64 {
        var (first, second) = (first, second)
        while second != 0 { (first, second) = (second, first % second) }
        return max(first, 1)
    }
}
