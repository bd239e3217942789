import BLEWire

/// Answers to AUX_ADV_IND, and links that begin on secondary channels. [Vol 6, Part B, 4.4.2.3], [Vol 6, Part B, 4.4.4]
extension Radio {
    /// transmitWindowDelay after an AUX_CONNECT_REQ. [Vol 6, Part B, 4.5.3]
    static func transmitWindowDelay(on phy: PhysicalLayer) -> Delay { .microseconds(phy.isCoded ? 3750 : 2500) }

    /// Answers with AUX_CONNECT_REQ where the advertiser is one to connect to; says whether it did.
    mutating func answerAuxConnect(
        _ sender: DeviceAddress, _ identity: DeviceAddress, by initiator: Int, advertiser: Int, at now: Instant
    ) -> Bool {
        guard controllers[initiator].initiator.isEnabled, controllers[initiator].initiator.isExtended,
            controllers[initiator].initiates(to: identity), !isLinked(initiator, with: identity),
            let own = controllers[initiator].ownAddress(
                controllers[initiator].initiator.parameters.ownAddressType, towards: identity)
        else { return false }
        let phy = advertisers[advertiser].event.phy
        let connect = makeConnectInd(
            from: own, to: sender, by: initiator, on: phy.mask,
            window: now + AirTime.interFrameSpace + AirTime.packet(payload: 34, on: phy)
                + Self.transmitWindowDelay(on: phy))
        // ChSel is reserved here: algorithm #2 is used in any case. [Vol 6, Part B, 2.3.3.1]
        let packet = LLAdvertisingPacket(
            header: AdvertisingHeader(
                type: .connectInd, transmitterIsRandom: own.isRandom, receiverIsRandom: sender.isRandom),
            payload: .connectInd(connect))
        reply(packet, by: initiator, to: advertiser, isConnect: true, at: now)
        return true
    }

    /// The answers to an AUX_ADV_IND are over: one is taken, or none.
    mutating func finishAuxiliaryRequest(
        _ advertiser: Int, _ replies: [Advertiser.Reply], accepted: Advertiser.Reply?, answers: Bool, at now: Instant,
        into out: inout [RadioOutput]
    ) {
        for reply in replies where reply.controller >= 0 { controllers[reply.controller].conversationEnd = now }
        let asked = replies.filter { !$0.isConnect }.map(\.controller)
        if let accepted, let packet = decoded(accepted.octets), case .connectInd(let connect) = packet.payload {
            for scanner in asked { finishScanRequest(scanner, answered: false) }
            return planConnectResponse(advertiser, accepted, connect, packet.header, at: now)
        }
        guard answers else {
            advertisers[advertiser].set.train.followers = []
            for scanner in asked { finishScanRequest(scanner, answered: false) }
            return planNextEvent(advertiser, at: now)
        }
        advertisers[advertiser].set.train.followers.removeAll { !asked.contains($0.controller) }
        advertisers[advertiser].set.train.start = now + AirTime.interFrameSpace
        advertisers[advertiser].set.train.channel = advertisers[advertiser].event.channel
        encodeTrain(advertiser, isResponse: true)
        planAuxiliary(advertiser)
    }

    private mutating func planConnectResponse(
        _ advertiser: Int, _ reply: Advertiser.Reply, _ connect: LLConnectInd, _ header: AdvertisingHeader,
        at now: Instant
    ) {
        let response = LLAdvertisingPacket(
            header: AdvertisingHeader(
                type: .auxConnectRsp, transmitterIsRandom: advertisers[advertiser].address.isRandom,
                receiverIsRandom: header.transmitterKind == .randomDevice),
            payload: .auxConnectRsp(LLAuxConnectRsp(advertiser: connect.advertiser, target: connect.initiator)))
        guard var octets = try? response.encoded() else { return planNextEvent(advertiser, at: now) }
        CRC24.append(to: &octets, initial: CRC24.advertisingInit)
        advertisers[advertiser].set.train.followers = []
        advertisers[advertiser].set.accepted = (reply, now)
        advertisers[advertiser].set.connectResponse = octets
        advertisers[advertiser].event.step = .connectResponse
        let airTime = AirTime.packet(payload: octets.count - 5, on: advertisers[advertiser].event.phy)
        let end = now + AirTime.interFrameSpace + airTime
        holdForSet(advertiser, until: end)
        if reply.controller >= 0 { controllers[reply.controller].conversationEnd = end }
        plan(.advertise, advertiser, advertisers[advertiser].stamp, at: end)
    }

    /// AUX_CONNECT_RSP was on the air: the advertiser is in the Connection state, and so is the initiator if it has
    /// heard it. [Vol 6, Part B, 4.5]
    mutating func endConnectResponse(_ advertiser: Int, at now: Instant, into out: inout [RadioOutput]) {
        guard let accepted = advertisers[advertiser].set.accepted.take(),
            let packet = decoded(accepted.reply.octets), case .connectInd(let connect) = packet.payload
        else { return planNextEvent(advertiser, at: now) }
        let phy = advertisers[advertiser].event.phy
        let octets = advertisers[advertiser].set.connectResponse
        captureAdvertising(
            octets, from: now - AirTime.packet(payload: octets.count - 5, on: phy),
            advertisers[advertiser].event.channel, phy, into: &out)
        let link = makeLink(connect, usesSelection2: true)
        for end in [2 * link, 2 * link + 1] {
            ends[end].phys.transmit = phy
            ends[end].phys.receive = phy
        }
        let window = accepted.at + Self.transmitWindowDelay(on: phy)
        let central = accepted.reply.controller
        let isHeard = hearsResponse(octets, of: advertiser, by: central)
        if isHeard { becomeCentral(central, of: link, connect, packet.header, window: window, at: now, into: &out) }
        becomePeripheral(advertiser, of: link, connect, packet.header, window: window, at: now, into: &out)
        guard isHeard else { return }
        plan(.link, link, links[link].stamp, at: ends[2 * link].timing.nextAnchor)
        tellState(of: central, into: &out)
    }

    /// Whether an initiator has heard the AUX_CONNECT_RSP, and may make the link.
    private mutating func hearsResponse(_ octets: [UInt8], of advertiser: Int, by central: Int) -> Bool {
        guard central >= 0, controllers[central].isPresent, controllers[central].initiator.isEnabled,
            controllers[central].hasRoomAsCentral
        else { return false }
        let owner = advertisers[advertiser].owner
        var octets = octets
        switch air.receive(
            from: owner, to: central, power: controllers[owner].profile.transmitPower,
            using: &controllers[central].fading)
        {
        case .lost: return false
        case .heard: break
        case .corrupted: controllers[central].corrupt(&octets)
        }
        if case .auxConnectRsp = decoded(octets)?.payload { return true }
        return false
    }
}
