import BLEWire

/// Events of advertising sets: one radio sends for all of them. [Vol 6, Part B, 4.4.2.10]
extension Radio {
    /// The time of a set's event has come, if no other set of its controller is sending.
    mutating func beginSetEvent(_ advertiser: Int, at now: Instant) {
        let owner = advertisers[advertiser].owner
        guard let first = advertisers[advertiser].event.channel(after: 36) else { return }
        if controllers[owner].advertisingCount > 1, controllers[owner].advertisingUntil > now {
            // The same step once more, a little after the other set.
            let start = controllers[owner].advertisingUntil + AirTime.interFrameSpace
            return plan(.advertise, advertiser, advertisers[advertiser].stamp, at: start)
        }
        advertisers[advertiser].event.start = now
        if advertisers[advertiser].isExtended { prepareExtendedEvent(advertiser, at: now) }
        let count = Int64(advertisers[advertiser].event.channelMap.nonzeroBitCount)
        let packet = advertisers[advertiser].event.airTime + advertisers[advertiser].event.gap
        holdForSet(advertiser, until: now + packet * count)
        planPacket(advertiser, on: first, at: now)
    }

    /// A set that was alone isn't any more: it looks before each of its events whether the other one is sending.
    mutating func shareRadio(with advertiser: Int, at now: Instant) {
        for place in controllers[advertisers[advertiser].owner].advertisers where place != advertiser {
            let start = advertisers[place].event.start
            guard advertisers[place].isEnabled, advertisers[place].event.step == .advertisement, start > now else {
                continue
            }
            advertisers[place].stamp &+= 1
            advertisers[place].event.step = .begin
            plan(.advertise, place, advertisers[place].stamp, at: start)
        }
    }

    /// Keeps the other sets of a controller from beginning an event.
    mutating func holdForSet(_ advertiser: Int, until end: Instant) {
        guard advertisers[advertiser].handle != nil else { return }
        let owner = advertisers[advertiser].owner
        controllers[owner].advertisingUntil = max(controllers[owner].advertisingUntil, end)
    }

    /// A set stops by itself: its time or its events are over, or a link was made. [Vol 4, Part E, 7.7.65.18]
    mutating func terminateSet(
        _ advertiser: Int, _ status: HCIStatus, link: ConnectionHandle = ConnectionHandle(rawValue: 0),
        into out: inout [RadioOutput]
    ) {
        guard let handle = advertisers[advertiser].handle else { return }
        stopAdvertising(advertiser)
        let owner = advertisers[advertiser].owner
        let event = LEAdvertisingSetTerminated(
            status: status, advertisingHandle: handle, handle: link,
            completedEvents: status == .success ? 0 : advertisers[advertiser].set.completedEvents)
        send(.leAdvertisingSetTerminated(event), .advertisingSetTerminated, to: owner, into: &out)
        tellState(of: owner, into: &out)
    }

    /// A scanner has asked, where the host wants to hear of it. [Vol 4, Part E, 7.7.65.19]
    mutating func tellScanRequest(
        _ advertiser: Int, _ request: LLScanReq, _ header: AdvertisingHeader?, into out: inout [RadioOutput]
    ) {
        guard let handle = advertisers[advertiser].handle, let header,
            advertisers[advertiser].set.parameters.notifiesScanRequests
        else { return }
        let owner = advertisers[advertiser].owner
        let sender = DeviceAddress(request.scanner, header.transmitterKind)
        let event = LEScanRequestReceived(
            advertisingHandle: handle, scanner: controllers[owner].identity(of: sender) ?? sender)
        send(.leScanRequestReceived(event), .scanRequestReceived, to: owner, into: &out)
    }
}
