package import BLEWire

/// Performs GAP and GATT operations for the managers of one device: our own host on a controller, or BlueZ.
///
/// *Threading*: every method may be called from any thread and never waits for the radio. Commands of one session
/// keep their order. Events reach the session's sink in order, one batch at a time, and never within a call: the
/// caller may hold a lock.
package protocol Backend: AnyObject, Sendable {
    /// Opens a session. The sink is held weakly; its first event is `.stateChanged`, never within this call.
    func openSession(_ role: SessionRole, sink: any BackendSink) -> SessionID
    /// Ends the session: its scan, advertising, pending connections and links end. [contract 16]
    func closeSession(_ session: SessionID)
    func perform(_ command: BackendCommand, in session: SessionID)

    // Answered at once from a snapshot.

    /// The state last reported to the sessions; `.unknown` before that.
    var adapterState: AdapterState { get }
    /// ATT_MTU of the link to the peer; 23 until it was exchanged or where there is no link.
    func attMTU(of peer: PeerID) -> Int
    /// Whether there is room for a write without response. [contract 77]
    func canSendWriteWithoutResponse(to peer: PeerID) -> Bool
    /// Takes room for one write without response; false where there is none (then one
    /// `.readyToWriteWithoutResponse` follows when there is).
    func reserveWriteWithoutResponse(to peer: PeerID) -> Bool
    /// Queues a notification or indication of the value for those of the centrals that are subscribed (nil = all).
    /// False: the queue is full, nothing was queued, one `.readyToUpdateSubscribers` follows. [contract 104, 105]
    func updateValue(
        _ value: [UInt8], of characteristic: LocalAttributeID, centrals: [PeerID]?, in session: SessionID
    ) -> Bool
    /// Those of the peers that are known here, in the order asked, with their cached names. [contract 40]
    func knownPeers(_ peers: [PeerID]) -> [KnownPeer]
    /// Remembers the peer for good before it returns: the program may be killed next, and is to find it again by its
    /// identifier. [contract 124]
    func keep(_ peer: PeerID)
    /// An object of the program stands for the peer: however many others are heard, the peer is known by its identifier
    /// until as many `release` have come.
    func hold(_ peer: PeerID)
    /// An object that stood for the peer is gone.
    func release(_ peer: PeerID)
    /// Sets who stands for the person in front of the device; nil = nobody does. Held until another one is set.
    func setPairingAgent(_ agent: (any PairingAgent)?)
    /// Answers what the agent was asked last about the peer.
    func answerPairing(with peer: PeerID, _ reply: PairingReply)
    /// Peers that the device has bonds with.
    func bondedPeers() -> [KnownPeer]
    /// Forgets a bond and ends the link to the peer.
    func removeBond(with peer: PeerID)
    /// Peers connected to this device with any of the services. [contract 41]
    func connectedPeers(withServices services: [BluetoothUUID]) -> [KnownPeer]
}

/// Takes the events of one session. Called on the backend's own thread of control: hand over and return.
package protocol BackendSink: AnyObject, Sendable {
    func receive(_ events: [BackendEvent])
}

/// A peer that the backend knows.
package struct KnownPeer: Equatable, Sendable {
    package var id: PeerID
    package var name: String?
    package init(id: PeerID, name: String?) {
        self.id = id
        self.name = name
    }
}
