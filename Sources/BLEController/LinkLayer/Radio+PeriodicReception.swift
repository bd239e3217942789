import BLEWire

/// Receivers of periodic advertising. [Vol 6, Part B, 4.4.3.4]
extension Radio {
    /// An AUX_ADV_IND with SyncInfo was heard: the host may have been looking for it.
    mutating func considerSync(
        _ fields: LLExtendedHeader, _ identity: DeviceAddress, of advertiser: Int, by listener: Int, at now: Instant
    ) {
        let setIdentifier = UInt8(fields.dataInfo >> 12)
        guard controllers[listener].periodic.accepts(identity, setIdentifier),
            let wanted = controllers[listener].periodic.wanted,
            let place = advertisers[advertiser].set.periodic,
            trains[place].accessAddress == fields.syncInfo.accessAddress,
            !syncs.contains(where: { $0.isUsed && $0.controller == listener && $0.train == place })
        else { return }
        controllers[listener].periodic.wanted = nil
        var sync = PeriodicSync(
            controller: listener, train: place, accessAddress: fields.syncInfo.accessAddress,
            handle: takeSyncHandle(listener), setIdentifier: setIdentifier, advertiser: identity, skip: wanted.skip,
            timeout: .milliseconds(Int64(wanted.timeout) * 10), lastHeard: now)
        let index = syncs.firstIndex { !$0.isUsed } ?? syncs.count
        if index == syncs.count {
            syncs.append(sync)
        } else {
            sync.stamp = syncs[index].stamp
            syncs[index] = sync
        }
        armSync(index)
    }

    private mutating func takeSyncHandle(_ controller: Int) -> UInt16 {
        repeat {
            let last = controllers[controller].periodic.lastHandle
            controllers[controller].periodic.lastHandle = last >= 0x0EFF ? 0 : last + 1
        } while sync(controllers[controller].periodic.lastHandle, of: controller) != nil
        return controllers[controller].periodic.lastHandle
    }

    /// The place of what a controller follows under a handle.
    func sync(_ handle: UInt16, of controller: Int) -> Int? {
        syncs.firstIndex { $0.isUsed && $0.controller == controller && $0.handle == handle }
    }

    private mutating func armSync(_ index: Int) {
        syncs[index].stamp &+= 1
        let deadline = syncs[index].deadline(interval: trains[syncs[index].train].interval)
        plan(.syncTimeout, index, syncs[index].stamp, at: deadline)
    }

    mutating func releaseSync(_ index: Int) {
        syncs[index].isUsed = false
        syncs[index].stamp &+= 1
    }

    /// It wasn't heard for its time-out.
    mutating func stepSyncTimeout(_ index: Int, at now: Instant, into out: inout [RadioOutput]) {
        let sync = syncs[index]
        // It may have been heard since this was planned.
        guard sync.deadline(interval: trains[sync.train].interval) <= now else { return armSync(index) }
        releaseSync(index)
        guard sync.isEstablished else { return tellSync(sync, .failedToBeEstablished, into: &out) }
        let event = LEPeriodicAdvertisingSyncLost(handle: ConnectionHandle(rawValue: sync.handle))
        send(
            .lePeriodicAdvertisingSyncLost(event), .periodicAdvertisingSyncLost, to: sync.controller, into: &out)
    }

    private mutating func tellSync(_ sync: PeriodicSync, _ status: HCIStatus, into out: inout [RadioOutput]) {
        let train = trains[sync.train]
        let event = LEPeriodicAdvertisingSyncEstablished(
            status: status, handle: ConnectionHandle(rawValue: sync.handle), setIdentifier: sync.setIdentifier,
            advertiser: sync.advertiser, phy: LEPHY(advertisers[train.advertiser].set.secondaryPHY),
            interval: train.parameters.intervalMinimum)
        send(
            .lePeriodicAdvertisingSyncEstablished(event), .periodicAdvertisingSyncEstablished, to: sync.controller,
            into: &out)
    }

    /// A packet of a train was on the air; answers whether its receiver waits for the next one of the event.
    mutating func hearPeriodic(
        _ packet: AuxiliaryTrain.Packet, of train: PeriodicTrain, by index: Int, at now: Instant,
        into out: inout [RadioOutput]
    ) -> Bool {
        let listener = syncs[index].controller
        guard syncs[index].isUsed, controllers[listener].isPresent,
            !controllers[listener].radioTime.overlaps(packet.start, now),
            let heard = receivePeriodic(packet, of: train, by: listener)
        else {
            loseSync(index, into: &out)
            return false
        }
        syncs[index].lastHeard = now
        if !syncs[index].isEstablished {
            syncs[index].isEstablished = true
            tellSync(syncs[index], .success, into: &out)
            armSync(index)
        }
        let isLast = !heard.fields.flags.contains(.pointer)
        tell(heard, isLast: isLast, to: index, into: &out)
        syncs[index].hasReported = !isLast
        if isLast { syncs[index].left = syncs[index].skip }
        return !isLast
    }

    private mutating func receivePeriodic(
        _ packet: AuxiliaryTrain.Packet, of train: PeriodicTrain, by listener: Int
    ) -> (payload: LLExtendedAdvertising, fields: LLExtendedHeader, rssi: Int8)? {
        var octets = packet.octets
        let level: Int8
        switch air.receive(
            from: train.owner, to: listener, power: controllers[train.owner].profile.transmitPower,
            using: &controllers[listener].fading)
        {
        case .lost: return nil
        case .heard(let rssi): level = rssi
        case .corrupted(let rssi):
            level = rssi
            controllers[listener].corrupt(&octets)
        }
        guard CRC24.isValid(octets, initial: train.crcInit),
            let read = try? LLAdvertisingPacket(decoding: Array(octets.dropLast(3))),
            case .extended(let payload) = read.payload, let fields = try? payload.fields()
        else { return nil }
        return (payload, fields, level)
    }

    /// Tells a part of the data, in as many reports as it needs. [Vol 4, Part E, 7.7.65.15]
    private mutating func tell(
        _ heard: (payload: LLExtendedAdvertising, fields: LLExtendedHeader, rssi: Int8), isLast: Bool, to index: Int,
        into out: inout [RadioOutput]
    ) {
        var report = LEPeriodicAdvertisingReport(
            handle: ConnectionHandle(rawValue: syncs[index].handle), rssi: heard.rssi)
        if heard.fields.flags.contains(.transmitPower) { report.transmitPower = heard.fields.transmitPower }
        var rest = heard.payload.data[...]
        repeat {
            report.data = Array(rest.prefix(247))
            rest = rest.dropFirst(247)
            report.dataStatus = isLast && rest.isEmpty ? 0 : 1
            send(
                .lePeriodicAdvertisingReport(report), .periodicAdvertisingReport, to: syncs[index].controller,
                into: &out)
        } while !rest.isEmpty
    }

    /// The rest of an event is lost: the host hears of it if it was told of a part.
    mutating func loseSync(_ index: Int, into out: inout [RadioOutput]) {
        guard syncs[index].isUsed, syncs[index].hasReported else { return }
        syncs[index].hasReported = false
        let report = LEPeriodicAdvertisingReport(
            handle: ConnectionHandle(rawValue: syncs[index].handle), dataStatus: 2)
        send(
            .lePeriodicAdvertisingReport(report), .periodicAdvertisingReport, to: syncs[index].controller, into: &out)
    }
}
