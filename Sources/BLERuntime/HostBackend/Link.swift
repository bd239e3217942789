import BLEBackend
import BLEHost
import BLEWire

/// A link to a peer, as the driver's side sees it: both roles meet on it.
struct Link {
    let handle: ConnectionHandle
    let peer: PeerID
    let address: DeviceAddress
    /// Whether we made it.
    let isCentral: Bool
    var mtu = 23
    /// We asked for its end; nobody may use it any more.
    var isEnding = false

    var isEncrypted = false
    /// The link couldn't be encrypted with the key of its bond.
    var encryptionFailure: HCIStatus?

    // As client.
    /// Sessions that are connected to the peer, in the order in which they came.
    var users: [SessionID] = []
    /// Operations of the sessions, answered in order. [contract 72]
    var waiting: [ClientOperation] = []
    var running: ClientOperation?
    /// What the running procedure finds is known, and isn't asked of the host.
    var remembered: GATTOutcome?
    /// What is remembered of the peer's database; nil: nothing is, nor is to be.
    var database: LinkDatabase?
    /// What the backend itself wants to know of the peer, done while nobody else wants something.
    var policy = LinkPolicySteps()
    /// What values the sessions are subscribed to, by the characteristic's value handle.
    var subscriptions: SortedTable<AttributeHandle, RemoteSubscription> = .init()
    /// CCCDs that were found, by the characteristic's value handle.
    var configurations: SortedTable<AttributeHandle, AttributeHandle> = .init()
    /// Services that were found, by their first handle; true for primary ones.
    var services: SortedTable<AttributeHandle, RemoteService> = .init()
    /// Sessions that wait for an RSSI.
    var rssiReaders: [SessionID] = []

    // As server.
    /// What the peer is subscribed to, by the characteristic's value handle.
    var subscribed: SortedTable<AttributeHandle, ClientConfiguration> = .init()

    init(_ info: LinkInfo, peer: PeerID) {
        handle = info.handle
        self.peer = peer
        address = info.peer
        isCentral = info.isCentral
    }

    /// A link that the peer made and no session of ours uses is the peer's alone.
    var isClient: Bool { isCentral || !users.isEmpty }
}

/// A characteristic of a peer whose values some sessions get.
struct RemoteSubscription: Equatable {
    /// Sessions that get the values.
    var sessions: [SessionID]
    /// The CCCD was written and confirmed; values come from the moment that the write leaves.
    var isConfirmed = false
}
