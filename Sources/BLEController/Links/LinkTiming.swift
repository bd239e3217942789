import BLEWire

/// When the events of a link are, and on which channels. [Vol 6, Part B, 4.5.1], [Vol 6, Part B, 4.5.8]
struct LinkTiming: Sendable {
    /// The number of the event at `anchor`, from 0; -1 before the first.
    var number: Int64 = -1
    /// The anchor point of that event, or, until the peer was heard in it, the start of the window for it.
    var anchor = Instant.start
    /// How long after `anchor` the central may begin: a transmit window, or nothing once synchronised.
    var window = Delay.zero
    /// Units of 1.25 ms.
    var intervalUnits: UInt16 = 24
    var latency: UInt16 = 0
    /// Units of 10 ms.
    var timeoutUnits: UInt16 = 72
    var map = ChannelMap.all
    var selection = ChannelSelection.first(hopIncrement: 5)
    /// Changes that wait for their instants.
    var pending = PendingInstants()
    /// Events since the peer was heard; a peripheral may sleep through as many as its latency.
    var eventsSinceHeard = 0

    @inline(__always)
    var interval: Delay { .microseconds(Int64(intervalUnits) * 1250) }
    @inline(__always)
    var timeout: Delay { .milliseconds(Int64(timeoutUnits) * 10) }
    /// connEventCounter
    @inline(__always)
    var counter: UInt16 { UInt16(truncatingIfNeeded: number) }
    var channel: UInt8 { selection.channel(event: UInt64(max(0, number)), map: map) }

    /// When the next event's anchor point is, or its window begins.
    @inline(__always)
    var nextAnchor: Instant {
        let next = anchor + interval
        guard let update = pending.update, update.instant == counter &+ 1 else { return next }
        return next + .microseconds(Int64(update.windowOffset) * 1250)
    }

    /// The first anchor point that isn't before `time`, if nothing changes until then.
    func anchor(notBefore time: Instant) -> Instant {
        let next = nextAnchor
        guard next < time else { return next }
        return next + interval * ((time - next + interval - .nanoseconds(1)) / interval)
    }
}

/// Changes that wait for their instants. [Vol 6, Part B, 5.5]
struct PendingInstants: Sendable {
    var update: LLConnectionUpdateInd?
    var map: LLChannelMapInd?
    var phy: LLPHYUpdateInd?

    @inline(__always)
    var isEmpty: Bool { update == nil && map == nil && phy == nil }
}

extension LinkEnd {
    /// Goes to the next event; changes whose instant it is take effect.
    mutating func advance(into events: inout [LinkEvent]) {
        timing.anchor = timing.nextAnchor
        timing.number += 1
        timing.eventsSinceHeard += 1
        if !timing.pending.isEmpty { applyInstants(into: &events) }
    }

    /// A peripheral goes to the last event that begins at or before `time`.
    mutating func catchUp(to time: Instant, into events: inout [LinkEvent]) {
        while timing.nextAnchor <= time { advance(into: &events) }
    }

    private mutating func applyInstants(into events: inout [LinkEvent]) {
        if let update = timing.pending.update, update.instant == timing.counter {
            timing.pending.update = nil
            apply(update, into: &events)
        }
        if let map = timing.pending.map, map.instant == timing.counter {
            timing.pending.map = nil
            timing.map = ChannelMap(bits: map.channelMap)
            if case .channelMap = procedures.active { endProcedure(into: &events) }
        }
        if let update = timing.pending.phy, update.instant == timing.counter {
            timing.pending.phy = nil
            apply(update, into: &events)
        }
    }

    /// The new parameters hold from this event on, whose anchor has moved already. [Vol 6, Part B, 5.1.1]
    private mutating func apply(_ update: LLConnectionUpdateInd, into events: inout [LinkEvent]) {
        let isChange =
            update.interval != timing.intervalUnits || update.latency != timing.latency
            || update.timeout != timing.timeoutUnits
        timing.intervalUnits = update.interval
        timing.latency = update.latency
        timing.timeoutUnits = update.timeout
        timing.window = role == .central ? .zero : .microseconds(Int64(update.windowSize) * 1250)
        // The supervision timer begins anew at the instant. [Vol 6, Part B, 4.5.2]
        lastHeard = max(lastHeard, timing.anchor)
        var wasAsked = false
        switch procedures.active {
        case .update, .requestParameters:
            wasAsked = true
            endProcedure(into: &events)
        default: break
        }
        if procedures.remote == .parameters { procedures.remote = nil }
        if isChange || wasAsked { events.append(.parametersUpdated(.success)) }
        events.append(.proceduresChanged)
    }

    /// Whether a packet of the central that begins at `time` would be received: its event is on, and the peripheral
    /// doesn't sleep. [Vol 6, Part B, 4.5.1]
    mutating func isListening(at time: Instant) -> Bool {
        guard time >= timing.anchor, time <= timing.anchor + timing.window else { return false }
        guard timing.latency > 0, timing.eventsSinceHeard <= Int(timing.latency) else { return true }
        // Latency may be used only when nothing waits that needs the central.
        return !isEstablished || timing.window > .zero || hasToSend || !timing.pending.isEmpty
            || closesAfterSending != nil
            || procedures.isBusy || encryption.step != .idle
    }

    /// The central was heard at `time`: that is the anchor point.
    mutating func synchronise(at time: Instant) {
        timing.anchor = time
        timing.window = .zero
    }

    /// When the link is lost unless the peer is heard before. [Vol 6, Part B, 4.5.2]
    @inline(__always)
    var supervisionDeadline: Instant {
        isEstablished ? lastHeard + timing.timeout : lastHeard + timing.interval * 6
    }

    /// The earliest of all time-outs.
    @inline(__always)
    var nextTimeout: Instant {
        let protocolDeadline = min(procedures.deadline, min(terminationDeadline, encryption.deadline))
        return min(min(supervisionDeadline, payloadDeadline), protocolDeadline)
    }
}
