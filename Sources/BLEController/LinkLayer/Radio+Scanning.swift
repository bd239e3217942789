import BLEWire

/// What scanners and initiators do with what they hear. [Vol 6, Part B, 4.4.3], [Vol 6, Part B, 4.4.4]
extension Radio {
    /// An advertisement of `advertiser` was on the air from `start` to `end`, on the channel of `listener`.
    mutating func hear(
        _ advertiser: Int, by listener: Int, from start: Instant, to end: Instant, into out: inout [RadioOutput]
    ) {
        guard controllers[listener].listening.since <= start, !isBusy(listener, from: start, to: end) else { return }
        let power = controllers[advertiser].profile.transmitPower
        switch air.receive(from: advertiser, to: listener, power: power, using: &controllers[listener].fading) {
        case .lost: break
        case .heard(let rssi):
            hearPacket(
                controllers[advertiser].advertiser.packet, by: listener, rssi: rssi, advertiser: advertiser, at: end,
                into: &out)
        case .corrupted(let rssi):
            var octets = controllers[advertiser].advertiser.packet
            controllers[listener].corrupt(&octets)
            hearPacket(octets, by: listener, rssi: rssi, advertiser: advertiser, at: end, into: &out)
        }
    }

    /// Whether the radio of a controller has something else to do than to listen: links, its own advertisements, or
    /// a conversation with another advertiser.
    private func isBusy(_ controller: Int, from start: Instant, to end: Instant) -> Bool {
        controllers[controller].radioTime.overlaps(start, end) || controllers[controller].conversationEnd > start
            || controllers[controller].advertiser.isSending(between: start, and: end)
    }

    /// Octets with their CRC have arrived at a listener. `advertiser` is whose they are, -1 for a test's.
    mutating func hearPacket(
        _ octets: [UInt8], by listener: Int, rssi: Int8, advertiser: Int, at now: Instant, into out: inout [RadioOutput]
    ) {
        guard let packet = decoded(octets) else { return }
        let sender: DeviceAddress
        let type: LEAdvertisingReportType
        var data: [UInt8] = []
        switch packet.payload {
        case .advInd(let pdu):
            (sender, type, data) = (address(pdu.advertiser, packet), .connectableAndScannable, pdu.data)
        case .advScanInd(let pdu): (sender, type, data) = (address(pdu.advertiser, packet), .scannable, pdu.data)
        case .advNonconnInd(let pdu):
            (sender, type, data) = (address(pdu.advertiser, packet), .nonConnectable, pdu.data)
        case .advDirectInd(let pdu):
            (sender, type) = (address(pdu.advertiser, packet), .directed)
            guard controllers[listener].owns(DeviceAddress(pdu.target, packet.header.receiverKind)) else { return }
        default: return
        }
        if controllers[listener].initiator.isEnabled,
            answerConnect(packet.header, sender, type, by: listener, advertiser: advertiser, at: now)
        {
            return
        }
        guard controllers[listener].scanner.isEnabled, controllers[listener].scans(sender) else { return }
        report(type, sender, data, rssi, to: listener, into: &out)
        if type == .connectableAndScannable || type == .scannable {
            askForResponse(packet.header, sender, by: listener, advertiser: advertiser, at: now)
        }
    }

    private func address(_ bits: UInt64, _ packet: LLAdvertisingPacket) -> DeviceAddress {
        DeviceAddress(bits, packet.header.transmitterKind)
    }

    /// Tells the host, unless it wants each advertiser once.
    private mutating func report(
        _ type: LEAdvertisingReportType, _ sender: DeviceAddress, _ data: [UInt8], _ rssi: Int8, to listener: Int,
        into out: inout [RadioOutput]
    ) {
        if controllers[listener].scanner.duplicates != nil,
            controllers[listener].scanner.duplicates?.admit(sender, type) == false
        {
            return
        }
        let report = LEAdvertisingReport.Report(type: type, address: sender, data: data, rssi: rssi)
        send(
            .leAdvertisingReport(LEAdvertisingReport(reports: [report])), .advertisingReport, to: listener, into: &out)
    }

    /// Sends a SCAN_REQ, where the scan is active and the back-off lets it. [Vol 6, Part B, 4.4.3.2]
    private mutating func askForResponse(
        _ header: AdvertisingHeader, _ sender: DeviceAddress, by listener: Int, advertiser: Int, at now: Instant
    ) {
        guard advertiser >= 0, controllers[listener].scanner.parameters.isActive,
            let own = controllers[listener].ownAddress(controllers[listener].scanner.parameters.ownAddressType)
        else { return }
        // Whose response was reported already needn't be asked again while duplicates are filtered.
        if controllers[listener].scanner.duplicates?.knows(sender, .scanResponse) == true { return }
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
        let air = AirTime.packet(payload: octets.count - 5, on: .le1M)
        let response = isConnect ? Delay.zero : AirTime.interFrameSpace + AirTime.packet(payload: 37, on: .le1M)
        controllers[sender].conversationEnd = now + AirTime.interFrameSpace + air + response
        controllers[advertiser].advertiser.replies.append(
            Advertiser.Reply(controller: sender, octets: octets, isConnect: isConnect))
    }

    /// A SCAN_RSP was on the air; answers whether the scanner that asked has heard it.
    mutating func hearScanResponse(
        of advertiser: Int, by listener: Int, from start: Instant, to end: Instant, into out: inout [RadioOutput]
    ) -> Bool {
        guard listener >= 0, controllers[listener].isPresent, controllers[listener].scanner.isEnabled,
            !controllers[listener].radioTime.overlaps(start, end)
        else { return false }
        var octets = controllers[advertiser].advertiser.scanResponsePacket
        let power = controllers[advertiser].profile.transmitPower
        let level: Int8
        switch air.receive(from: advertiser, to: listener, power: power, using: &controllers[listener].fading) {
        case .lost: return false
        case .heard(let rssi): level = rssi
        case .corrupted(let rssi):
            level = rssi
            controllers[listener].corrupt(&octets)
        }
        guard let packet = decoded(octets), case .scanRsp(let pdu) = packet.payload else { return false }
        report(.scanResponse, address(pdu.advertiser, packet), pdu.data, level, to: listener, into: &out)
        return true
    }
}

extension Controller {
    /// Whether the scan's filter lets an advertiser through. [Vol 6, Part B, 4.3.3]
    func scans(_ sender: DeviceAddress) -> Bool {
        scanner.parameters.filterPolicy & 1 == 0 || accepts(sender)
    }
}
