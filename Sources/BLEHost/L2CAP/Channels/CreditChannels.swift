import BLEWire

/// The LE credit based channels of one link.
///
/// *Role*: opens, accepts, ends and reconfigures channels by the signalling channel, in the LE mode and in the enhanced
/// one [Vol 3, Part A, 10.1], [Vol 3, Part A, 10.2], and moves their SDUs.
///
/// *Inputs and outputs*: commands of the user, signalling commands and K-frames of the peer, and time in;
/// `ChannelOutput` out, in order. `deadline` says when `timerFired` is due.
///
/// *Limits*: `ChannelConfiguration.limit` channels; a peer that asks for more is told so. A peer that breaks a rule of a
/// channel loses that channel and no other.
struct CreditChannels {
    /// A request that the peer hasn't answered.
    struct Request {
        enum Kind {
            case open(OperationToken, own: ChannelIdentifier, spsm: UInt16)
            case openSeveral(OperationToken, own: [ChannelIdentifier], spsm: UInt16)
            case close(own: ChannelIdentifier)
            case reconfigure(OperationToken, [ChannelIdentifier], mtu: Int, mps: Int)
        }
        let identifier: UInt8
        var deadline: Instant
        let kind: Kind
    }

    let configuration: ChannelConfiguration
    let timeout: Delay
    /// Every request of the link gets its identifier here.
    var identifiers = SignallingIdentifiers()
    /// In the order of our identifiers.
    var channels: [CreditChannel] = []
    var requests: [Request] = []
    private var lastSerial: UInt64 = 0

    /// - Parameter timeout: how long the peer may take to answer. [Vol 3, Part A, 6.2.1]
    init(configuration: ChannelConfiguration, timeout: Delay) {
        self.configuration = configuration
        self.timeout = timeout
    }

    /// When the first request without an answer has had its time.
    var deadline: Instant {
        var earliest = Instant.never
        for request in requests { earliest = earliest.earlier(request.deadline) }
        return earliest
    }

    /// A bit for each of our identifiers that K-frames may come on: 0x0040 is bit 0. [Vol 3, Part A, 2.1]
    var openBits: UInt64 { channels.reduce(0) { $0 | 1 << UInt64($1.own.rawValue - 0x40) } }
    /// Octets of the longest K-frame that any channel takes.
    var longestFrame: Int { channels.reduce(0) { max($0, $1.mps) } }

    // MARK: Names

    /// Identifiers that LE has for channels. [Vol 3, Part A, 2.1]
    static let dynamic: ClosedRange<UInt16> = 0x0040...0x007F

    /// Channels that are there or on their way.
    var count: Int {
        requests.reduce(channels.count) { count, request in
            switch request.kind {
            case .open: count + 1
            case .openSeveral(_, let own, _): count + own.count
            case .close, .reconfigure: count
            }
        }
    }

    var limit: Int { min(configuration.limit, Self.dynamic.count) }

    /// So many identifiers that nothing has; fewer where there aren't as many.
    func freeIdentifiers(_ count: Int) -> [ChannelIdentifier] {
        var used = channels.map(\.own)
        for request in requests {
            switch request.kind {
            case .open(_, let own, _): used.append(own)
            case .openSeveral(_, let own, _): used += own
            case .close, .reconfigure: break
            }
        }
        let free = Self.dynamic.lazy.map(ChannelIdentifier.init).filter { !used.contains($0) }
        return Array(free.prefix(count))
    }

    func index(ofOwn channel: ChannelIdentifier) -> Int? { channels.firstIndex { $0.own == channel } }
    func index(ofRemote channel: ChannelIdentifier) -> Int? { channels.firstIndex { $0.remote == channel } }

    /// Enters a channel that is open from now on.
    mutating func insert(
        own: ChannelIdentifier, remote: ChannelIdentifier, spsm: UInt16, isEnhanced: Bool,
        peer: (mtu: UInt16, mps: UInt16, credits: UInt16)
    ) -> ChannelInfo {
        lastSerial += 1
        let channel = CreditChannel(
            own: own, remote: remote, spsm: spsm, isEnhanced: isEnhanced, serial: lastSerial, peer: peer,
            terms: ChannelTerms(configuration, isEnhanced: isEnhanced))
        let index = channels.firstIndex { $0.own.rawValue > own.rawValue } ?? channels.count
        channels.insert(channel, at: index)
        return channel.info
    }

    // MARK: Requests

    /// Sends a request and waits for its answer.
    mutating func ask(_ signal: L2CAPSignal, _ kind: Request.Kind, at now: Instant, into out: inout [ChannelOutput]) {
        let identifier = identifiers.take()
        requests.append(Request(identifier: identifier, deadline: now + timeout, kind: kind))
        out.append(.signal(L2CAPSignallingPacket(identifier: identifier, signal: signal)))
    }

    /// The request with this identifier, which is answered now.
    mutating func answered(_ identifier: UInt8, _ matches: (Request.Kind) -> Bool) -> Request? {
        guard let index = requests.firstIndex(where: { $0.identifier == identifier && matches($0.kind) }) else {
            return nil
        }
        identifiers.release(identifier)
        return requests.remove(at: index)
    }

    mutating func timerFired(at now: Instant, into out: inout [ChannelOutput]) {
        while let due = requests.first(where: { $0.deadline <= now }) {
            _ = answered(due.identifier) { _ in true }
            fail(due, .invalidResponse("no answer to the L2CAP request"), into: &out)
        }
    }

    /// A request that nothing comes of.
    mutating func fail(_ request: Request, _ error: HostError, into out: inout [ChannelOutput]) {
        switch request.kind {
        case .open(let token, _, _): out.append(.event(.openFailed(token, error)))
        case .openSeveral(let token, let own, _):
            for _ in own { out.append(.event(.openFailed(token, error))) }
        case .close(let own): remove(own, .own, into: &out)
        case .reconfigure(let token, _, _, _): out.append(.event(.reconfigured(token, error)))
        }
    }

    /// The link is gone, and everything with it.
    mutating func linkEnded(_ reason: HCIStatus, into out: inout [ChannelOutput]) {
        let gone = requests
        requests = []
        for request in gone {
            if case .close = request.kind { continue }
            fail(request, .disconnected(reason), into: &out)
        }
        for channel in channels where !channel.isEndTold { out.append(.event(.closed(channel.own, .link(reason)))) }
        channels = []
    }

    func trace(_ level: TraceEvent.Level, _ message: String, into out: inout [ChannelOutput]) {
        out.append(.trace(TraceEvent(level, "l2cap", message)))
    }
}
