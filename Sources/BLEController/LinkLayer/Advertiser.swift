import BLEWire

/// Where in an advertising event a controller is, and when its packets are: what each step looks at.
struct AdvertisingEvent: Sendable {
    /// What ends with the next step.
    enum Step: Sendable {
        /// The wait for an event of an advertising set.
        case begin
        case advertisement
        /// Answers of scanners and initiators.
        case request
        case scanResponse
        /// A packet of extended advertising behind those on the primary channels.
        case auxiliary
        case connectResponse
        /// The time that advertising may last: 1.28 s of high duty cycle directed advertising [Vol 6, Part B, 4.4.2.4.3],
        /// or what an advertising set was given.
        case timeout
        /// The number of events that an advertising set may have.
        case limit
    }

    var step = Step.advertisement
    /// Of the packet on the air: 37 to 39, or that of an auxiliary packet.
    var channel: UInt8 = 37
    var phy = PhysicalLayer.le1M
    /// Whether the packets on the primary channels are on the Coded PHY: a comparison of PHYs would cost a call.
    var isPrimaryCoded = false
    /// Bit 0 is channel 37.
    var channelMap: UInt8 = 7
    var start = Instant.start
    var packetStart = Instant.start
    var airTime = Delay.zero
    var interval = Delay.zero
    /// From the end of an advertisement to the start of the next one in the event: where answers are possible, the
    /// inter frame space, the time to notice an access address (40 µs at 1M), and 150 µs to change the channel.
    var gap = Delay.zero
    /// The end of advertising.
    var deadline = Instant.never
    var isHighDuty = false

    /// The used channel behind this one, 36 for none; nil after the last.
    func channel(after channel: UInt8) -> UInt8? {
        var next = max(channel + 1, 37)
        while next <= 39 {
            if channelMap >> (next - 37) & 1 == 1 { return next }
            next += 1
        }
        return nil
    }

    /// Whether its advertisement takes the radio between two instants.
    func isSending(between first: Instant, and last: Instant) -> Bool {
        (step == .advertisement || step == .auxiliary) && packetStart < last && packetStart + airTime > first
    }
}

/// A controller's legacy advertising, or one of its advertising sets: what the host has set, and where in an advertising
/// event it is. [Vol 6, Part B, 4.4.2]
///
/// *Role*: the state of advertising with legacy PDUs, and what extended advertising shares with it; the radio takes its
/// steps.
/// *Limits*: an event runs over the used channels in ascending order; each step of the schedule is the end
/// of a packet on the air, since nothing is decided before.
struct Advertiser: Sendable {
    /// An answer to the advertisement that was just sent.
    struct Reply: Sendable {
        var controller: Int
        /// SCAN_REQ or CONNECT_IND with header and CRC; AUX_SCAN_REQ and AUX_CONNECT_REQ are the same octets.
        var octets: [UInt8]
        var isConnect: Bool
    }

    /// The controller, by its place in the radio.
    let owner: Int
    /// Advertising_Handle; nil for legacy advertising.
    var handle: UInt8?
    /// That of an advertising set. [Vol 4, Part E, 7.8.52]
    var randomAddress: UInt64?
    /// What only advertising sets have.
    var set = AdvertisingSet()
    /// Whether its PDUs are those of extended advertising.
    var isExtended = false

    var parameters = LESetAdvertisingParameters()
    var data: [UInt8] = []
    var scanResponse: [UInt8] = []
    var isEnabled = false
    /// Counts what is planned, so that what was planned before is void.
    var stamp: UInt32 = 0

    /// The advertisement with header and CRC, encoded once until something in it changes.
    var packet: [UInt8] = []
    var scanResponsePacket: [UInt8] = []
    var address = DeviceAddress(0)
    var event = AdvertisingEvent()
    var replies: [Reply] = []
    /// Answers that a test puts on the air, one for each advertisement.
    var injected: [[UInt8]] = []

    init(owner: Int) { self.owner = owner }

    var isConnectable: Bool {
        if isExtended { return set.parameters.properties.contains(.connectable) }
        return parameters.type == .connectableAndScannable || isDirected
    }
    var isScannable: Bool {
        if isExtended { return set.parameters.properties.contains(.scannable) }
        return parameters.type == .connectableAndScannable || parameters.type == .scannable
    }
    var isDirected: Bool {
        if isExtended { return set.parameters.properties.contains(.directed) }
        return parameters.type == .directedHighDutyCycle || parameters.type == .directedLowDutyCycle
    }

    /// What holds for every event from `now` on.
    mutating func beginEvents(at now: Instant) {
        let isHighDuty = parameters.type == .directedHighDutyCycle
        let units = handle == nil ? UInt32(parameters.intervalMinimum) : set.parameters.intervalMinimum
        event.isHighDuty = isHighDuty
        event.phy = .le1M
        event.isPrimaryCoded = isExtended && set.primaryPHY.isCoded
        event.channelMap = parameters.channelMap
        event.gap =
            isExtended
            ? AirTime.auxiliaryFrameSpace : isConnectable || isScannable ? .microseconds(340) : .microseconds(150)
        event.interval =
            isHighDuty ? .microseconds(3750) : .microseconds(Int64(units) * 625)
        event.deadline = isHighDuty ? now + .milliseconds(1280) : .never
    }

    mutating func reset() {
        let stamp = stamp &+ 1
        self = Advertiser(owner: owner)
        self.stamp = stamp
    }

    /// Encodes both packets anew. `target` is whom directed advertising names, `supportsSelection2` becomes ChSel.
    /// [Vol 6, Part B, 2.3.1]
    mutating func encodePackets(target: DeviceAddress, supportsSelection2: Bool) throws(WireError) {
        let payload: LLAdvertisingPacket.Payload =
            switch parameters.type {
            case .directedHighDutyCycle, .directedLowDutyCycle:
                .advDirectInd(LLAdvDirectInd(advertiser: address.bits, target: target.bits))
            case .scannable: .advScanInd(LLAdvScanInd(advertiser: address.bits, data: data))
            case .nonConnectable: .advNonconnInd(LLAdvNonconnInd(advertiser: address.bits, data: data))
            default: .advInd(LLAdvInd(advertiser: address.bits, data: data))
            }
        let type: AdvertisingPDUType =
            switch parameters.type {
            case .directedHighDutyCycle, .directedLowDutyCycle: .advDirectInd
            case .scannable: .advScanInd
            case .nonConnectable: .advNonconnInd
            default: .advInd
            }
        let header = AdvertisingHeader(
            type: type, channelSelection2: isConnectable && supportsSelection2,
            transmitterIsRandom: address.isRandom, receiverIsRandom: isDirected && target.isRandom)
        packet = try LLAdvertisingPacket(header: header, payload: payload).encoded()
        event.airTime = AirTime.packet(payload: packet.count - 2, on: .le1M)
        CRC24.append(to: &packet, initial: CRC24.advertisingInit)
        let response = AdvertisingHeader(type: .scanRsp, transmitterIsRandom: address.isRandom)
        scanResponsePacket = try LLAdvertisingPacket(
            header: response, payload: .scanRsp(LLScanRsp(advertiser: address.bits, data: scanResponse))
        ).encoded()
        CRC24.append(to: &scanResponsePacket, initial: CRC24.advertisingInit)
    }
}
