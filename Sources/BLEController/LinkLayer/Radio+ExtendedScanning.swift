import BLEWire

/// What scanners and initiators do with extended advertising. [Vol 6, Part B, 4.4.3], [Vol 6, Part B, 4.4.4]
extension Radio {
    /// An ADV_EXT_IND with its CRC has arrived: the rest is elsewhere and later, or there is none.
    mutating func hearPointer(
        _ octets: [UInt8], by listener: Int, rssi: Int8, advertiser: Int, at now: Instant, into out: inout [RadioOutput]
    ) {
        guard controllers[listener].hearsExtended, let packet = decoded(octets),
            case .extended(let payload) = packet.payload, let fields = try? payload.fields()
        else { return }
        var report = LEExtendedAdvertisingReport.Report()
        report.primaryPHY = controllers[listener].listening.isCoded ? .leCoded : .le1M
        report.rssi = rssi
        if fields.flags.contains(.transmitPower) { report.transmitPower = fields.transmitPower }
        if fields.flags.contains(.pointer) {
            return follow(fields.pointer, of: advertiser, by: listener, report, at: now)
        }
        guard payload.mode == .neither, fields.flags.contains(.advertiser),
            let identity = controllers[listener].identity(
                of: DeviceAddress(fields.advertiser, packet.header.transmitterKind)),
            controllers[listener].scans(identity)
        else { return }
        report.address = identity
        let key = DuplicateFilter.Key(identity, report.type, dataInfo: nil)
        guard controllers[listener].scanner.admits(key) else { return }
        tell(payload.data, report, isLast: true, to: listener, into: &out)
    }

    /// Tunes the radio to the packet that a pointer names, unless it is wanted elsewhere by then.
    private mutating func follow(
        _ pointer: AuxiliaryPointer, of advertiser: Int, by listener: Int,
        _ report: LEExtendedAdvertisingReport.Report, at now: Instant
    ) {
        // What a test sends points to nothing.
        guard advertiser >= 0, let phy = pointer.phy, controllers[listener].profile.supportedPHYs.contains(phy),
            !advertisers[advertiser].set.train.followers.contains(where: { $0.controller == listener })
        else { return }
        let start = advertisers[advertiser].event.packetStart + pointer.offset
        // The first octets say how long it is.
        let layer = advertisers[advertiser].set.secondaryPHY
        guard controllers[listener].reserve(start, start + AirTime.packet(payload: 2, on: layer), at: now) else {
            return
        }
        var report = report
        report.secondaryPHY = LEPHY(layer)
        advertisers[advertiser].set.train.followers.append(
            AuxiliaryTrain.Follower(controller: listener, primaryPHY: report.primaryPHY, report: report))
    }

    /// A packet of a train was on the air: who has followed it hears it, or loses its track.
    mutating func hearAuxiliary(
        _ packet: AuxiliaryTrain.Packet, of advertiser: Int, by follower: AuxiliaryTrain.Follower, at now: Instant,
        into out: inout [RadioOutput]
    ) {
        var follower = follower
        let listener = follower.controller
        guard let heard = receiveAuxiliary(packet, of: advertiser, by: &follower, at: now) else {
            return lose(follower, of: advertiser, into: &out)
        }
        let isFirst = advertisers[advertiser].set.train.position == 0
        if isFirst, advertisers[advertiser].set.train.isResponse {
            finishScanRequest(listener, answered: true)
        } else if isFirst {
            guard beginReport(heard, of: advertiser, by: &follower, at: now, into: &out) else { return }
        }
        guard controllers[listener].scanner.isEnabled, controllers[listener].scanner.isExtended else { return }
        let isLast = !heard.fields.flags.contains(.pointer)
        if isLast {
            guard controllers[listener].scanner.admits(follower.key) else { return }
        } else if controllers[listener].scanner.knows(follower.key) {
            return
        }
        tell(heard.payload.data, follower.report, isLast: isLast, to: listener, into: &out)
        follower.hasReported = true
        if !isLast { advertisers[advertiser].set.train.followers.append(follower) }
        if isFirst, heard.payload.mode == .scannable { ask(heard, of: advertiser, by: follower, at: now) }
    }

    /// A packet of a train as a receiver has read it.
    struct HeardAuxiliary {
        var header: AdvertisingHeader
        var payload: LLExtendedAdvertising
        var fields: LLExtendedHeader
    }

    /// Whether the packet was received: the radio was free for it, and its CRC fits.
    private mutating func receiveAuxiliary(
        _ packet: AuxiliaryTrain.Packet, of advertiser: Int, by follower: inout AuxiliaryTrain.Follower,
        at now: Instant
    ) -> HeardAuxiliary? {
        let listener = follower.controller
        guard controllers[listener].isPresent, controllers[listener].hearsExtended,
            !controllers[listener].radioTime.overlaps(packet.start, now),
            advertisers[advertiser].set.train.isResponse || controllers[listener].conversationEnd <= packet.start
        else { return nil }
        let owner = advertisers[advertiser].owner
        let power = controllers[owner].profile.transmitPower
        var octets = packet.octets
        switch air.receive(from: owner, to: listener, power: power, using: &controllers[listener].fading) {
        case .lost: return nil
        case .heard(let rssi): follower.report.rssi = rssi
        case .corrupted(let rssi):
            follower.report.rssi = rssi
            controllers[listener].corrupt(&octets)
        }
        guard let read = decoded(octets), case .extended(let payload) = read.payload,
            let fields = try? payload.fields()
        else { return nil }
        return HeardAuxiliary(header: read.header, payload: payload, fields: fields)
    }

    /// AUX_ADV_IND: who advertises, and whether that is of interest. An initiator may answer at once.
    private mutating func beginReport(
        _ heard: HeardAuxiliary, of advertiser: Int, by follower: inout AuxiliaryTrain.Follower, at now: Instant,
        into out: inout [RadioOutput]
    ) -> Bool {
        let listener = follower.controller
        let fields = heard.fields
        if fields.flags.contains(.target) {
            let target = DeviceAddress(fields.target, heard.header.receiverKind)
            guard controllers[listener].isNamed(by: target) else { return false }
            follower.report.type.insert(.directed)
            follower.report.target = target
        }
        // 0xFF: an anonymous advertiser. [Vol 4, Part E, 7.7.65.13]
        var identity = DeviceAddress(0, DeviceAddress.Kind(rawValue: 0xFF))
        if fields.flags.contains(.advertiser) {
            let sender = DeviceAddress(fields.advertiser, heard.header.transmitterKind)
            guard let known = controllers[listener].identity(of: sender) else { return false }
            identity = known
            if heard.payload.mode == .connectable,
                answerAuxConnect(sender, identity, by: listener, advertiser: advertiser, at: now)
            {
                return false
            }
        }
        if fields.flags.contains(.syncInfo) {
            considerSync(fields, identity, of: advertiser, by: listener, at: now)
        }
        guard controllers[listener].scans(identity) else { return false }
        if heard.payload.mode == .connectable { follower.report.type.insert(.connectable) }
        if heard.payload.mode == .scannable { follower.report.type.insert(.scannable) }
        follower.report.address = identity
        follower.report.setIdentifier = fields.flags.contains(.dataInfo) ? UInt8(fields.dataInfo >> 12) : 0xFF
        follower.dataInfo = fields.flags.contains(.dataInfo) ? fields.dataInfo : nil
        if fields.flags.contains(.transmitPower) { follower.report.transmitPower = fields.transmitPower }
        if fields.flags.contains(.syncInfo) { follower.report.periodicInterval = fields.syncInfo.interval }
        return true
    }

    /// Sends an AUX_SCAN_REQ, where the scan is active and the back-off lets it; the follower then waits for the answer.
    private mutating func ask(
        _ heard: HeardAuxiliary, of advertiser: Int, by follower: AuxiliaryTrain.Follower, at now: Instant
    ) {
        let listener = follower.controller
        let isActive =
            follower.primaryPHY == .leCoded
            ? controllers[listener].scanner.isActiveOnCoded : controllers[listener].scanner.parameters.isActive
        let identity = follower.report.address
        guard isActive, heard.fields.flags.contains(.advertiser),
            let own = controllers[listener].ownAddress(
                controllers[listener].scanner.parameters.ownAddressType, towards: identity)
        else { return }
        var waiting = follower
        waiting.report.type.insert(.scanResponse)
        waiting.hasReported = false
        guard !controllers[listener].scanner.knows(waiting.key),
            controllers[listener].scanner.backoff.heardScannable()
        else { return }
        let sender = DeviceAddress(heard.fields.advertiser, heard.header.transmitterKind)
        let request = LLAdvertisingPacket(
            header: AdvertisingHeader(
                type: .scanReq, transmitterIsRandom: own.isRandom, receiverIsRandom: sender.isRandom),
            payload: .scanReq(LLScanReq(scanner: own.bits, advertiser: sender.bits)))
        reply(request, by: listener, to: advertiser, isConnect: false, at: now)
        advertisers[advertiser].set.train.followers.append(waiting)
    }

    /// A follower has lost the train: the host hears of it if it was told of a part. [Vol 4, Part E, 7.7.65.13]
    mutating func lose(
        _ follower: AuxiliaryTrain.Follower, of advertiser: Int, into out: inout [RadioOutput]
    ) {
        if advertisers[advertiser].set.train.isResponse, advertisers[advertiser].set.train.position == 0 {
            finishScanRequest(follower.controller, answered: false)
        }
        guard follower.hasReported, controllers[follower.controller].isPresent,
            controllers[follower.controller].scanner.isEnabled
        else { return }
        var report = follower.report
        report.type.insert(.truncated)
        send(report, data: 0..<0, of: [], to: follower.controller, into: &out)
    }

    /// Tells a part of the data, in as many reports as it needs. [Vol 4, Part E, 7.7.65.13]
    private mutating func tell(
        _ data: [UInt8], _ report: LEExtendedAdvertisingReport.Report, isLast: Bool, to listener: Int,
        into out: inout [RadioOutput]
    ) {
        var start = 0
        repeat {
            let end = min(start + 229, data.count)
            var part = report
            if !isLast || end < data.count { part.type.insert(.incomplete) }
            send(part, data: start..<end, of: data, to: listener, into: &out)
            start = end
        } while start < data.count
    }

    mutating func send(
        _ report: LEExtendedAdvertisingReport.Report, data: Range<Int>, of octets: [UInt8], to listener: Int,
        into out: inout [RadioOutput]
    ) {
        guard controllers[listener].host.allows(.extendedAdvertisingReport) else { return }
        let packet = LEExtendedAdvertisingReport.packet(report, data: data, of: octets)
        out.append(.packet(ControllerID(rawValue: listener), packet))
    }
}

extension AuxiliaryTrain.Follower {
    /// What the filter for duplicates knows it by.
    var key: DuplicateFilter.Key { DuplicateFilter.Key(report.address, report.type, dataInfo: dataInfo) }
}

extension Controller {
    /// Whether it scans or initiates with extended commands: others don't know such packets.
    var hearsExtended: Bool {
        scanner.isEnabled && scanner.isExtended || initiator.isEnabled && initiator.isExtended
    }

    /// Whether an extended scan is on and its filter lets an advertiser pass. [Vol 6, Part B, 4.3.3]
    func scans(_ identity: DeviceAddress) -> Bool {
        guard scanner.isEnabled, scanner.isExtended else { return false }
        guard scanner.parameters.filterPolicy & 1 == 1 else { return true }
        return identity.kind.rawValue == 0xFF ? acceptList.contains(identity) : accepts(identity)
    }

    /// Keeps the radio free from the primary channels for an auxiliary packet; false where it isn't any more.
    mutating func reserve(_ start: Instant, _ end: Instant, at now: Instant) -> Bool {
        reservations.removeAll { $0.end <= now }
        guard !reservations.contains(where: { $0.start < end && $0.end > start }), conversationEnd <= start else {
            return false
        }
        reservations.append(Reservation(start: start, end: end))
        return true
    }

    /// Whether its radio has an appointment between two instants.
    func isReserved(_ start: Instant, _ end: Instant) -> Bool {
        reservations.contains { $0.start < end && $0.end > start }
    }
}

/// A stretch of time that a radio is to listen to an auxiliary packet.
struct Reservation: Sendable {
    var start: Instant
    var end: Instant
}
