package import BLEBackend
package import BLEHost
import BLELocking

// Pairing, for callers on any thread.
extension HostBackend {
    package func setPairingAgent(_ agent: (any PairingAgent)?) { put(.pairing(.agent(agent))) }

    package func answerPairing(with peer: PeerID, _ reply: PairingReply) { put(.pairing(.answer(peer, reply))) }

    package func removeBond(with peer: PeerID) { put(.pairing(.removeBond(peer))) }

    package func bondedPeers() -> [KnownPeer] {
        snapshot.withLock { $0.bonded }.map { KnownPeer(id: $0, name: store.name(of: $0)) }
    }

    /// Sets how this phone pairs from now on.
    package func setPairingPolicy(_ policy: PairingPolicy) { put(.pairing(.policy(policy))) }

    /// What the person was asked last and hasn't answered; nil where no pairing is under way.
    package var pairingPrompt: PairingPrompt? { snapshot.withLock { $0.prompt } }
}
