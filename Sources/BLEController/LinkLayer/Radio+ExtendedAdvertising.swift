import BLEWire

/// The packets of extended advertising events. [Vol 6, Part B, 4.4.2]
extension Radio {
    /// The space before an auxiliary packet: the unit of a pointer more than the least, since the pointer names the unit
    /// that the packet begins in. [Vol 6, Part B, 2.3.4.5]
    static var auxiliarySpace: Delay { AirTime.auxiliaryFrameSpace + .microseconds(30) }

    /// When and where the packets of an event will be. Those behind the pointers are made when somebody has read one.
    mutating func prepareExtendedEvent(_ advertiser: Int, at now: Instant) {
        let owner = advertisers[advertiser].owner
        advertisers[advertiser].event.phy = advertisers[advertiser].set.primaryPHY
        var train = AuxiliaryTrain()
        train.channel = drawSecondaryChannel(owner)
        advertisers[advertiser].set.train = train
        encodePointer(advertiser, on: 37, at: now)
        let count = Int64(advertisers[advertiser].event.channelMap.nonzeroBitCount)
        let airTime = advertisers[advertiser].event.airTime
        let last = now + (airTime + advertisers[advertiser].event.gap) * (count - 1)
        advertisers[advertiser].set.train.start = last + airTime + Self.auxiliarySpace
    }

    mutating func drawSecondaryChannel(_ controller: Int) -> UInt8 {
        let map = controllers[controller].defaults.channels
        return map.channel(at: Int(controllers[controller].timing.below(UInt64(map.count))))
    }

    /// ADV_EXT_IND: where the rest is, or everything where there is no rest. [Vol 6, Part B, 2.3.1.7]
    mutating func encodePointer(_ advertiser: Int, on channel: UInt8, at start: Instant) {
        let set = advertisers[advertiser].set
        var fields = LLExtendedHeader()
        if advertisers[advertiser].isAlone {
            fields.flags = .advertiser
            fields.advertiser = advertisers[advertiser].address.bits
        } else {
            fields.flags = [.dataInfo, .pointer]
            fields.dataInfo = set.dataInfo
            fields.pointer = AuxiliaryPointer(
                channel: set.train.channel, offset: max(set.train.start - start, .zero), phy: set.secondaryPHY.mask)
        }
        addPower(advertiser, to: &fields)
        let octets = extendedPacket(advertiser, mode: advertisers[advertiser].extendedMode, fields, data: [])
        advertisers[advertiser].event.airTime = AirTime.packet(payload: octets.count - 5, on: set.primaryPHY)
        advertisers[advertiser].packet = octets
    }

    private func addPower(_ advertiser: Int, to fields: inout LLExtendedHeader) {
        guard advertisers[advertiser].set.parameters.properties.contains(.includesTransmitPower) else { return }
        fields.flags.insert(.transmitPower)
        fields.transmitPower = controllers[advertisers[advertiser].owner].profile.transmitPower
    }

    /// A packet with header and CRC; the host's commands limit every field, so that encoding can't fail.
    private func extendedPacket(
        _ advertiser: Int, mode: LLExtendedAdvertising.Mode, _ fields: LLExtendedHeader, data: [UInt8],
        target: DeviceAddress? = nil
    ) -> [UInt8] {
        let header = advertisers[advertiser].extendedHeader(target: target)
        guard let payload = try? LLExtendedAdvertising(mode: mode, header: fields, data: data),
            var octets = try? LLAdvertisingPacket(header: header, payload: .extended(payload)).encoded()
        else { return [] }
        CRC24.append(to: &octets, initial: CRC24.advertisingInit)
        return octets
    }

    // MARK: Trains

    /// The packets on the primary channels are over: the train follows, where somebody listens to it.
    mutating func beginAuxiliary(_ advertiser: Int, at now: Instant) {
        let hasListeners =
            !advertisers[advertiser].set.train.followers.isEmpty || air.settings.capturesAir || injections > 0
        guard hasListeners, !advertisers[advertiser].isAlone else { return planNextEvent(advertiser, at: now) }
        encodeTrain(advertiser, isResponse: false)
        planAuxiliary(advertiser)
    }

    /// Makes AUX_ADV_IND or AUX_SCAN_RSP with as many AUX_CHAIN_INDs as the data needs. [Vol 6, Part B, 2.3.1.8]
    mutating func encodeTrain(_ advertiser: Int, isResponse: Bool) {
        let owner = advertisers[advertiser].owner
        let set = advertisers[advertiser].set
        var rest = (isResponse ? advertisers[advertiser].scanResponse : advertisers[advertiser].data)[...]
        if !isResponse, advertisers[advertiser].isScannable { rest = [] }
        var fields = LLExtendedHeader()
        fields.flags = .dataInfo
        fields.dataInfo = set.dataInfo
        if isResponse || !advertisers[advertiser].isAnonymous { fields.flags.insert(.advertiser) }
        fields.advertiser = advertisers[advertiser].address.bits
        var target: DeviceAddress?
        if !isResponse, advertisers[advertiser].isDirected {
            let named = controllers[owner].advertisingTarget(advertisers[advertiser].parameters)
            target = named
            fields.flags.insert(.target)
            fields.target = named.bits
        }
        addPower(advertiser, to: &fields)
        if !isResponse { addSync(advertiser, to: &fields, at: set.train.start) }
        let mode = isResponse ? .neither : advertisers[advertiser].extendedMode
        var packets: [AuxiliaryTrain.Packet] = []
        var start = set.train.start
        var channel = set.train.channel
        repeat {
            let room = { min(254, 254 - LLExtendedHeader.length($0)) }
            if rest.count > room(fields.flags) { fields.flags.insert(.pointer) }
            let part = rest.prefix(room(fields.flags))
            rest = rest.dropFirst(part.count)
            let length = 1 + LLExtendedHeader.length(fields.flags) + part.count
            let next = start + AirTime.packet(payload: length, on: set.secondaryPHY) + Self.auxiliarySpace
            let nextChannel = rest.isEmpty ? channel : drawSecondaryChannel(owner)
            if !rest.isEmpty {
                fields.pointer = AuxiliaryPointer(
                    channel: nextChannel, offset: next - start, phy: set.secondaryPHY.mask)
            }
            let octets = extendedPacket(
                advertiser, mode: packets.isEmpty ? mode : .neither, fields, data: Array(part), target: target)
            packets.append(AuxiliaryTrain.Packet(octets: octets, channel: channel, start: start))
            (start, channel, target) = (next, nextChannel, nil)
            fields = LLExtendedHeader()
            fields.flags = .dataInfo
            fields.dataInfo = set.dataInfo
        } while !rest.isEmpty
        advertisers[advertiser].set.train.packets = packets
        advertisers[advertiser].set.train.position = 0
        advertisers[advertiser].set.train.isResponse = isResponse
        holdForSet(advertiser, until: start)
    }

    /// Plans the end of the train's packet at hand.
    mutating func planAuxiliary(_ advertiser: Int) {
        let train = advertisers[advertiser].set.train
        let packet = train.packets[train.position]
        let phy = advertisers[advertiser].set.secondaryPHY
        advertisers[advertiser].event.step = .auxiliary
        advertisers[advertiser].event.channel = packet.channel
        advertisers[advertiser].event.phy = phy
        advertisers[advertiser].event.packetStart = packet.start
        let airTime = AirTime.packet(payload: packet.octets.count - 5, on: phy)
        advertisers[advertiser].event.airTime = airTime
        plan(.advertise, advertiser, advertisers[advertiser].stamp, at: packet.start + airTime)
    }

    /// A packet of the train was on the air until now.
    mutating func endAuxiliary(_ advertiser: Int, at now: Instant, into out: inout [RadioOutput]) {
        let position = advertisers[advertiser].set.train.position
        let packet = advertisers[advertiser].set.train.packets[position]
        let owner = advertisers[advertiser].owner
        let followers = advertisers[advertiser].set.train.followers
        advertisers[advertiser].set.train.followers = []
        // A link that needed the radio meanwhile came first: the rest of the train is lost with this packet.
        guard !controllers[owner].radioTime.overlaps(packet.start, now) else {
            for follower in followers { lose(follower, of: advertiser, into: &out) }
            return planNextEvent(advertiser, at: now)
        }
        captureAdvertising(
            packet.octets, from: packet.start, packet.channel, advertisers[advertiser].event.phy, into: &out)
        advertisers[advertiser].replies.removeAll(keepingCapacity: true)
        for follower in followers { hearAuxiliary(packet, of: advertiser, by: follower, at: now, into: &out) }
        if injections > 0, position == 0, !advertisers[advertiser].set.train.isResponse { takeInjected(advertiser) }
        let train = advertisers[advertiser].set.train
        if !advertisers[advertiser].replies.isEmpty {
            planRequest(advertiser, at: now)
        } else if position + 1 < train.packets.count, !train.followers.isEmpty || air.settings.capturesAir {
            advertisers[advertiser].set.train.position += 1
            planAuxiliary(advertiser)
        } else {
            planNextEvent(advertiser, at: now)
        }
    }
}
