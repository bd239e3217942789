package import BLEWire

/// What one pairing is about: who, in which role, under which policy.
package struct PairingContext: Equatable, Sendable {
    /// The central is the initiator. [Vol 3, Part H, 2.4.1]
    package var isInitiator: Bool
    /// The addresses with which the link was made. [Vol 3, Part H, 2.2.3]
    package var ownAddress: DeviceAddress
    package var peerAddress: DeviceAddress
    package var policy = PairingPolicy()
    package var outOfBand = OutOfBandData()
    /// What this device tells of itself: its identity address, and the key that resolves its private addresses; 0
    /// where it uses none. [Vol 3, Part H, 3.6.4]
    package var ownIdentity: DeviceAddress
    package var ownIRK: Key128 = 0
    /// The strength of the bond with which the link is encrypted already: a pairing mustn't be weaker.
    package var presentStrength: PairingStrength?

    package init(isInitiator: Bool, ownAddress: DeviceAddress, peerAddress: DeviceAddress) {
        self.isInitiator = isInitiator
        self.ownAddress = ownAddress
        self.peerAddress = peerAddress
        ownIdentity = ownAddress
    }
}

/// What a key is worth. [Vol 3, Part C, 10.2.1]
package struct PairingStrength: Hashable, Sendable {
    /// A man in the middle would have been noticed.
    package var isAuthenticated: Bool
    package var isSecureConnections: Bool
    /// Octets of the key.
    package var keySize: Int

    package init(isAuthenticated: Bool, isSecureConnections: Bool, keySize: Int) {
        self.isAuthenticated = isAuthenticated
        self.isSecureConnections = isSecureConnections
        self.keySize = keySize
    }

    /// Whether it is worse in any respect.
    package func isWeaker(than other: PairingStrength) -> Bool {
        other.isAuthenticated && !isAuthenticated || other.isSecureConnections && !isSecureConnections
            || keySize < other.keySize
    }
}

/// What happens to a pairing.
package enum PairingInput: Equatable, Sendable {
    /// Begins: an initiator by Pairing Request, a responder by Security Request.
    case start
    /// A command from the peer.
    case received([UInt8])
    case answered(PairingAnswer)
    /// The person has pressed a key of the passkey.
    case pressed(SMPKeypress)
    /// HCI_Encryption_Change or HCI_Encryption_Key_Refresh_Complete.
    case encryptionChanged(HCIStatus)
    case linkLost(HCIStatus)
    case timerFired
}

/// What a pairing wants done, in order.
package enum PairingOutput: Equatable, Sendable {
    /// A command for the peer.
    case send([UInt8])
    case ask(PairingQuestion)
    /// The peer's person has pressed a key.
    case peerPressed(SMPKeypress)
    /// As initiator: encrypt the link with this key, EDIV 0 and Rand 0.
    case encrypt(Key128)
    case completed(PairingResult)
    /// Nothing of it is kept.
    case failed(PairingFailure)
    case trace(TraceEvent)
}

/// What a person is asked, or told. The kinds are never mixed up: a number to be compared is no passkey.
package enum PairingQuestion: Hashable, Sendable {
    /// Whether to pair at all, with nothing to compare: Just Works.
    case confirm
    /// The six digits to be typed at the peer. Answered only to call the pairing off.
    case displayPasskey(UInt32)
    /// The six digits that the peer shows, or that both sides are given.
    case enterPasskey
    /// Whether the peer shows the same six digits.
    case compare(UInt32)
    /// Whether a bond with the same peer may be replaced by the one that has just been made.
    case replaceBond

    /// Whether the pairing waits for the answer.
    package var needsAnswer: Bool {
        if case .displayPasskey = self { return false }
        return true
    }
}

package enum PairingAnswer: Hashable, Sendable {
    case accept
    case reject
    case passkey(UInt32)
}

/// Why there is no key.
package enum PairingFailure: Error, Hashable, Sendable {
    /// This side has ended it.
    case sent(SMPReason)
    /// The peer has ended it.
    case received(SMPReason)
    /// The next step took too long: no more of the protocol on this link. [Vol 3, Part H, 3.4]
    case timeout
    /// The link couldn't be encrypted with the new key.
    case encryption(HCIStatus)
    case disconnected(HCIStatus)
}

/// A key that encrypts links, with what names it. [Vol 3, Part H, 2.4.4]
package struct EncryptionKey: Hashable, Sendable {
    package var longTermKey: Key128
    /// 0 in LE Secure Connections.
    package var diversifier: UInt16
    package var random: UInt64
    package init(longTermKey: Key128, diversifier: UInt16 = 0, random: UInt64 = 0) {
        self.longTermKey = longTermKey
        self.diversifier = diversifier
        self.random = random
    }
}

/// What a pairing has brought.
package struct PairingResult: Equatable, Sendable {
    package var model: AssociationModel
    package var strength: PairingStrength
    /// Both sides want the keys to be kept.
    package var isBonding: Bool
    /// The key for links in which this side is the peripheral, and that for links in which it is the central.
    package var keyAsPeripheral: EncryptionKey?
    package var keyAsCentral: EncryptionKey?
    /// Nil where the peer told none, or none that resolves anything.
    package var peerIRK: Key128?
    package var peerIdentity: DeviceAddress?
    package var peerSigningKey: Key128?
    package var ownSigningKey: Key128?

    package init(model: AssociationModel, strength: PairingStrength, isBonding: Bool) {
        self.model = model
        self.strength = strength
        self.isBonding = isBonding
    }
}
