import BLEWire

/// Which answers to an advertisement arrive, and which of them are taken. [Vol 6, Part B, 4.4.2.3]
extension Radio {
    /// The answer that is received: all begin at the same moment, and the strongest wins; of equals, one by chance.
    mutating func strongest(
        of replies: [Advertiser.Reply], at advertiser: Int, end: Instant, into out: inout [RadioOutput]
    ) -> Advertiser.Reply? {
        var best: Advertiser.Reply?
        var bestLevel = Int.min
        var equals: UInt64 = 1
        let owner = advertisers[advertiser].owner
        let channel = advertisers[advertiser].event.channel
        let phy = advertisers[advertiser].event.phy
        for reply in replies {
            var octets = reply.octets
            // The answer may be over before the longest one is.
            let start = end - AirTime.packet(payload: max(0, octets.count - 5), on: phy)
            captureAdvertising(octets, from: start, channel, phy, into: &out)
            guard let level = level(of: reply, at: advertiser, corrupting: &octets) else { continue }
            if level > bestLevel {
                (best, bestLevel, equals) = (reply, level, 1)
                best?.octets = octets
            } else if level == bestLevel {
                equals += 1
                if controllers[owner].timing.below(equals) == 0 {
                    best = reply
                    best?.octets = octets
                }
            }
        }
        return best
    }

    /// How strong an answer arrives; nil where it isn't heard, or isn't sent because its sender has stopped.
    private mutating func level(
        of reply: Advertiser.Reply, at advertiser: Int, corrupting octets: inout [UInt8]
    ) -> Int? {
        // One that a test put on the air is the strongest of all.
        guard reply.controller >= 0 else { return Int(Int8.max) + 1 }
        let sender = controllers[reply.controller]
        guard sender.isPresent, reply.isConnect ? sender.initiator.isEnabled : sender.scanner.isEnabled else {
            return nil
        }
        let owner = advertisers[advertiser].owner
        let reception = air.receive(
            from: reply.controller, to: owner, power: sender.profile.transmitPower, using: &controllers[owner].fading)
        switch reception {
        case .lost: return nil
        case .heard(let rssi): return Int(rssi)
        case .corrupted(let rssi):
            controllers[owner].corrupt(&octets)
            return Int(rssi)
        }
    }

    mutating func finishScanRequest(_ scanner: Int, answered: Bool) {
        guard scanner >= 0 else { return }
        controllers[scanner].finishScanRequest(answered: answered)
    }

    /// A CONNECT_IND of this controller was on the air: it is in the Connection state, whoever has heard it.
    /// [Vol 6, Part B, 4.4.4], [Vol 6, Part B, 4.5]
    mutating func finishInitiating(
        _ reply: Advertiser.Reply, advertiser: Int, isAccepted: Bool, at now: Instant, into out: inout [RadioOutput]
    ) {
        let central = reply.controller
        guard central >= 0, controllers[central].initiator.isEnabled,
            let packet = decoded(reply.octets), case .connectInd(let connect) = packet.payload
        else { return }
        guard controllers[central].hasRoomAsCentral else {
            stopInitiating(central, at: now)
            let sender = DeviceAddress(connect.advertiser, packet.header.receiverKind)
            let peer = controllers[central].identity(of: sender) ?? sender
            var event = LEConnectionComplete()
            event.status = .connectionLimitExceeded
            event.peer = peer
            tellConnection(event, to: central, into: &out)
            return tellState(of: central, into: &out)
        }
        let link = makeLink(connect, usesSelection2: packet.header.channelSelection2 && offersSelection2(advertiser))
        let window = now + Radio.transmitWindowDelay
        becomeCentral(central, of: link, connect, packet.header, window: window, at: now, into: &out)
        if isAccepted {
            becomePeripheral(advertiser, of: link, connect, packet.header, window: window, at: now, into: &out)
        }
        plan(.link, link, links[link].stamp, at: ends[2 * link].timing.nextAnchor)
        tellState(of: central, into: &out)
    }

    /// A CONNECT_IND that a test put on the air was accepted: the link has one end only.
    mutating func acceptForeign(
        _ octets: [UInt8], advertiser: Int, at now: Instant, into out: inout [RadioOutput]
    ) {
        guard let packet = decoded(octets), case .connectInd(let connect) = packet.payload else { return }
        let link = makeLink(connect, usesSelection2: packet.header.channelSelection2 && offersSelection2(advertiser))
        becomePeripheral(
            advertiser, of: link, connect, packet.header, window: now + Radio.transmitWindowDelay, at: now, into: &out)
    }

    /// An initiator has the link; its transmit window opens at `window` or later.
    mutating func becomeCentral(
        _ controller: Int, of link: Int, _ connect: LLConnectInd, _ header: AdvertisingHeader, window: Instant,
        at now: Instant, into out: inout [RadioOutput]
    ) {
        stopInitiating(controller, at: now)
        let sender = DeviceAddress(connect.advertiser, header.receiverKind)
        let own = DeviceAddress(connect.initiator, header.transmitterKind)
        let peer = controllers[controller].identity(of: sender) ?? sender
        openEnd(
            2 * link, of: controller, peer: peer, onAir: (local: own, peer: sender), connect, window: window, at: now,
            into: &out)
    }

    /// An advertiser has the link, and doesn't advertise any more.
    mutating func becomePeripheral(
        _ advertiser: Int, of link: Int, _ connect: LLConnectInd, _ header: AdvertisingHeader, window: Instant,
        at now: Instant, into out: inout [RadioOutput]
    ) {
        stopAdvertising(advertiser)
        let controller = advertisers[advertiser].owner
        let sender = DeviceAddress(connect.initiator, header.transmitterKind)
        let own = DeviceAddress(connect.advertiser, header.receiverKind)
        let peer = controllers[controller].identity(of: sender) ?? sender
        openEnd(
            2 * link + 1, of: controller, peer: peer, onAir: (local: own, peer: sender), connect, window: window,
            at: now, into: &out)
        terminateSet(advertiser, .success, link: ends[2 * link + 1].handle, into: &out)
        tellState(of: controller, into: &out)
    }

    private func offersSelection2(_ advertiser: Int) -> Bool {
        controllers[advertisers[advertiser].owner].profile.usesChannelSelection2
    }
}

extension Radio {
    /// Whether the advertising of a controller ends in a link with the sender of a CONNECT_IND.
    mutating func answersConnect(_ connect: LLConnectInd, _ header: AdvertisingHeader?, by place: Int) -> Bool {
        let advertiser = advertisers[place]
        let controller = advertiser.owner
        guard let header, controllers[controller].hasRoomAsPeripheral, connect.isValid else { return false }
        guard advertiser.isEnabled, advertiser.isConnectable, connect.advertiser == advertiser.address.bits,
            header.receiverKind == advertiser.address.kind
        else { return false }
        let sender = DeviceAddress(connect.initiator, header.transmitterKind)
        guard let initiator = controllers[controller].identity(of: sender) else { return false }
        // Two devices have one link at most. [Vol 6, Part B, 4.5]
        guard !isLinked(controller, with: initiator) else { return false }
        if advertiser.isDirected { return initiator.unresolved == advertiser.parameters.peer.unresolved }
        return advertiser.parameters.filterPolicy & 2 == 0 || controllers[controller].accepts(initiator)
    }

    /// Whether advertising answers a SCAN_REQ. [Vol 6, Part B, 4.4.2.3], [Vol 6, Part B, 4.3.2]
    mutating func answersScan(_ request: LLScanReq, _ header: AdvertisingHeader?, by place: Int) -> Bool {
        // Field by field: a copy of the whole would cost a reference count for each of its arrays, and a question that it
        // answers by itself makes one.
        let type = advertisers[place].parameters.type.rawValue
        let isScannable =
            advertisers[place].isExtended
            ? advertisers[place].set.parameters.properties.rawValue & LEAdvertisingProperties.scannable.rawValue != 0
            : type == LEAdvertisingType.connectableAndScannable.rawValue || type == LEAdvertisingType.scannable.rawValue
        guard let header, advertisers[place].isEnabled, isScannable,
            request.advertiser == advertisers[place].address.bits,
            header.receiverKind == advertisers[place].address.kind
        else { return false }
        let owner = advertisers[place].owner
        let sender = DeviceAddress(request.scanner, header.transmitterKind)
        guard let scanner = controllers[owner].identity(of: sender) else { return false }
        return advertisers[place].parameters.filterPolicy & 1 == 0 || controllers[owner].accepts(scanner)
    }

    func isLinked(_ controller: Int, with peer: DeviceAddress) -> Bool {
        controllers[controller].links.ends.contains { ends[$0].peer == peer.unresolved }
    }
}

extension Controller {
    /// Turns one bit of a packet over on its way to this controller.
    mutating func corrupt(_ octets: inout [UInt8]) {
        guard !octets.isEmpty else { return }
        let bit = Int(fading.below(UInt64(octets.count * 8)))
        octets[bit / 8] ^= 1 << (bit % 8)
    }

    mutating func finishScanRequest(answered: Bool) {
        scanner.backoff.finish(answered: answered, using: &timing)
    }
}
