package import BLEWire

/// How LE credit based channels behave on the links of a host. [Vol 3, Part A, 10.1]
package struct ChannelConfiguration: Equatable, Sendable {
    /// Octets of the longest SDU that is taken, 23 to 65,535. Enhanced channels take 64 at least.
    package var mtu = 2048
    /// Octets of the longest K-frame that is taken, 23 to 65,533. With its header one of 247 fills the longest packet of
    /// a link layer. [Vol 6, Part B, 2.4]
    package var mps = 247
    /// K-frames that a peer may send before something of them was taken. With `mps` this bounds what one channel keeps;
    /// at least the frames of two SDUs, so that one can always be finished.
    package var window = 64
    /// Channels of one link, 64 at most. [Vol 3, Part A, 2.1]
    package var limit = 32
    /// K-frames of one channel that may wait for the controller at a time: what else the link has to say passes.
    package var framesAhead = 8
    package init() {}
}

/// What a service demands of the link before a channel to it opens. [Vol 3, Part C, 10.3.2]
package struct ChannelListener: Equatable, Sendable {
    package var needsEncryption: Bool
    /// Whether the key must come from pairing with protection against a man in the middle.
    package var needsAuthentication: Bool
    /// Octets of the shortest key that an encrypted link may have, where encryption is needed.
    package var minimumKeySize: Int
    package init(needsEncryption: Bool = false, needsAuthentication: Bool = false, minimumKeySize: Int = 7) {
        self.needsEncryption = needsEncryption || needsAuthentication
        self.needsAuthentication = needsAuthentication
        self.minimumKeySize = minimumKeySize
    }

    /// What a link with this security is answered. [Vol 3, Part A, 4.23]
    package func verdict(on security: LinkSecurity, minimumKeySize general: Int = 7) -> L2CAPConnectionResult {
        guard needsEncryption else { return .success }
        if !security.isEncrypted {
            return security.hasKey ? .insufficientEncryption : .insufficientAuthentication
        }
        if needsAuthentication, !security.isAuthenticated { return .insufficientAuthentication }
        return security.keySize < max(minimumKeySize, general) ? .encryptionKeySizeTooShort : .success
    }
}

/// What the user of a host asks of the channels of one link.
package enum ChannelCommand: Equatable, Sendable {
    /// Opens a channel to the service; ends in `.opened` or `.openFailed`. [Vol 3, Part A, 4.22]
    case open(OperationToken, spsm: UInt16)
    /// Opens one to five channels at once in the enhanced mode; each one's `.opened` or `.openFailed` has the token.
    /// [Vol 3, Part A, 4.25]
    case openSeveral(OperationToken, spsm: UInt16, count: Int)
    /// Sends an SDU, of at most as many octets as the peer takes; ends in `.sent`, or in the end of the channel.
    case send(ChannelIdentifier, [UInt8])
    /// Octets of received SDUs have been taken: the peer may send as many again.
    case taken(ChannelIdentifier, octets: Int)
    /// Ends a channel; answered by `.closed`. What was handed over before goes out first as far as it has left the
    /// channel's own queue. [Vol 3, Part A, 4.6]
    case close(ChannelIdentifier)
    /// Takes longer SDUs and K-frames on enhanced channels; ends in `.reconfigured`. [Vol 3, Part A, 4.27]
    case reconfigure(OperationToken, [ChannelIdentifier], mtu: Int, mps: Int)
}

/// What the channels of one link tell the user of a host.
package enum ChannelEvent: Equatable, Sendable {
    /// A channel is open; without a token it is one that the peer has opened.
    case opened(ChannelInfo, OperationToken?)
    case openFailed(OperationToken, HostError)
    /// A whole SDU. Its octets count against the peer's credits until they are `taken`.
    case received(ChannelIdentifier, [UInt8])
    /// An SDU of so many octets has left for the controller.
    case sent(ChannelIdentifier, octets: Int)
    /// An SDU couldn't be queued: it is longer than the peer takes.
    case refused(ChannelIdentifier, HostError)
    case closed(ChannelIdentifier, ChannelEnd)
    case reconfigured(OperationToken, HostError?)
    /// The peer takes SDUs of another length from now on.
    case peerReconfigured(ChannelIdentifier, mtu: Int)
}

/// A channel as it came to be.
package struct ChannelInfo: Equatable, Sendable {
    /// Our end of it: names it until it is closed.
    package var channel: ChannelIdentifier
    /// The service that it leads to.
    package var spsm: UInt16
    /// Octets of the longest SDU that the peer takes.
    package var mtu: Int
    package var isEnhanced: Bool
    package init(channel: ChannelIdentifier, spsm: UInt16, mtu: Int, isEnhanced: Bool = false) {
        self.channel = channel
        self.spsm = spsm
        self.mtu = mtu
        self.isEnhanced = isEnhanced
    }
}

/// Why a channel ended.
package enum ChannelEnd: Equatable, Sendable {
    /// By `.close`.
    case own
    case peer
    /// The peer broke a rule of the channel, which was ended for it. [Vol 3, Part A, 3.4.3]
    case violation(String)
    case link(HCIStatus)
}

/// What the channels of one link want done, in order.
enum ChannelOutput {
    /// A command for the signalling channel.
    case signal(L2CAPSignallingPacket)
    /// A K-frame for the peer's end of a channel. Once it has left for the controller, `sent` wants to know the serial.
    case frame([UInt8], to: ChannelIdentifier, serial: UInt64)
    /// K-frames to the peer's end that haven't left yet are to be dropped.
    case drop(ChannelIdentifier)
    case event(ChannelEvent)
    case trace(TraceEvent)
}
