import BLEWire

/// Connection events: packets to and fro from the anchor point on. [Vol 6, Part B, 4.5.1]
///
/// Each step of the schedule is the end of a packet, when its receiver acts on it and prepares what it sends one
/// inter frame space later. An event in which neither side has anything to say is one step.
extension Radio {
    mutating func stepLink(_ link: Int, at now: Instant, into out: inout [RadioOutput]) {
        switch links[link].phase {
        case .between: beginEvent(link, at: now, into: &out)
        case .centralSends: endCentralPacket(link, at: now, into: &out)
        case .peripheralSends: endPeripheralPacket(link, at: now, into: &out)
        }
    }

    // MARK: The event

    private mutating func beginEvent(_ link: Int, at now: Instant, into out: inout [RadioOutput]) {
        let central = 2 * link
        ends[central].advance(into: &linkEvents)
        if !linkEvents.isEmpty {
            handleEvents(of: central, at: now, into: &out)
            guard ends[central].isOpen else { return }
        }
        guard takeRadio(central, at: now) else { return planNextEvent(link, after: now, into: &out) }
        links[link].limit = .never
        links[link].isFirst = true
        links[link].peripheralListens = tune(link, at: now, into: &out)
        beginExchange(link, at: now, into: &out)
    }

    /// Whether the peripheral listens to the event that begins now: on the same channel and PHY, awake, and with its
    /// radio free.
    private mutating func tune(_ link: Int, at now: Instant, into out: inout [RadioOutput]) -> Bool {
        let (central, peripheral) = (2 * link, 2 * link + 1)
        guard ends[peripheral].isOpen else { return false }
        ends[peripheral].catchUp(to: now, into: &linkEvents)
        if !linkEvents.isEmpty {
            handleEvents(of: peripheral, at: now, into: &out)
            guard ends[peripheral].isOpen else { return false }
        }
        guard ends[peripheral].isListening(at: now), sharesChannel(central, peripheral) else { return false }
        return takeRadio(peripheral, at: now)
    }

    /// Equal numbers and maps are the same channel; others may be so by chance.
    private mutating func sharesChannel(_ central: Int, _ peripheral: Int) -> Bool {
        if ends[central].phys.transmit.mask != ends[peripheral].phys.receive.mask { return false }
        if ends[central].timing.number == ends[peripheral].timing.number,
            ends[central].timing.map == ends[peripheral].timing.map
        {
            return true
        }
        return ends[central].timing.channel == ends[peripheral].timing.channel
    }

    /// No packet follows in this event.
    private mutating func endEvent(_ link: Int, at now: Instant, into out: inout [RadioOutput]) {
        planNextEvent(link, after: now, into: &out)
        controllers[ends[2 * link].owner].radioTime.until = now
        if links[link].peripheralListens { controllers[ends[2 * link + 1].owner].radioTime.until = now }
    }

    private mutating func planNextEvent(_ link: Int, after now: Instant, into out: inout [RadioOutput]) {
        guard ends[2 * link].isOpen else { return }
        links[link].phase = .between
        if ends[2 * link].timing.nextAnchor < now {
            // Only an exchange that is longer than the interval gets here.
            ends[2 * link].catchUp(to: now, into: &linkEvents)
            handleEvents(of: 2 * link, at: now, into: &out)
            guard ends[2 * link].isOpen else { return }
        }
        plan(.link, link, links[link].stamp, at: ends[2 * link].timing.nextAnchor)
    }

    // MARK: One exchange

    /// The central sends. [Vol 6, Part B, 4.5.6]
    private mutating func beginExchange(_ link: Int, at start: Instant, into out: inout [RadioOutput]) {
        let (central, peripheral) = (2 * link, 2 * link + 1)
        if ends[central].isIdle, ends[peripheral].isIdle, !air.settings.capturesAir {
            return exchangeNothing(link, at: start, into: &out)
        }
        if links[link].limit == .never { links[link].limit = limit(of: link, from: start) }
        let answer = AirTime.interFrameSpace + AirTime.packet(payload: 0, on: ends[peripheral].phys.transmit)
        let payload = ends[central].encode(
            into: &packets[link], crcInit: links[link].crcInit, room: links[link].limit - start - answer,
            mayShorten: links[link].isFirst)
        let end = start + AirTime.packet(payload: payload, on: ends[central].phys.transmit)
        links[link].packetStart = start
        links[link].phase = .centralSends
        holdRadio(link, until: end)
        plan(.link, link, links[link].stamp, at: end)
    }

    /// Both sides send an empty packet, in one step. Nobody's host hears of it.
    private mutating func exchangeNothing(_ link: Int, at start: Instant, into out: inout [RadioOutput]) {
        let (central, peripheral) = (2 * link, 2 * link + 1)
        _ = ends[central].encode(into: &packets[link], crcInit: links[link].crcInit)
        let sent = start + AirTime.packet(payload: 0, on: ends[central].phys.transmit)
        links[link].packetStart = start
        guard arrives(link, at: peripheral, from: central) else { return endEvent(link, at: sent, into: &out) }
        if ends[peripheral].timing.anchor != start { ends[peripheral].synchronise(at: start) }
        _ = ends[peripheral].receive(
            packets[link], crcInit: links[link].crcInit, at: sent, into: &linkEvents)
        _ = ends[peripheral].encode(into: &packets[link], crcInit: links[link].crcInit)
        let end =
            sent + AirTime.interFrameSpace + AirTime.packet(payload: 0, on: ends[peripheral].phys.transmit)
        if arrives(link, at: central, from: peripheral) {
            _ = ends[central].receive(packets[link], crcInit: links[link].crcInit, at: end, into: &linkEvents)
        }
        // Nothing was waiting, so nothing can have been acknowledged that a host would hear of.
        linkEvents.removeAll(keepingCapacity: true)
        endEvent(link, at: end, into: &out)
    }

    /// Lets the packet on the air come to a receiver; false where it isn't heard. Octets may have become wrong.
    private mutating func arrives(_ link: Int, at receiver: Int, from sender: Int) -> Bool {
        if receiver & 1 == 1, !links[link].peripheralListens { return false }
        guard ends[receiver].isOpen else { return false }
        let (from, to) = (ends[sender].owner, ends[receiver].owner)
        let power = controllers[from].profile.transmitPower
        switch air.receive(from: from, to: to, power: power, using: &controllers[to].fading) {
        case .lost: return false
        case .heard(let rssi): ends[receiver].rssi = rssi
        case .corrupted(let rssi):
            ends[receiver].rssi = rssi
            controllers[to].corrupt(&packets[link])
        }
        return true
    }

    /// The central's packet is over: the peripheral receives it, and answers.
    private mutating func endCentralPacket(_ link: Int, at now: Instant, into out: inout [RadioOutput]) {
        let (central, peripheral) = (2 * link, 2 * link + 1)
        captureData(link, from: central, into: &out)
        let reason = ends[central].closesAfterSending
        let isHeard = arrives(link, at: peripheral, from: central)
        if isHeard {
            if links[link].isFirst { ends[peripheral].synchronise(at: links[link].packetStart) }
            // A packet with a wrong CRC is answered too: the peripheral then asks for it again.
            _ = ends[peripheral].receive(
                packets[link], crcInit: links[link].crcInit, at: now, into: &linkEvents)
            handleEvents(of: peripheral, at: now, into: &out)
        }
        if let reason {
            // This packet acknowledged the peer's LL_TERMINATE_IND: the link is over here.
            endEvent(link, at: now, into: &out)
            return close(central, reason, into: &out)
        }
        guard isHeard, ends[peripheral].isOpen else { return endEvent(link, at: now, into: &out) }
        answer(link, at: now)
    }

    private mutating func answer(_ link: Int, at now: Instant) {
        let peripheral = 2 * link + 1
        let start = now + AirTime.interFrameSpace
        let payload = ends[peripheral].encode(
            into: &packets[link], crcInit: links[link].crcInit, room: links[link].limit - start,
            mayShorten: links[link].isFirst)
        let end = start + AirTime.packet(payload: payload, on: ends[peripheral].phys.transmit)
        links[link].packetStart = start
        links[link].phase = .peripheralSends
        holdRadio(link, until: end)
        plan(.link, link, links[link].stamp, at: end)
    }

    /// The peripheral's packet is over: the central receives it, and goes on or closes the event.
    private mutating func endPeripheralPacket(_ link: Int, at now: Instant, into out: inout [RadioOutput]) {
        let (central, peripheral) = (2 * link, 2 * link + 1)
        captureData(link, from: peripheral, into: &out)
        var received = LinkEnd.Received(isValid: false, moreData: false)
        let reason = ends[peripheral].isOpen ? ends[peripheral].closesAfterSending : nil
        if sharesAnswerPHY(central, peripheral), arrives(link, at: central, from: peripheral) {
            received = ends[central].receive(
                packets[link], crcInit: links[link].crcInit, at: now, into: &linkEvents)
            handleEvents(of: central, at: now, into: &out)
        }
        if let reason { close(peripheral, reason, into: &out) }
        guard ends[central].isOpen else { return }
        let wantsMore = received.isValid && (received.moreData || ends[central].sentMoreData)
        guard wantsMore, ends[peripheral].isOpen, fitsAnother(link, from: now + AirTime.interFrameSpace) else {
            return endEvent(link, at: now, into: &out)
        }
        links[link].isFirst = false
        beginExchange(link, at: now + AirTime.interFrameSpace, into: &out)
    }

    private mutating func sharesAnswerPHY(_ central: Int, _ peripheral: Int) -> Bool {
        ends[central].phys.receive.mask == ends[peripheral].phys.transmit.mask
    }

    /// Whether one more exchange ends before the event must. The central judges the answer as one that guesses
    /// right: by what the peripheral will send.
    private mutating func fitsAnother(_ link: Int, from start: Instant) -> Bool {
        let (central, peripheral) = (2 * link, 2 * link + 1)
        let isAcknowledged = ends[central].expected != ends[peripheral].sequence
        let time =
            AirTime.packet(payload: ends[central].nextPayload(acknowledged: false), on: ends[central].phys.transmit)
            + AirTime.interFrameSpace
            + AirTime.packet(
                payload: ends[peripheral].nextPayload(acknowledged: isAcknowledged),
                on: ends[peripheral].phys.transmit)
        return start + time <= links[link].limit
    }

    private mutating func captureData(_ link: Int, from end: Int, into out: inout [RadioOutput]) {
        guard air.settings.capturesAir else { return }
        capture(
            packets[link], from: links[link].packetStart, channel: ends[2 * link].timing.channel,
            phy: ends[end].phys.transmit, accessAddress: links[link].accessAddress, crcInit: links[link].crcInit,
            rssi: ends[end ^ 1].rssi == 127 ? -40 : ends[end ^ 1].rssi,
            ends[end].role == .central ? .centralToPeripheral : .peripheralToCentral, into: &out)
    }
}
