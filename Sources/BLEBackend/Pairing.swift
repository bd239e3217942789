/// What a person is asked or told while two devices pair. [Vol 3, Part H, 2.3.5.1]
package struct PairingPrompt: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Whether to pair at all, with nothing to compare.
        case confirm
        /// Six digits to be typed at the peer; answered only to call the pairing off.
        case displayPasskey(UInt32)
        case enterPasskey
        /// Whether the peer shows the same six digits.
        case compare(UInt32)
        /// Whether the bond that there is with the peer may be replaced.
        case replaceBond
    }
    package var peer: PeerID
    package var name: String?
    package var kind: Kind

    package init(peer: PeerID, name: String?, kind: Kind) {
        self.peer = peer
        self.name = name
        self.kind = kind
    }
}

/// What the person says.
package enum PairingReply: Hashable, Sendable {
    case accept
    case reject
    /// 0 to 999999.
    case passkey(UInt32)
}

/// Stands for the person in front of a device. Called on the backend's own thread of control: hand over and return.
package protocol PairingAgent: AnyObject, Sendable {
    func asked(_ prompt: PairingPrompt)
    /// A pairing has ended: what was asked needs no answer any more. Nil: there is a key.
    func ended(_ peer: PeerID, _ error: BackendError?)
}

extension Backend {
    package func setPairingAgent(_ agent: (any PairingAgent)?) {}
    package func answerPairing(with peer: PeerID, _ reply: PairingReply) {}
    package func bondedPeers() -> [KnownPeer] { [] }
    package func removeBond(with peer: PeerID) {}
}
