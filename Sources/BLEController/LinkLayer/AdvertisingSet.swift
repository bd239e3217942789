import BLEWire

/// What an advertising set has that legacy advertising doesn't. [Vol 4, Part E, 7.8.53]
struct AdvertisingSet: Sendable {
    var parameters = LESetExtendedAdvertisingParameters()
    /// Data that is being given in fragments, and not complete yet.
    var fragments: [UInt8]?
    var responseFragments: [UInt8]?
    /// Advertising DID: another number for other data. [Vol 6, Part B, 2.3.4.4]
    var dataIdentifier: UInt16 = 0
    /// How long it may advertise, and in how many events; 0 without end.
    var duration = Delay.zero
    var maximumEvents: UInt8 = 0
    /// Events since it was enabled, as far as an octet counts.
    var completedEvents: UInt8 = 0
    /// The auxiliary packets of the event under way.
    var train = AuxiliaryTrain()
    /// The AUX_CONNECT_REQ that was taken, until the answer has left.
    var accepted: (reply: Advertiser.Reply, at: Instant)?
    /// Its periodic advertising, by its place in the radio.
    var periodic: Int?
    /// The AUX_CONNECT_RSP.
    var connectResponse: [UInt8] = []

    /// Advertising DID and SID as the air has them.
    var dataInfo: UInt16 { dataIdentifier & 0x0FFF | UInt16(parameters.setIdentifier & 0x0F) << 12 }

    /// The PHY of ADV_EXT_IND, and that of the packets behind it.
    var primaryPHY: PhysicalLayer { parameters.primaryPHY == .leCoded ? .codedS8 : .le1M }
    var secondaryPHY: PhysicalLayer { PhysicalLayer(parameters.secondaryPHY) }

    /// Counts an event that has ended; answers whether it was the last.
    mutating func countEvent() -> Bool {
        if completedEvents < .max { completedEvents += 1 }
        return maximumEvents > 0 && completedEvents >= maximumEvents
    }
}

/// Packets that follow each other on secondary channels, each pointing to the next one: AUX_ADV_IND or AUX_SCAN_RSP, and
/// AUX_CHAIN_INDs behind it. [Vol 6, Part B, 4.4.2.1]
struct AuxiliaryTrain: Sendable {
    struct Packet: Sendable {
        /// With header and CRC.
        var octets: [UInt8] = []
        var channel: UInt8
        var start: Instant
    }

    /// When the first packet begins, and where: pointers name both before the packets are made.
    var start = Instant.start
    var channel: UInt8 = 0
    var packets: [Packet] = []
    /// The one that is on the air.
    var position = 0
    /// Whether it is a scan response.
    var isResponse = false
    /// Controllers that have tuned their radios to the next packet.
    var followers: [Follower] = []

    /// A controller that listens to the train.
    struct Follower: Sendable {
        var controller: Int
        /// The PHY that the train was found on.
        var primaryPHY: LEPHY
        /// What is said of each part of the data.
        var report: LEExtendedAdvertisingReport.Report
        /// Whether the host has heard of a part, and so is to hear of the end.
        var hasReported = false
        /// ADI of the AUX_ADV_IND.
        var dataInfo: UInt16?
    }
}

extension PhysicalLayer {
    /// The PHY of an advertiser; on the Coded PHY it sends with eight symbols a bit.
    init(_ phy: LEPHY) {
        switch phy {
        case .le2M: self = .le2M
        case .leCoded: self = .codedS8
        default: self = .le1M
        }
    }
}

extension Advertiser {
    /// The set begins to advertise, or begins anew.
    mutating func beginSet(at now: Instant) {
        set.completedEvents = 0
        set.train = AuxiliaryTrain()
        set.accepted = nil
        if set.duration > .zero { event.deadline = min(event.deadline, now + set.duration) }
    }

    /// Header and type of every PDU of its extended advertising. [Vol 6, Part B, 2.3]
    func extendedHeader(target: DeviceAddress?) -> AdvertisingHeader {
        AdvertisingHeader(
            type: .advExtInd, transmitterIsRandom: address.isRandom, receiverIsRandom: target?.isRandom ?? false)
    }

    var extendedMode: LLExtendedAdvertising.Mode {
        isConnectable ? .connectable : isScannable ? .scannable : .neither
    }

    /// Whether ADV_EXT_IND says everything: nothing follows it. [Vol 6, Part B, 2.3.1.7]
    var isAlone: Bool { extendedMode == .neither && data.isEmpty && !isDirected && set.periodic == nil && !isAnonymous }

    var isAnonymous: Bool { isExtended && set.parameters.properties.contains(.anonymous) }
}
