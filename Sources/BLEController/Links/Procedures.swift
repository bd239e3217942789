import BLEWire

/// A control procedure that this end begins. [Vol 6, Part B, 5.1]
enum LocalProcedure: Equatable, Sendable {
    case features
    case version
    /// The Connection Parameters Request procedure.
    case requestParameters(LLConnectionParameters)
    /// The Connection Update procedure, for a central.
    case update(ParameterWish)
    case channelMap(ChannelMap)
    case dataLength
    case phy
    /// The LE Ping procedure.
    case ping
    /// The Encryption Start procedure for a central, after the Encryption Pause procedure where it is needed.
    case encryption(EncryptionWish)

    /// Procedures with an instant must not overlap. [Vol 6, Part B, 5.3]
    var usesInstant: Bool {
        switch self {
        case .requestParameters, .update, .channelMap, .phy: true
        case .features, .version, .dataLength, .ping, .encryption: false
        }
    }

    /// Whether it waits until no instant is to come. For encryption that is this link layer's choice: nothing that
    /// belongs to an instant can then get stuck between the packets that start it.
    var waitsForInstants: Bool {
        if case .encryption = self { return true }
        return usesInstant
    }
}

/// A procedure with an instant that the peer has begun.
enum RemoteProcedure: Equatable, Sendable {
    /// It asked for parameters: the host thinks about it, or the central's update is under way.
    case parameters
    /// It asked for PHYs: the instant is to come.
    case phy
}

/// The control procedures of one end: one of its own at a time, and what the peer has begun.
struct Procedures: Sendable {
    /// procedure response time-out [Vol 6, Part B, 5.2]
    static let responseTimeout = Delay.seconds(40)

    var active: LocalProcedure?
    var waiting: [LocalProcedure] = []
    var remote: RemoteProcedure?
    /// When the link is given up because the peer doesn't answer.
    var deadline = Instant.never

    var isBusy: Bool { active != nil || remote != nil }
}

extension LinkEnd {
    /// Begins a procedure, or lets it wait for its turn.
    mutating func start(_ procedure: LocalProcedure, at now: Instant, into events: inout [LinkEvent]) {
        procedures.waiting.append(procedure)
        startNext(at: now, into: &events)
    }

    /// Begins the next procedure, if it may. [Vol 6, Part B, 5.3]
    mutating func startNext(at now: Instant, into events: inout [LinkEvent]) {
        guard procedures.active == nil, encryption.step == .idle, let next = procedures.waiting.first else { return }
        if next.waitsForInstants, procedures.remote != nil || !timing.pending.isEmpty { return }
        procedures.waiting.removeFirst()
        procedures.active = next
        procedures.deadline = now + Procedures.responseTimeout
        events.append(.proceduresChanged)
        switch next {
        case .features: beginFeatures()
        case .version: beginVersion(into: &events)
        case .requestParameters(let parameters): beginParameterRequest(parameters, into: &events)
        case .update(let wish): events.append(.updateWanted(wish))
        case .channelMap(let map): beginChannelMap(map)
        case .dataLength: queue(.lengthReq(lengths.request))
        case .phy: beginPHY()
        case .ping: queue(.pingReq(LLPingReq()))
        case .encryption(let wish): beginEncryption(wish, at: now, into: &events)
        }
    }

    /// The active procedure is over.
    mutating func endProcedure(into events: inout [LinkEvent]) {
        procedures.active = nil
        procedures.deadline = .never
        events.append(.proceduresChanged)
    }

    /// A time far enough for the peer to have heard of it: six events that it listens to. [Vol 6, Part B, 5.1.1]
    var nextInstant: UInt16 { timing.counter &+ 1 &+ 6 &* (timing.latency &+ 1) }

    /// Whether an instant that was told is still to come. [Vol 6, Part B, 5.5]
    func isAhead(_ instant: UInt16) -> Bool {
        let distance = instant &- timing.counter
        return distance != 0 && distance < 32767
    }

    /// A deadline of this end has come; answers with the reason where the link is over by it.
    func expired(at now: Instant) -> HCIStatus? {
        if terminationDeadline <= now { return .localHostTerminated }
        if supervisionDeadline <= now { return isEstablished ? .connectionTimeout : .failedToBeEstablished }
        return min(procedures.deadline, encryption.deadline) <= now ? .llResponseTimeout : nil
    }

    /// The host ends the link. [Vol 6, Part B, 5.1.6]
    mutating func terminate(_ reason: HCIStatus, at now: Instant) {
        isTerminating = true
        // Unheard for a supervision time-out, the link is over all the same.
        terminationDeadline = now + timing.timeout
        queue(.terminateInd(LLTerminateInd(reason: reason)))
    }
}
