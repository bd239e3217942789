package import BLEWire

/// Who has failed to pair, and how long such a peer has to wait. [Vol 3, Part H, 2.3.6]
///
/// *Role*: makes guessing slow: the waiting time doubles with each failure, and goes back when nothing happens.
///
/// *Inputs and outputs*: failures and successes by address in; whether a peer may try out.
///
/// *Limits*: the last 64 peers that failed. Who changes its address isn't known again; then a new passkey for each try
/// is what helps.
package struct RepeatedAttempts: Equatable, Sendable {
    private struct Entry: Equatable, Sendable {
        var peer: DeviceAddress
        var failures: Int
        var until: Instant
        var last: Instant
    }
    private static let capacity = 64
    /// Failures that cost nothing: people mistype.
    package static let free = 3
    /// The first waiting time, and the longest one.
    package static let shortest = Delay.seconds(1)
    package static let longest = Delay.seconds(600)
    /// Failures are forgotten after this time without one.
    package static let memory = Delay.seconds(3600)

    /// The oldest first.
    private var entries: [Entry] = []

    package init() {}

    package mutating func failed(_ peer: DeviceAddress, at now: Instant) {
        var entry = Entry(peer: peer, failures: 0, until: now, last: now)
        if let index = entries.firstIndex(where: { $0.peer == peer }) {
            let old = entries.remove(at: index)
            if now - old.last < Self.memory { entry.failures = old.failures }
        } else if entries.count == Self.capacity {
            entries.removeFirst()
        }
        entry.failures += 1
        if entry.failures >= Self.free {
            let doublings = min(entry.failures - Self.free, 20)
            entry.until = now + min(Self.shortest * (1 << Int64(doublings)), Self.longest)
        }
        entries.append(entry)
    }

    package mutating func succeeded(_ peer: DeviceAddress) { entries.removeAll { $0.peer == peer } }

    /// Whether the peer has to wait.
    package func isWaiting(_ peer: DeviceAddress, at now: Instant) -> Bool {
        entries.contains { $0.peer == peer && now < $0.until }
    }
}
