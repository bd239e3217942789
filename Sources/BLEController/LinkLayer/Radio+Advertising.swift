import BLEWire

/// Advertising events. [Vol 6, Part B, 4.4.2]
extension Radio {
    mutating func startAdvertising(_ controller: Int, address: DeviceAddress, at now: Instant) {
        controllers[controller].advertiser.stamp &+= 1
        controllers[controller].advertiser.isEnabled = true
        controllers[controller].advertiser.address = address
        controllers[controller].advertiser.replies = []
        encodeAdvertising(controller)
        controllers[controller].advertiser.beginEvents(at: now)
        let isHighDuty = controllers[controller].advertiser.event.deadline != .never
        planEvent(controller, at: isHighDuty ? now : now + drawDelay(controller))
    }

    mutating func stopAdvertising(_ controller: Int) {
        controllers[controller].advertiser.stamp &+= 1
        controllers[controller].advertiser.isEnabled = false
        controllers[controller].advertiser.replies = []
    }

    /// Data or parameters have changed.
    mutating func encodeAdvertising(_ controller: Int) {
        let supports = controllers[controller].profile.usesChannelSelection2
        // The host's commands limit every field, so encoding can't fail.
        let target = controllers[controller].advertisingTarget
        try? controllers[controller].advertiser.encodePackets(target: target, supportsSelection2: supports)
    }

    /// advDelay: 0 to 10 ms. [Vol 6, Part B, 4.4.2.2.1]
    private mutating func drawDelay(_ controller: Int) -> Delay {
        .microseconds(Int64(controllers[controller].timing.below(10_001)))
    }

    private mutating func planEvent(_ controller: Int, at start: Instant) {
        controllers[controller].advertiser.event.start = start
        guard start < controllers[controller].advertiser.event.deadline,
            let first = controllers[controller].advertiser.event.channel(after: 36)
        else {
            controllers[controller].advertiser.event.step = .highDutyTimeout
            let time = controllers[controller].advertiser.event.deadline
            return plan(.advertise, controller, controllers[controller].advertiser.stamp, at: time)
        }
        planPacket(controller, on: first, at: start)
    }

    private mutating func planPacket(_ controller: Int, on channel: UInt8, at start: Instant) {
        controllers[controller].advertiser.event.step = .advertisement
        controllers[controller].advertiser.event.channel = channel
        controllers[controller].advertiser.event.packetStart = start
        let end = start + controllers[controller].advertiser.event.airTime
        plan(.advertise, controller, controllers[controller].advertiser.stamp, at: end)
    }

    private mutating func planNextEvent(_ controller: Int) {
        // Field by field: a copy of the whole would cost as much as the rest of the step.
        var start = controllers[controller].advertiser.event.start + controllers[controller].advertiser.event.interval
        if controllers[controller].advertiser.event.deadline == .never { start += drawDelay(controller) }
        planEvent(controller, at: start)
    }

    private mutating func planNextPacket(_ controller: Int, at now: Instant) {
        let space = controllers[controller].advertiser.event.gap
        let airTime = controllers[controller].advertiser.event.airTime
        var start = now + space
        var channel = controllers[controller].advertiser.event.channel
        while let next = controllers[controller].advertiser.event.channel(after: channel) {
            guard cannotBeHeard(on: next, from: start) else { return planPacket(controller, on: next, at: start) }
            start = start + airTime + space
            channel = next
        }
        planNextEvent(controller)
    }

    /// Whether nobody will listen on a channel when a packet begins: such a packet needn't be stepped through.
    private mutating func cannotBeHeard(on channel: UInt8, from start: Instant) -> Bool {
        listeners[Int(channel - 37)].isEmpty && listeningChanges > start && injections == 0
            && !air.settings.capturesAir
    }

    mutating func stepAdvertising(_ controller: Int, at now: Instant, into out: inout [RadioOutput]) {
        switch controllers[controller].advertiser.event.step {
        case .advertisement: endAdvertisement(controller, at: now, into: &out)
        case .request: endRequest(controller, at: now, into: &out)
        case .scanResponse: endScanResponse(controller, at: now, into: &out)
        case .highDutyTimeout:
            stopAdvertising(controller)
            tellState(of: controller, into: &out)
            var event = LEConnectionComplete()
            event.status = .advertisingTimeout
            event.role = .peripheral
            event.peer = controllers[controller].advertiser.parameters.peer
            tellConnection(event, to: controller, into: &out)
        }
    }

    /// An advertisement was on the air until now: whoever listened has heard it, and may answer.
    private mutating func endAdvertisement(_ controller: Int, at now: Instant, into out: inout [RadioOutput]) {
        // Nobody is there who could hear the rest of the event either.
        guard !seekers.isEmpty || injections > 0 || air.settings.capturesAir else { return planNextEvent(controller) }
        let start = controllers[controller].advertiser.event.packetStart
        let channel = controllers[controller].advertiser.event.channel
        // A link that needed the radio meanwhile came first.
        if controllers[controller].radioTime.overlaps(start, now) {
            return planNextPacket(controller, at: now)
        }
        if air.settings.capturesAir {
            captureAdvertising(controllers[controller].advertiser.packet, from: start, channel, into: &out)
        }
        controllers[controller].advertiser.replies.removeAll(keepingCapacity: true)
        let place = Int(channel - 37)
        for position in 0..<listeners[place].count {
            let listener = Int(listeners[place][position])
            if listener != controller {
                hear(controller, by: listener, from: start, to: now, into: &out)
            }
        }
        if injections > 0 { takeInjected(controller) }
        if controllers[controller].advertiser.replies.isEmpty {
            planNextPacket(controller, at: now)
        } else {
            planRequest(controller, at: now)
        }
    }

    /// One answer of a test, where one waits.
    private mutating func takeInjected(_ controller: Int) {
        guard var octets = controllers[controller].advertiser.injected.first else { return }
        controllers[controller].advertiser.injected.removeFirst()
        injections -= 1
        CRC24.append(to: &octets, initial: CRC24.advertisingInit)
        controllers[controller].advertiser.replies.append(
            Advertiser.Reply(controller: -1, octets: octets, isConnect: false))
    }

    /// Answers begin one inter frame space after the advertisement; the longest decides when all are over.
    private mutating func planRequest(_ controller: Int, at now: Instant) {
        var longest = 0
        for reply in controllers[controller].advertiser.replies {
            longest = max(longest, max(0, reply.octets.count - 5))
        }
        controllers[controller].advertiser.event.step = .request
        let end = now + AirTime.interFrameSpace + AirTime.packet(payload: longest, on: .le1M)
        plan(.advertise, controller, controllers[controller].advertiser.stamp, at: end)
    }

    /// Answers were on the air until now. The strongest is received. [Vol 6, Part B, 4.4.2.3]
    private mutating func endRequest(_ controller: Int, at now: Instant, into out: inout [RadioOutput]) {
        let replies = controllers[controller].advertiser.replies
        controllers[controller].advertiser.replies.removeAll(keepingCapacity: true)
        let received = strongest(of: replies, at: controller, end: now, into: &out)
        var answers = false
        var peripheralOf: Int?
        if let received {
            let packet = decoded(received.octets)
            switch packet?.payload {
            case .scanReq(let request) where controllers[controller].answersScan(request, packet?.header):
                answers = true
            case .connectInd(let connect) where answersConnect(connect, packet?.header, by: controller):
                peripheralOf = received.controller
            default: break
            }
        }
        for reply in replies where reply.isConnect && controllers[reply.controller].isPresent {
            finishInitiating(
                reply, advertiser: controller, isAccepted: peripheralOf == reply.controller, at: now, into: &out)
        }
        if let peripheralOf, peripheralOf < 0, let received {
            // A hostile CONNECT_IND without a controller behind it makes a link that nobody serves.
            acceptForeign(received.octets, advertiser: controller, at: now, into: &out)
        }
        guard controllers[controller].advertiser.isEnabled else { return }
        if answers {
            controllers[controller].advertiser.replies = replies.filter { !$0.isConnect }
            controllers[controller].advertiser.event.step = .scanResponse
            let count = controllers[controller].advertiser.scanResponsePacket.count - 5
            let end = now + AirTime.interFrameSpace + AirTime.packet(payload: count, on: .le1M)
            plan(.advertise, controller, controllers[controller].advertiser.stamp, at: end)
        } else {
            for reply in replies where !reply.isConnect { finishScanRequest(reply.controller, answered: false) }
            planNextPacket(controller, at: now)
        }
    }

    private mutating func endScanResponse(_ controller: Int, at now: Instant, into out: inout [RadioOutput]) {
        let advertiser = controllers[controller].advertiser
        controllers[controller].advertiser.replies.removeAll(keepingCapacity: true)
        let start = now - AirTime.packet(payload: advertiser.scanResponsePacket.count - 5, on: .le1M)
        let wasSent = !controllers[controller].radioTime.overlaps(start, now)
        if wasSent {
            captureAdvertising(advertiser.scanResponsePacket, from: start, advertiser.event.channel, into: &out)
        }
        for reply in advertiser.replies {
            let heard =
                wasSent && hearScanResponse(of: controller, by: reply.controller, from: start, to: now, into: &out)
            finishScanRequest(reply.controller, answered: heard)
        }
        planNextPacket(controller, at: now)
    }

    func captureAdvertising(
        _ octets: [UInt8], from start: Instant, _ channel: UInt8, into out: inout [RadioOutput]
    ) {
        capture(
            octets, from: start, channel: channel, phy: .le1M, accessAddress: AccessAddress.advertising,
            crcInit: CRC24.advertisingInit, rssi: Int8(clamping: -Int(air.settings.pathLoss.atOneMetre)),
            .advertising, into: &out)
    }

    /// Header and payload of a packet with its CRC; nil where a receiver would drop it.
    func decoded(_ octets: [UInt8]) -> LLAdvertisingPacket? {
        guard octets.count >= 5, CRC24.isValid(octets, initial: CRC24.advertisingInit) else { return nil }
        return try? unsafe LLAdvertisingPacket(decoding: octets.span.bytes.extracting(first: octets.count - 3))
    }
}
