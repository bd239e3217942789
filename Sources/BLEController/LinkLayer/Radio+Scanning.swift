import BLEWire

/// What scanners and initiators do with what they hear. [Vol 6, Part B, 4.4.3], [Vol 6, Part B, 4.4.4]
extension Radio {
    /// An advertisement of `advertiser` was on the air from `start` to `end`, on the channel of `listener`.
    mutating func hear(
        _ advertiser: Int, by listener: Int, from start: Instant, to end: Instant, into out: inout [RadioOutput]
    ) {
        guard controllers[listener].listening.since <= start, !isBusy(listener, from: start, to: end) else { return }
        let owner = advertisers[advertiser].owner
        let power = controllers[owner].profile.transmitPower
        switch air.receive(from: owner, to: listener, power: power, using: &controllers[listener].fading) {
        case .lost: break
        case .heard(let rssi):
            hearPacket(
                advertisers[advertiser].packet, by: listener, rssi: rssi, advertiser: advertiser, at: end,
                into: &out)
        case .corrupted(let rssi):
            var octets = advertisers[advertiser].packet
            controllers[listener].corrupt(&octets)
            hearPacket(octets, by: listener, rssi: rssi, advertiser: advertiser, at: end, into: &out)
        }
    }

    /// Whether the radio of a controller has something else to do than to listen: links, its own advertisements, or
    /// a conversation with another advertiser.
    private mutating func isBusy(_ controller: Int, from start: Instant, to end: Instant) -> Bool {
        controllers[controller].radioTime.overlaps(start, end) || controllers[controller].conversationEnd > start
            || !controllers[controller].reservations.isEmpty && controllers[controller].isReserved(start, end)
            || controllers[controller].advertisingCount > 0 && isSending(controller, between: start, and: end)
    }

    private func isSending(_ controller: Int, between start: Instant, and end: Instant) -> Bool {
        controllers[controller].advertisers.contains { place in
            advertisers[place].isEnabled && advertisers[place].event.isSending(between: start, and: end)
        }
    }

    /// Octets with their CRC have arrived at a listener. `advertiser` is whose they are, -1 for a test's.
    mutating func hearPacket(
        _ octets: [UInt8], by listener: Int, rssi: Int8, advertiser: Int, at now: Instant, into out: inout [RadioOutput]
    ) {
        guard let pdu = advertisement(octets), let type = LEAdvertisingReportType(pdu.header.type),
            type != .scanResponse
        else {
            return hearPointer(octets, by: listener, rssi: rssi, advertiser: advertiser, at: now, into: &out)
        }
        let sender = pdu.advertiser
        if let target = pdu.target, !controllers[listener].isNamed(by: target) { return }
        guard let identity = controllers[listener].identity(of: sender) else { return }
        if controllers[listener].initiator.isEnabled,
            answerConnect(pdu.header, sender, identity, type, by: listener, advertiser: advertiser, at: now)
        {
            return
        }
        guard controllers[listener].scanner.isEnabled else { return }
        if controllers[listener].scanner.parameters.filterPolicy & 1 == 1, !controllers[listener].accepts(identity) {
            return
        }
        report(type, pdu, identity, of: octets, rssi, to: listener, into: &out)
        if controllers[listener].scanner.parameters.isActive, type == .connectableAndScannable || type == .scannable {
            askForResponse(pdu.header, sender, identity, by: listener, advertiser: advertiser, at: now)
        }
    }

    /// An advertisement or a scan response with its CRC; nil where a receiver would drop it.
    private func advertisement(_ octets: [UInt8]) -> LLAdvertisement? {
        guard CRC24.isValid(octets, initial: CRC24.advertisingInit) else { return nil }
        return LLAdvertisement(octets, count: octets.count - 3)
    }

    /// Tells the host, unless it wants each advertiser once.
    private mutating func report(
        _ type: LEAdvertisingReportType, _ pdu: LLAdvertisement, _ identity: DeviceAddress, of octets: [UInt8],
        _ rssi: Int8, to listener: Int, into out: inout [RadioOutput]
    ) {
        if controllers[listener].scanner.filtersDuplicates,
            controllers[listener].scanner.duplicates?.admit(DuplicateFilter.Key(identity, type)) == false
        {
            return
        }
        if controllers[listener].scanner.isExtended {
            return tellLegacy(type, pdu, identity, of: octets, rssi, to: listener, into: &out)
        }
        guard controllers[listener].host.allows(.advertisingReport) else { return }
        let packet = LEAdvertisingReport.packet(
            type: type, address: identity, data: pdu.data, of: octets, rssi: rssi)
        out.append(.packet(ControllerID(rawValue: listener), packet))
    }

    /// Sends a SCAN_REQ, where the scan is active and the back-off lets it. [Vol 6, Part B, 4.4.3.2]
    private mutating func askForResponse(
        _ header: AdvertisingHeader, _ sender: DeviceAddress, _ identity: DeviceAddress, by listener: Int,
        advertiser: Int, at now: Instant
    ) {
        guard advertiser >= 0,
            let own = controllers[listener].ownAddress(
                controllers[listener].scanner.parameters.ownAddressType, towards: identity)
        else { return }
        // Whose response was reported already needn't be asked again while duplicates are filtered.
        if controllers[listener].scanner.knows(DuplicateFilter.Key(identity, .scanResponse)) { return }
        guard controllers[listener].scanner.backoff.heardScannable() else { return }
        let request = LLAdvertisingPacket(
            header: AdvertisingHeader(
                type: .scanReq, transmitterIsRandom: own.isRandom, receiverIsRandom: sender.isRandom),
            payload: .scanReq(LLScanReq(scanner: own.bits, advertiser: sender.bits)))
        reply(request, by: listener, to: advertiser, isConnect: false, at: now)
    }

    /// Puts an answer on the air, one inter frame space after the advertisement.
    mutating func reply(
        _ packet: LLAdvertisingPacket, by sender: Int, to advertiser: Int, isConnect: Bool, at now: Instant
    ) {
        guard var octets = try? packet.encoded() else { return }
        CRC24.append(to: &octets, initial: CRC24.advertisingInit)
        // The radio is taken until the answer has left, and for the scan response until that has come.
        let phy = advertisers[advertiser].event.phy
        let air = AirTime.packet(payload: octets.count - 5, on: phy)
        let response = isConnect ? Delay.zero : AirTime.interFrameSpace + AirTime.packet(payload: 37, on: phy)
        controllers[sender].conversationEnd = now + AirTime.interFrameSpace + air + response
        advertisers[advertiser].replies.append(
            Advertiser.Reply(controller: sender, octets: octets, isConnect: isConnect))
    }

    /// A SCAN_RSP was on the air; answers whether the scanner that asked has heard it.
    mutating func hearScanResponse(
        of advertiser: Int, by listener: Int, from start: Instant, to end: Instant, into out: inout [RadioOutput]
    ) -> Bool {
        guard listener >= 0, controllers[listener].isPresent, controllers[listener].scanner.isEnabled,
            !controllers[listener].radioTime.overlaps(start, end)
        else { return false }
        var octets = advertisers[advertiser].scanResponsePacket
        let owner = advertisers[advertiser].owner
        let power = controllers[owner].profile.transmitPower
        let level: Int8
        switch air.receive(from: owner, to: listener, power: power, using: &controllers[listener].fading) {
        case .lost: return false
        case .heard(let rssi): level = rssi
        case .corrupted(let rssi):
            level = rssi
            controllers[listener].corrupt(&octets)
        }
        let type = advertisers[advertiser].parameters.type.rawValue
        controllers[listener].scanner.asksConnectable = type == LEAdvertisingType.connectableAndScannable.rawValue
        guard let pdu = advertisement(octets), pdu.header.type == .scanRsp,
            let identity = controllers[listener].identity(of: pdu.advertiser)
        else { return false }
        report(.scanResponse, pdu, identity, of: octets, level, to: listener, into: &out)
        return true
    }
}

extension Radio {
    /// A legacy PDU in an extended report. [Vol 4, Part E, 7.7.65.13]
    private mutating func tellLegacy(
        _ type: LEAdvertisingReportType, _ pdu: LLAdvertisement, _ identity: DeviceAddress, of octets: [UInt8],
        _ rssi: Int8, to listener: Int, into out: inout [RadioOutput]
    ) {
        var report = LEExtendedAdvertisingReport.Report()
        report.type = LEExtendedReportType(type, isConnectable: controllers[listener].scanner.asksConnectable)
        report.address = identity
        report.rssi = rssi
        if let target = pdu.target { report.target = target }
        send(report, data: pdu.data, of: octets, to: listener, into: &out)
    }
}

extension LEExtendedReportType {
    /// How a legacy PDU is reported; a scan response says what was asked. [Vol 4, Part E, 7.7.65.13]
    fileprivate init(_ type: LEAdvertisingReportType, isConnectable: Bool) {
        // Bits in numbers: an array of options is built at run time where the set is another module's.
        switch type.rawValue {
        case LEAdvertisingReportType.connectableAndScannable.rawValue: self.init(rawValue: 0x13)
        case LEAdvertisingReportType.directed.rawValue: self.init(rawValue: 0x15)
        case LEAdvertisingReportType.scannable.rawValue: self.init(rawValue: 0x12)
        case LEAdvertisingReportType.scanResponse.rawValue: self.init(rawValue: isConnectable ? 0x1B : 0x1A)
        default: self.init(rawValue: 0x10)
        }
    }
}

extension LEAdvertisingReportType {
    /// How a PDU is reported; nil where it isn't. [Vol 4, Part E, 7.7.65.2]
    init?(_ type: AdvertisingPDUType) {
        switch type.rawValue {
        case AdvertisingPDUType.advInd.rawValue: self = .connectableAndScannable
        case AdvertisingPDUType.advDirectInd.rawValue: self = .directed
        case AdvertisingPDUType.advScanInd.rawValue: self = .scannable
        case AdvertisingPDUType.advNonconnInd.rawValue: self = .nonConnectable
        case AdvertisingPDUType.scanRsp.rawValue: self = .scanResponse
        default: return nil
        }
    }
}
