import BLEWire

/// Events of periodic advertising. [Vol 6, Part B, 4.4.2.12]
extension Radio {
    func isPeriodicOn(_ advertiser: Int) -> Bool {
        advertisers[advertiser].set.periodic.map { trains[$0].isEnabled } ?? false
    }

    /// The train of a set; one is made for a set without.
    mutating func train(of advertiser: Int) -> Int {
        if let known = advertisers[advertiser].set.periodic { return known }
        let place = trains.firstIndex { !$0.isUsed } ?? trains.count
        var train = PeriodicTrain()
        train.owner = advertisers[advertiser].owner
        train.advertiser = advertiser
        if place == trains.count {
            trains.append(train)
        } else {
            train.stamp = trains[place].stamp &+ 1
            trains[place] = train
        }
        advertisers[advertiser].set.periodic = place
        return place
    }

    mutating func removePeriodic(of advertiser: Int) {
        guard let place = advertisers[advertiser].set.periodic else { return }
        stopPeriodic(place)
        trains[place].isUsed = false
        advertisers[advertiser].set.periodic = nil
    }

    /// Begins the train of a set that advertises, where the host wants it and it doesn't run. [Vol 4, Part E, 7.8.63]
    mutating func startPeriodic(of advertiser: Int, at now: Instant) {
        guard let place = advertisers[advertiser].set.periodic, trains[place].isEnabled, !trains[place].isRunning,
            advertisers[advertiser].isEnabled
        else { return }
        let owner = trains[place].owner
        trains[place].isRunning = true
        trains[place].stamp &+= 1
        trains[place].accessAddress = AccessAddress.random(using: &controllers[owner].timing)
        trains[place].crcInit = UInt32(truncatingIfNeeded: controllers[owner].timing.below(1 << 24))
        trains[place].channels = controllers[owner].defaults.channels
        trains[place].counter = 0
        let wait = controllers[owner].timing.below(UInt64(trains[place].parameters.intervalMinimum))
        trains[place].start = now + .microseconds(Int64(wait + 1) * 1250)
        plan(.periodic, place, trains[place].stamp, at: trains[place].start)
    }

    mutating func stopPeriodic(_ place: Int) {
        trains[place].isEnabled = false
        trains[place].isRunning = false
        trains[place].packets = []
        trains[place].stamp &+= 1
    }

    /// SyncInfo of a set whose train runs.
    func addSync(_ advertiser: Int, to fields: inout LLExtendedHeader, at start: Instant) {
        guard let place = advertisers[advertiser].set.periodic, trains[place].isRunning else { return }
        fields.flags.insert(.syncInfo)
        fields.syncInfo = trains[place].syncInfo(at: start)
    }

    mutating func stepPeriodic(_ place: Int, at now: Instant, into out: inout [RadioOutput]) {
        guard trains[place].packets.isEmpty else { return endPeriodicPacket(place, at: now, into: &out) }
        let owner = trains[place].owner
        // Receivers that don't leave this event out.
        var followers: [Int] = []
        for index in syncs.indices where syncs[index].isUsed && syncs[index].train == place {
            guard syncs[index].accessAddress == trains[place].accessAddress else { continue }
            if syncs[index].left > 0 { syncs[index].left -= 1 } else { followers.append(index) }
        }
        guard !followers.isEmpty || air.settings.capturesAir else { return planNextPeriodic(place) }
        // A link, or another set, that is sending comes first.
        guard controllers[owner].radioTime.until <= now, controllers[owner].advertisingUntil <= now else {
            return planNextPeriodic(place)
        }
        trains[place].followers = followers
        encodePeriodic(place)
        planPeriodicPacket(place)
    }

    private mutating func planNextPeriodic(_ place: Int) {
        trains[place].packets = []
        trains[place].counter &+= 1
        trains[place].start = trains[place].start + trains[place].interval
        plan(.periodic, place, trains[place].stamp, at: trains[place].start)
    }

    private mutating func planPeriodicPacket(_ place: Int) {
        let packet = trains[place].packets[trains[place].position]
        let phy = advertisers[trains[place].advertiser].set.secondaryPHY
        plan(
            .periodic, place, trains[place].stamp,
            at: packet.start + AirTime.packet(payload: packet.octets.count - 5, on: phy))
    }

    /// AUX_SYNC_IND and as many AUX_CHAIN_INDs as the data needs. [Vol 6, Part B, 2.3.1.9]
    private mutating func encodePeriodic(_ place: Int) {
        let train = trains[place]
        let phy = advertisers[train.advertiser].set.secondaryPHY
        var rest = train.data[...]
        var (start, channel) = (train.start, train.channel)
        var fields = LLExtendedHeader()
        if train.parameters.properties & 1 << 6 != 0 {
            fields.flags = .transmitPower
            fields.transmitPower = controllers[train.owner].profile.transmitPower
        }
        var packets: [AuxiliaryTrain.Packet] = []
        repeat {
            if rest.count > 254 - LLExtendedHeader.length(fields.flags) { fields.flags.insert(.pointer) }
            let part = rest.prefix(254 - LLExtendedHeader.length(fields.flags))
            rest = rest.dropFirst(part.count)
            let length = 1 + LLExtendedHeader.length(fields.flags) + part.count
            let next = start + AirTime.packet(payload: length, on: phy) + Self.auxiliarySpace
            let nextChannel = rest.isEmpty ? channel : drawSecondaryChannel(train.owner)
            if !rest.isEmpty {
                fields.pointer = AuxiliaryPointer(channel: nextChannel, offset: next - start, phy: phy.mask)
            }
            packets.append(
                AuxiliaryTrain.Packet(
                    octets: Self.periodicPacket(fields, data: Array(part), crcInit: train.crcInit), channel: channel,
                    start: start))
            (start, channel, fields) = (next, nextChannel, LLExtendedHeader())
        } while !rest.isEmpty
        trains[place].packets = packets
        trains[place].position = 0
        controllers[train.owner].advertisingUntil = max(controllers[train.owner].advertisingUntil, start)
    }

    private static func periodicPacket(_ fields: LLExtendedHeader, data: [UInt8], crcInit: UInt32) -> [UInt8] {
        guard let payload = try? LLExtendedAdvertising(mode: .neither, header: fields, data: data),
            var octets = try? LLAdvertisingPacket(
                header: AdvertisingHeader(type: .advExtInd), payload: .extended(payload)
            ).encoded()
        else { return [] }
        CRC24.append(to: &octets, initial: crcInit)
        return octets
    }

    /// A packet of the train was on the air until now.
    private mutating func endPeriodicPacket(_ place: Int, at now: Instant, into out: inout [RadioOutput]) {
        let train = trains[place]
        let packet = train.packets[train.position]
        let phy = advertisers[train.advertiser].set.secondaryPHY
        guard !controllers[train.owner].radioTime.overlaps(packet.start, now) else {
            for index in train.followers { loseSync(index, into: &out) }
            return planNextPeriodic(place)
        }
        capture(
            packet.octets, from: packet.start, channel: packet.channel, phy: phy, accessAddress: train.accessAddress,
            crcInit: train.crcInit, rssi: Int8(clamping: -Int(air.settings.pathLoss.atOneMetre)), .advertising,
            into: &out)
        trains[place].followers = []
        for index in train.followers {
            if hearPeriodic(packet, of: train, by: index, at: now, into: &out) { trains[place].followers.append(index) }
        }
        let hasMore = train.position + 1 < train.packets.count
        guard hasMore, !trains[place].followers.isEmpty || air.settings.capturesAir else {
            return planNextPeriodic(place)
        }
        trains[place].position += 1
        planPeriodicPacket(place)
    }
}
