import BLEBackend
import BLEWire

/// One manager's session, as the machine sees it.
struct BlueZSession {
    let id: SessionID
    let role: SessionRole
    let sink: WeakSink
    /// Events since the last delivery.
    var batch: [BackendEvent] = []

    // Central role.
    var scan: SessionScan?
    /// Peers that the session wants to be connected to.
    var wishes: SortedTable<PeerID, BlueZWish> = .init()

    // Peripheral role.
    var advertising: BlueZAdvertising?

    init(id: SessionID, role: SessionRole, sink: WeakSink) {
        self.id = id
        self.role = role
        self.sink = sink
    }
}

/// A session's wish to be connected to a peer.
struct BlueZWish: Equatable {
    enum State: Equatable {
        /// Waits for its start delay.
        case delayed
        /// BlueZ has been asked, or will be once the link that ends is gone.
        case pending
        case connected
        /// The link was asked to end.
        case disconnecting
    }
    var state: State
    var options: ConnectOptions
    /// The connection before is still to be told as ended: that comes before the new one.
    var owesEnd = false
    /// Whether this is an automatic reconnection: a failure isn't the program's. [contract 52]
    var isReconnection = false
}

/// BlueZ's way to a link.
struct Attempt: Equatable {
    enum Phase: Equatable {
        /// BlueZ has no object for the peer: it must be heard first.
        case finding
        /// `Connect` was called at this time.
        case calling(Instant)
        /// `Connect` said yes; whether it's true is asked.
        case checking
        /// The next call waits for a timer.
        case pausing
    }
    let number: UInt64
    var phase: Phase
    /// Calls that failed, and that found another one under way.
    var failures = 0
    var collisions = 0
    var checks = 0
}

/// A link that sessions of ours use.
struct BlueZLink {
    let peer: PeerID
    let path: String
    /// Tells it from the peer's links before.
    let number: UInt64
    /// Whether our `Connect` made it: another program's link isn't ended. [contract 46]
    var isOurs: Bool
    var users: [SessionID] = []
    /// Services and ATT_MTU are known.
    var isReady = false
    var isEnding = false
    /// What BlueZ has said about its end.
    var reason: BackendError?
    var mtu = 23
    var waiting: [BlueZOperation] = []
    var running: BlueZOperation?
    /// Values that came while it wasn't clear what they are.
    var held: [(handle: AttributeHandle, value: [UInt8])] = []
    var subscriptions: SortedTable<AttributeHandle, BlueZSubscription> = .init()
    /// Services that came or went, to be told soon.
    var modified: ClosedRange<AttributeHandle>?

    init(peer: PeerID, path: String, number: UInt64, isOurs: Bool) {
        self.peer = peer
        self.path = path
        self.number = number
        self.isOurs = isOurs
    }
}

/// Values of a characteristic that sessions want to be told.
struct BlueZSubscription {
    let path: String
    var sessions: [SessionID]
}

/// Something that a session asked of a link.
struct BlueZOperation: Equatable {
    enum Kind: Equatable {
        case services([BluetoothUUID]?)
        case includedServices(RemoteService, [BluetoothUUID]?)
        case characteristics(RemoteService, [BluetoothUUID]?)
        case descriptors(RemoteCharacteristic)
        case read(AttributeHandle)
        case write(AttributeHandle, [UInt8])
        case writeCommand(AttributeHandle, [UInt8], hasPlace: Bool)
        case setNotify(RemoteCharacteristic, Bool)
    }
    let session: SessionID
    let kind: Kind
    /// Tells its last call from those of operations before.
    var attempt: UInt64 = 0
    /// How often BlueZ was busy with another program's.
    var collisions = 0
    var hasPaired = false
    /// The session has left: nobody is told.
    var isAbandoned = false
}
