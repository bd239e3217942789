import BLEWire

/// One LE credit based channel. [Vol 3, Part A, 10.1]
///
/// *Role*: segmentation and reassembly of SDUs [Vol 3, Part A, 7.12], and credits both ways.
///
/// *Inputs and outputs*: K-frames in and SDUs out, SDUs in and K-frames out, octets that were taken in and credits for
/// the peer out.
///
/// *Limits*: keeps no more than `window` K-frames of the peer's, whatever their number: credits are given back by
/// octets, so a peer with short frames isn't held up, and one that nobody reads from is.
struct CreditChannel {
    /// A rule that the peer broke.
    struct Violation: Error { let text: String }

    let own: ChannelIdentifier
    let remote: ChannelIdentifier
    let spsm: UInt16
    let isEnhanced: Bool
    /// Names the channel for ever, which its identifier doesn't.
    let serial: UInt64
    /// We have asked for its end, or it broke a rule: nothing is sent or taken any more.
    var isClosing = false
    /// The user knows of its end already.
    var isEndTold = false

    // Towards the peer.
    var peerMTU: Int
    var peerMPS: Int
    /// K-frames that may be sent.
    private(set) var credits: Int
    private var outgoing = FIFO<[UInt8]>()
    /// Octets of the first SDU that have left.
    private var offset = 0
    /// K-frames that haven't left for the controller: the octets of the SDU that a frame ends, else -1.
    private var ahead = FIFO<Int>()

    // From the peer.
    var mtu: Int
    var mps: Int
    private let window: Int
    /// K-frames that the peer may send.
    private var granted: Int
    private var partial: [UInt8] = []
    private var missing = 0
    /// Octets of SDUs that were told and not taken.
    private var untaken = 0

    init(
        own: ChannelIdentifier, remote: ChannelIdentifier, spsm: UInt16, isEnhanced: Bool, serial: UInt64,
        peer: (mtu: UInt16, mps: UInt16, credits: UInt16), terms: ChannelTerms
    ) {
        self.own = own
        self.remote = remote
        self.spsm = spsm
        self.isEnhanced = isEnhanced
        self.serial = serial
        peerMTU = Int(peer.mtu)
        peerMPS = Int(peer.mps)
        credits = Int(peer.credits)
        mtu = terms.mtu
        mps = terms.mps
        window = terms.window
        granted = terms.window
    }

    var info: ChannelInfo { ChannelInfo(channel: own, spsm: spsm, mtu: peerMTU, isEnhanced: isEnhanced) }

    // MARK: Receiving

    /// Takes a K-frame; an SDU if it ended one. [Vol 3, Part A, 3.4.3]
    mutating func receive(_ frame: [UInt8]) throws(Violation) -> [UInt8]? {
        guard granted > 0 else { throw Violation(text: "a K-frame without a credit") }
        granted -= 1
        guard frame.count <= mps else { throw Violation(text: "a K-frame of \(frame.count) octets, MPS is \(mps)") }
        guard missing == 0 else { return try proceed(frame) }
        guard frame.count >= 2 else { throw Violation(text: "a K-frame without the whole SDU length") }
        let length = Int(frame[0]) | Int(frame[1]) << 8
        guard length <= mtu else { throw Violation(text: "an SDU of \(length) octets, MTU is \(mtu)") }
        guard frame.count - 2 <= length else { throw Violation(text: "more octets than the SDU length says") }
        untaken += frame.count - 2
        if frame.count - 2 == length { return Array(frame[2...]) }
        partial.reserveCapacity(length)
        partial.append(contentsOf: frame[2...])
        missing = length - partial.count
        return nil
    }

    /// A K-frame that goes on with an SDU.
    private mutating func proceed(_ frame: [UInt8]) throws(Violation) -> [UInt8]? {
        guard !frame.isEmpty else { throw Violation(text: "a K-frame without an octet") }
        guard frame.count <= missing else { throw Violation(text: "more octets than the SDU length says") }
        untaken += frame.count
        partial.append(contentsOf: frame)
        missing -= frame.count
        guard missing == 0 else { return nil }
        defer { partial = [] }
        return partial
    }

    mutating func take(_ octets: Int) { untaken = max(untaken - max(octets, 0), partial.count) }

    /// Credits that the peer is to get back now; few and large grants rather than one for each frame. [Vol 3, Part A, 10.1]
    mutating func grant() -> UInt16? {
        let kept = (untaken + mps - 1) / mps
        let due = window - kept - granted
        guard due >= (window + 1) / 2 else { return nil }
        granted += due
        return UInt16(clamping: due)
    }

    // MARK: Sending

    /// Takes credits. False: that makes more than 65,535. [Vol 3, Part A, 4.24]
    mutating func addCredits(_ count: UInt16) -> Bool {
        guard credits + Int(count) <= 0xFFFF else { return false }
        credits += Int(count)
        return true
    }

    mutating func append(_ sdu: [UInt8]) { outgoing.append(sdu) }

    /// The next K-frame, if there is something to send, a credit for it, and room ahead of the controller.
    mutating func nextFrame(ahead limit: Int) -> [UInt8]? {
        guard credits > 0, !isClosing, ahead.count < limit, let sdu = outgoing.first else { return nil }
        credits -= 1
        var frame: [UInt8] = []
        let header = offset == 0 ? 2 : 0
        let end = min(sdu.count, offset + peerMPS - header)
        frame.reserveCapacity(end - offset + header)
        if header > 0 {
            frame.append(UInt8(truncatingIfNeeded: sdu.count))
            frame.append(UInt8(truncatingIfNeeded: sdu.count >> 8))
        }
        frame.append(contentsOf: sdu[offset..<end])
        let isLast = end == sdu.count
        ahead.append(isLast ? sdu.count : -1)
        offset = isLast ? 0 : end
        if isLast { _ = outgoing.popFirst() }
        return frame
    }

    /// A K-frame has left; the octets of the SDU that it ended.
    mutating func left() -> Int? {
        guard let octets = ahead.popFirst(), octets >= 0 else { return nil }
        return octets
    }
}

/// What we offer on a channel: the configuration, brought within what the specification allows.
struct ChannelTerms {
    var mtu: Int
    var mps: Int
    var window: Int

    init(_ configuration: ChannelConfiguration, isEnhanced: Bool) {
        // [Vol 3, Part A, 4.22], [Vol 3, Part A, 4.25]
        let least = isEnhanced ? 64 : 23
        mtu = min(max(configuration.mtu, least), 0xFFFF)
        mps = min(max(configuration.mps, least), 0xFFFD)
        window = min(max(configuration.window, 2 * ((mtu + mps + 1) / mps)), 0xFFFF)
    }
}
