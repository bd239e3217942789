import BLEBackend
import BLEHost
import BLEWire

/// One manager's session, as the driver's side sees it.
struct Session {
    let id: SessionID
    let role: SessionRole
    let sink: WeakSink
    /// Events since the last delivery.
    var batch: [BackendEvent] = []

    // Central role.
    var scan: SessionScan?
    /// Peers that the session wants to be connected to.
    var wishes: SortedTable<PeerID, ConnectionWish> = .init()

    // Peripheral role.
    var advertising: SessionAdvertising?

    init(id: SessionID, role: SessionRole, sink: WeakSink) {
        self.id = id
        self.role = role
        self.sink = sink
    }
}

/// A session's wish to be connected to a peer.
struct ConnectionWish {
    enum State: Equatable {
        /// Waits for its start delay, or for the pause before an automatic reconnection.
        case delayed
        /// The host has been asked, or will be once the link that ends is gone.
        case pending
        case connected(ConnectionHandle)
        /// The link was asked to end.
        case disconnecting(ConnectionHandle)
    }
    var state: State
    var options: ConnectOptions
    /// The link of the connection before, whose end is still to be told: that comes before the new connection.
    var owedEnd: ConnectionHandle?
    /// Whether this is an automatic reconnection: a failure isn't the program's. [contract 52]
    var isReconnection = false
    /// The pause before the next automatic attempt.
    var pause: Delay

    init(state: State, options: ConnectOptions, pause: Delay) {
        self.state = state
        self.options = options
        self.pause = pause
    }

    /// The link that the session may use.
    var link: ConnectionHandle? {
        if case .connected(let link) = state { link } else { nil }
    }
}

/// What a session has on the air.
struct SessionAdvertising {
    var request: AdvertisingRequest
    /// The host's answer is still to come and goes to the session.
    var isStarting = true
}
