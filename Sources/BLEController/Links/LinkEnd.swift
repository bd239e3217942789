import BLEWire

/// One end of a link: the link layer's Connection state of one controller. [Vol 6, Part B, 4.5]
///
/// *Role*: sequence numbers, queues, timing, data length, PHY and control procedures of a link as one side sees it.
/// *Inputs and outputs*: takes the octets of packets that arrive and hands out those of packets to send; what it
/// means for the host comes as `LinkEvent`s. The radio calls it at the right times.
/// Questions that are asked for each packet are `mutating`: for others the compiler copies the value first, with a
/// reference count for each queue.
/// *Limits*: clocks don't drift, so a peripheral's window is a point once it is synchronised.
struct LinkEnd: Sendable {
    enum Role: UInt8, Sendable { case central, peripheral }

    var isOpen = false
    let role: Role
    /// The controller, by its place in the radio.
    var owner = 0
    var handle = ConnectionHandle(rawValue: 0)
    var peer = DeviceAddress(0)
    /// What this side can do.
    var local = LinkAbilities()
    /// Counts timers, so that those planned before are void.
    var stamp: UInt32 = 0
    /// When the timer that is planned comes.
    var timer = Instant.never

    var timing = LinkTiming()

    // Acknowledgement. [Vol 6, Part B, 4.5.9]
    /// transmitSeqNum
    var sequence: UInt8 = 0
    /// nextExpectedSeqNum
    var expected: UInt8 = 0
    /// What was sent and isn't acknowledged yet.
    var outgoing = Outgoing.nothing
    /// MD of the packet that was sent last.
    var sentMoreData = false
    var controls = FIFO<[UInt8]>()
    var data = FIFO<DataPacket>()
    var raw = FIFO<RawPDU>()

    // Length and PHY.
    var lengths = DataLengths()
    var phys = LinkPHYs()

    var encryption = LinkEncryption()
    var authenticatedPayload = AuthenticatedPayload()

    // Procedures.
    var procedures = Procedures()
    var remoteFeatures: LEFeatures?
    var remoteVersion: LLVersionInd?
    var hasSentVersion = false
    /// The link ends once this was acknowledged: LL_TERMINATE_IND was queued here.
    var isTerminating = false
    /// The peer has ended the link: this end closes when its next packet, which acknowledges, has left.
    var closesAfterSending: HCIStatus?

    // Supervision.
    var lastHeard = Instant.start
    var isEstablished = false
    var terminationDeadline = Instant.never
    var rssi: Int8 = 127

    // Towards the host.
    /// Whether the host has room for data; without it data PDUs aren't acknowledged.
    var hostHasRoom = true
    /// Packets that the host was given and hasn't counted as done.
    var packetsAtHost = 0

    /// Events that this end had to leave out in a row because its radio had something else to do.
    var skipped = 0

    init(role: Role) { self.role = role }

    /// Whether the next packet, if asked for now, would be an empty one that nothing waits for.
    var isIdle: Bool {
        mutating get {
            (outgoing == .nothing || outgoing == .empty) && controls.isEmpty && data.isEmpty && raw.isEmpty
                && closesAfterSending == nil && isEstablished
        }
    }

    @inline(__always)
    var hasToSend: Bool {
        switch outgoing {
        case .nothing, .empty: !(controls.isEmpty && raw.isEmpty) || hasData
        default: true
        }
    }

    /// Whether data of the host could be sent now.
    @inline(__always)
    var hasData: Bool { !data.isEmpty && !encryption.holdsData }
}

/// What was sent and waits for its acknowledgement.
enum Outgoing: Equatable, Sendable {
    case nothing
    case empty
    /// So many octets of the packet in front of the data queue.
    case data(Int)
    /// The PDU in front of the control queue.
    case control
    /// The PDU in front of the raw queue: sent once, whatever becomes of it.
    case raw
}

/// An ACL data packet of the host on its way.
struct DataPacket: Sendable {
    /// As it came, with its header of five octets.
    var packet: [UInt8]
    /// The next octet to be sent.
    var offset: Int
    /// Whether it begins an L2CAP PDU.
    var isStart: Bool

    var remaining: Int { packet.count - offset }
}

/// A data channel PDU that a test puts on the air.
struct RawPDU: Sendable {
    /// Header and payload; the length in the header may lie.
    var octets: [UInt8]
    /// Whether SN, NESN and MD stay as they are; the link layer fills them in otherwise.
    var keepsSequence: Bool
}

/// What the controller at an end can do, from its profile.
struct LinkAbilities: Sendable {
    var features: LEFeatures = []
    var phys = PHYSet.le1M
    var version = LLVersionInd()
    var receiveOctets = 27
    var receiveTime = 328

    init() {}
    init(profile: ControllerProfile) {
        features = profile.features
        phys = profile.supportedPHYs
        version = LLVersionInd(
            version: profile.version, company: profile.manufacturer, subversion: profile.subversion)
        receiveOctets = profile.receiveOctets
        receiveTime = profile.longestTime
    }
}

/// What an end of a link has to say to the controller around it.
enum LinkEvent: Equatable, Sendable {
    /// A whole ACL data packet for the host.
    case data([UInt8])
    /// So many of the host's packets were acknowledged whole.
    case completed(Int)
    /// The first packet of the peer was heard.
    case established
    /// The link is over for this end.
    case closed(HCIStatus)
    case parametersUpdated(HCIStatus)
    /// The peer asks for other parameters.
    case parametersRequested(LLConnectionParameters)
    /// A central is to begin an update: the controller chooses where anchors fit.
    case updateWanted(ParameterWish)
    case lengthChanged
    case phyUpdated(HCIStatus)
    case featuresRead(HCIStatus)
    case versionRead(HCIStatus)
    /// The peer wants to encrypt: the controller draws its part, and the host gives the key.
    case encryptionRequested
    /// A central has everything that makes the session key.
    case sessionKeyMade
    case encryptionChanged(HCIStatus, isOn: Bool)
    case keyRefreshed
    /// Nothing that was checked has come for the authenticated payload time-out.
    case payloadTimeout
    /// What had to wait for encryption goes on.
    case encryptionEnded
    /// A procedure has ended or begun: the next may begin, and time-outs may have come nearer.
    case proceduresChanged
}

/// Parameters that a central wants to give a link.
struct ParameterWish: Equatable, Sendable {
    /// Units of 1.25 ms.
    var interval: UInt16
    var latency: UInt16
    /// Units of 10 ms.
    var timeout: UInt16
}
