import BLEWire

/// Advertising events. [Vol 6, Part B, 4.4.2]
extension Radio {
    mutating func startAdvertising(_ advertiser: Int, address: DeviceAddress, at now: Instant) {
        advertisers[advertiser].stamp &+= 1
        if !advertisers[advertiser].isEnabled { controllers[advertisers[advertiser].owner].advertisingCount += 1 }
        advertisers[advertiser].isEnabled = true
        advertisers[advertiser].address = address
        advertisers[advertiser].replies = []
        encodeAdvertising(advertiser)
        advertisers[advertiser].beginEvents(at: now)
        if advertisers[advertiser].handle != nil {
            advertisers[advertiser].beginSet(at: now)
            startPeriodic(of: advertiser, at: now)
            shareRadio(with: advertiser, at: now)
        }
        planEvent(advertiser, at: advertisers[advertiser].event.isHighDuty ? now : now + drawDelay(advertiser))
    }

    mutating func stopAdvertising(_ advertiser: Int) {
        advertisers[advertiser].stamp &+= 1
        if advertisers[advertiser].isEnabled { controllers[advertisers[advertiser].owner].advertisingCount -= 1 }
        advertisers[advertiser].isEnabled = false
        advertisers[advertiser].replies = []
    }

    /// Data or parameters have changed.
    mutating func encodeAdvertising(_ advertiser: Int) {
        // Packets of extended advertising are made for each event.
        if advertisers[advertiser].isExtended { return }
        let owner = advertisers[advertiser].owner
        let supports = controllers[owner].profile.usesChannelSelection2
        // The host's commands limit every field, so encoding can't fail.
        let target = controllers[owner].advertisingTarget(advertisers[advertiser].parameters)
        try? advertisers[advertiser].encodePackets(target: target, supportsSelection2: supports)
    }

    /// advDelay: 0 to 10 ms. [Vol 6, Part B, 4.4.2.2.1]
    private mutating func drawDelay(_ advertiser: Int) -> Delay {
        .microseconds(Int64(controllers[advertisers[advertiser].owner].timing.below(10_001)))
    }

    private mutating func planEvent(_ advertiser: Int, at start: Instant) {
        advertisers[advertiser].event.start = start
        guard start < advertisers[advertiser].event.deadline,
            let first = advertisers[advertiser].event.channel(after: 36)
        else {
            advertisers[advertiser].event.step = .timeout
            let time = advertisers[advertiser].event.deadline
            return plan(.advertise, advertiser, advertisers[advertiser].stamp, at: time)
        }
        // A set that is alone and has nothing to prepare needs no step before its first packet.
        guard advertisers[advertiser].handle != nil,
            advertisers[advertiser].isExtended || controllers[advertisers[advertiser].owner].advertisingCount > 1
        else { return planPacket(advertiser, on: first, at: start) }
        advertisers[advertiser].event.step = .begin
        plan(.advertise, advertiser, advertisers[advertiser].stamp, at: start)
    }

    mutating func planPacket(_ advertiser: Int, on channel: UInt8, at start: Instant) {
        if advertisers[advertiser].isExtended { encodePointer(advertiser, on: channel, at: start) }
        advertisers[advertiser].event.step = .advertisement
        advertisers[advertiser].event.channel = channel
        advertisers[advertiser].event.packetStart = start
        let end = start + advertisers[advertiser].event.airTime
        plan(.advertise, advertiser, advertisers[advertiser].stamp, at: end)
    }

    mutating func planNextEvent(_ advertiser: Int, at now: Instant) {
        if advertisers[advertiser].handle != nil, advertisers[advertiser].set.countEvent() {
            advertisers[advertiser].event.step = .limit
            return plan(.advertise, advertiser, advertisers[advertiser].stamp, at: now)
        }
        // Field by field: a copy of the whole would cost as much as the rest of the step.
        var start = advertisers[advertiser].event.start + advertisers[advertiser].event.interval
        if !advertisers[advertiser].event.isHighDuty { start += drawDelay(advertiser) }
        // The packets of an extended event may take longer than the interval.
        if start < now { start = now }
        planEvent(advertiser, at: start)
    }

    mutating func planNextPacket(_ advertiser: Int, at now: Instant) {
        let space = advertisers[advertiser].event.gap
        let airTime = advertisers[advertiser].event.airTime
        var start = now + space
        var channel = advertisers[advertiser].event.channel
        while let next = advertisers[advertiser].event.channel(after: channel) {
            guard cannotBeHeard(advertiser, on: next, from: start) else {
                return planPacket(advertiser, on: next, at: start)
            }
            start = start + airTime + space
            channel = next
        }
        guard advertisers[advertiser].isExtended else { return planNextEvent(advertiser, at: now) }
        beginAuxiliary(advertiser, at: now)
    }

    /// Whether nobody will listen on a channel when a packet begins: such a packet needn't be stepped through.
    private mutating func cannotBeHeard(_ advertiser: Int, on channel: UInt8, from start: Instant) -> Bool {
        listeners[Self.place(channel, isCoded: advertisers[advertiser].event.isPrimaryCoded)].isEmpty
            && listeningChanges > start
            && injections == 0
            && !air.settings.capturesAir
    }

    mutating func stepAdvertising(_ advertiser: Int, at now: Instant, into out: inout [RadioOutput]) {
        switch advertisers[advertiser].event.step {
        case .begin: beginSetEvent(advertiser, at: now)
        case .auxiliary: endAuxiliary(advertiser, at: now, into: &out)
        case .connectResponse: endConnectResponse(advertiser, at: now, into: &out)
        case .limit: terminateSet(advertiser, .limitReached, into: &out)
        case .timeout where advertisers[advertiser].handle != nil:
            terminateSet(advertiser, .advertisingTimeout, into: &out)
        case .advertisement: endAdvertisement(advertiser, at: now, into: &out)
        case .request: endRequest(advertiser, at: now, into: &out)
        case .scanResponse: endScanResponse(advertiser, at: now, into: &out)
        case .timeout:
            stopAdvertising(advertiser)
            let owner = advertisers[advertiser].owner
            tellState(of: owner, into: &out)
            var event = LEConnectionComplete()
            event.status = .advertisingTimeout
            event.role = .peripheral
            event.peer = advertisers[advertiser].parameters.peer
            tellConnection(event, to: owner, into: &out)
        }
    }

    /// An advertisement was on the air until now: whoever listened has heard it, and may answer.
    private mutating func endAdvertisement(_ advertiser: Int, at now: Instant, into out: inout [RadioOutput]) {
        // Nobody is there who could hear the rest of the event either.
        guard !seekers.isEmpty || injections > 0 || air.settings.capturesAir else {
            return planNextEvent(advertiser, at: now)
        }
        let start = advertisers[advertiser].event.packetStart
        let channel = advertisers[advertiser].event.channel
        // A link that needed the radio meanwhile came first.
        if controllers[advertisers[advertiser].owner].radioTime.overlaps(start, now) {
            return planNextPacket(advertiser, at: now)
        }
        if air.settings.capturesAir {
            captureAdvertising(
                advertisers[advertiser].packet, from: start, channel, advertisers[advertiser].event.phy, into: &out)
        }
        advertisers[advertiser].replies.removeAll(keepingCapacity: true)
        let place = Self.place(channel, isCoded: advertisers[advertiser].event.isPrimaryCoded)
        let owner = advertisers[advertiser].owner
        for position in 0..<listeners[place].count {
            let listener = Int(listeners[place][position])
            if listener != owner {
                hear(advertiser, by: listener, from: start, to: now, into: &out)
            }
        }
        if injections > 0, !advertisers[advertiser].isExtended { takeInjected(advertiser) }
        if advertisers[advertiser].replies.isEmpty {
            planNextPacket(advertiser, at: now)
        } else {
            planRequest(advertiser, at: now)
        }
    }

    /// One answer of a test, where one waits.
    mutating func takeInjected(_ advertiser: Int) {
        guard var octets = advertisers[advertiser].injected.first else { return }
        advertisers[advertiser].injected.removeFirst()
        injections -= 1
        CRC24.append(to: &octets, initial: CRC24.advertisingInit)
        advertisers[advertiser].replies.append(
            Advertiser.Reply(controller: -1, octets: octets, isConnect: false))
    }

    /// Answers begin one inter frame space after the advertisement; the longest decides when all are over.
    mutating func planRequest(_ advertiser: Int, at now: Instant) {
        var longest = 0
        for reply in advertisers[advertiser].replies {
            longest = max(longest, max(0, reply.octets.count - 5))
        }
        advertisers[advertiser].event.step = .request
        let phy = advertisers[advertiser].event.phy
        let end = now + AirTime.interFrameSpace + AirTime.packet(payload: longest, on: phy)
        holdForSet(advertiser, until: end)
        plan(.advertise, advertiser, advertisers[advertiser].stamp, at: end)
    }

    /// Answers were on the air until now. The strongest is received. [Vol 6, Part B, 4.4.2.3]
    private mutating func endRequest(_ advertiser: Int, at now: Instant, into out: inout [RadioOutput]) {
        let replies = advertisers[advertiser].replies
        advertisers[advertiser].replies.removeAll(keepingCapacity: true)
        let received = strongest(of: replies, at: advertiser, end: now, into: &out)
        var answers = false
        var peripheralOf: Int?
        if let received {
            let packet = decoded(received.octets)
            switch packet?.payload {
            case .scanReq(let request) where answersScan(request, packet?.header, by: advertiser):
                answers = true
                tellScanRequest(advertiser, request, packet?.header, into: &out)
            case .connectInd(let connect) where answersConnect(connect, packet?.header, by: advertiser):
                peripheralOf = received.controller
            default: break
            }
        }
        if advertisers[advertiser].isExtended {
            return finishAuxiliaryRequest(
                advertiser, replies, accepted: peripheralOf == nil ? nil : received, answers: answers, at: now,
                into: &out)
        }
        for reply in replies where reply.isConnect && controllers[reply.controller].isPresent {
            finishInitiating(
                reply, advertiser: advertiser, isAccepted: peripheralOf == reply.controller, at: now, into: &out)
        }
        if let peripheralOf, peripheralOf < 0, let received {
            // A hostile CONNECT_IND without a controller behind it makes a link that nobody serves.
            acceptForeign(received.octets, advertiser: advertiser, at: now, into: &out)
        }
        guard advertisers[advertiser].isEnabled else { return }
        if answers {
            advertisers[advertiser].replies = replies.filter { !$0.isConnect }
            advertisers[advertiser].event.step = .scanResponse
            let count = advertisers[advertiser].scanResponsePacket.count - 5
            let end = now + AirTime.interFrameSpace + AirTime.packet(payload: count, on: .le1M)
            holdForSet(advertiser, until: end)
            plan(.advertise, advertiser, advertisers[advertiser].stamp, at: end)
        } else {
            for reply in replies where !reply.isConnect { finishScanRequest(reply.controller, answered: false) }
            planNextPacket(advertiser, at: now)
        }
    }

    private mutating func endScanResponse(_ advertiser: Int, at now: Instant, into out: inout [RadioOutput]) {
        let replies = advertisers[advertiser].replies
        advertisers[advertiser].replies.removeAll(keepingCapacity: true)
        let count = advertisers[advertiser].scanResponsePacket.count
        let start = now - AirTime.packet(payload: count - 5, on: .le1M)
        let wasSent = !controllers[advertisers[advertiser].owner].radioTime.overlaps(start, now)
        if wasSent {
            captureAdvertising(
                advertisers[advertiser].scanResponsePacket, from: start, advertisers[advertiser].event.channel,
                into: &out)
        }
        for reply in replies {
            let heard =
                wasSent && hearScanResponse(of: advertiser, by: reply.controller, from: start, to: now, into: &out)
            finishScanRequest(reply.controller, answered: heard)
        }
        planNextPacket(advertiser, at: now)
    }

    func captureAdvertising(
        _ octets: [UInt8], from start: Instant, _ channel: UInt8, _ phy: PhysicalLayer = .le1M,
        into out: inout [RadioOutput]
    ) {
        capture(
            octets, from: start, channel: channel, phy: phy, accessAddress: AccessAddress.advertising,
            crcInit: CRC24.advertisingInit, rssi: Int8(clamping: -Int(air.settings.pathLoss.atOneMetre)),
            .advertising, into: &out)
    }

    /// Header and payload of a packet with its CRC; nil where a receiver would drop it.
    func decoded(_ octets: [UInt8]) -> LLAdvertisingPacket? {
        guard octets.count >= 5, CRC24.isValid(octets, initial: CRC24.advertisingInit) else { return nil }
        return try? unsafe LLAdvertisingPacket(decoding: octets.span.bytes.extracting(first: octets.count - 3))
    }
}
