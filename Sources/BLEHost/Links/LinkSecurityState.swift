import BLEWire

/// What protects a link, and what is under way to change that.
struct LinkSecurityState {
    /// What holds at the moment.
    var current = LinkSecurity()
    /// The identity of the peer, where there is a bond with it.
    var bond: DeviceAddress?
    /// What the link is worth once the controller says that it is encrypted; nil = nobody here has asked for that.
    var expected: PairingStrength?
    /// The key on its way is that of the bond, not of a pairing.
    var usesBond = false
    /// The key of a bond that is tried anew isn't given out while LE Enable Encryption is under way.
    var isEncrypting = false
    /// `raiseSecurity` calls of the user without an answer.
    var isOwed = false
    /// A client procedure waits for more security.
    var isWished = false
    /// A pairing has timed out: the protocol is dead on this link. [Vol 3, Part H, 3.4]
    var hasEnded = false
    /// Encryption failed, so that the host has ended the link: what the user is told as the reason.
    var endReason: HCIStatus?
}
