import BLEWire

/// Whether the peer of an encrypted link still proves who it is. [Vol 6, Part B, 4.6.5], [Vol 6, Part B, 5.4]
///
/// *Role*: when a packet with a message integrity check came last, when to ask for one, and when to tell the host that
/// none came.
struct AuthenticatedPayload: Sendable {
    /// authenticatedPayloadTO, in units of 10 ms.
    var timeoutUnits: UInt16 = 3000
    /// Since when nothing that was checked has come; never while the link isn't encrypted.
    var since = Instant.never
    /// Whether the peer was asked since then.
    var hasAsked = false

    var timeout: Delay { .milliseconds(Int64(timeoutUnits) * 10) }
    /// When the host hears of it.
    var deadline: Instant { since == .never ? .never : since + timeout }
}

extension LinkEnd {
    /// A packet of the peer with a right check was received.
    @inline(__always)
    mutating func authenticated(at now: Instant) {
        authenticatedPayload.since = now
        authenticatedPayload.hasAsked = false
    }

    /// When the peer is asked: three quarters of the time-out, or so much earlier that it can answer in six events.
    private var pingTime: Instant {
        guard authenticatedPayload.since != .never, !authenticatedPayload.hasAsked else { return .never }
        let events = timing.interval * (6 * (Int64(timing.latency) + 1))
        let quarter = Delay.nanoseconds(authenticatedPayload.timeout.nanoseconds / 4)
        return authenticatedPayload.deadline - min(max(events, quarter), authenticatedPayload.timeout)
    }

    /// When either of both is due.
    var payloadDeadline: Instant {
        encryption.receives && encryption.step == .idle ? min(pingTime, authenticatedPayload.deadline) : .never
    }

    /// Asks the peer, or tells the host, if it is time.
    mutating func checkPayload(at now: Instant, into events: inout [LinkEvent]) {
        guard payloadDeadline <= now else { return }
        if authenticatedPayload.deadline <= now {
            authenticated(at: now)
            events.append(.payloadTimeout)
        } else if !authenticatedPayload.hasAsked {
            authenticatedPayload.hasAsked = true
            if local.features.contains(.ping) { start(.ping, at: now, into: &events) }
        }
    }
}
