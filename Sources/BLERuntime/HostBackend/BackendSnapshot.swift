package import BLEBackend
package import BLEWire

/// What callers on any thread share with the driver's side of a `HostBackend`, under its one lock: the inbox, and what
/// is answered at once.
package struct BackendSnapshot {
    var inbox: [BackendInput] = []
    weak var driver: (any HostDriver)?
    var nextSession: UInt64 = 1
    var state = AdapterState.unknown
    /// One for each connected peer.
    var links: SortedTable<PeerID, LinkView> = .init()
    /// Peers in the order in which they were connected.
    var linkOrder: [PeerID] = []
    /// Updates that wait, of each peripheral session.
    var updates: SortedTable<SessionID, QueueRoom> = .init()
    /// Who is subscribed to each characteristic of ours that somebody is subscribed to.
    var subscribers: SortedTable<LocalAttributeID, [PeerID]> = .init()

    /// Peers that the device has bonds with.
    var bonded: [PeerID] = []
    /// What the person was asked last.
    var prompt: PairingPrompt?

    /// What is to be known of a link.
    struct LinkView {
        var mtu: Int
        var writes: QueueRoom
        /// Whether programs use it as central.
        var isClient: Bool
        /// Services that are known to be there.
        var services: [BluetoothUUID] = []
    }
}

/// What comes in from callers.
package enum BackendInput {
    case open(SessionID, SessionRole, WeakSink)
    case close(SessionID)
    /// `hasPlace`: a place in the link's queue was taken for this write without response.
    case command(SessionID, BackendCommand, hasPlace: Bool)
    /// A place in the session's queue was taken.
    case update(SessionID, LocalAttributeID, [UInt8], centrals: [PeerID]?)
    case condition(AdapterCondition)
    case pairing(PairingOrder)
    /// Whether the phone's programs are in the background. [contract 32, 114]
    case background(Bool)
    /// A program has read from a channel, written to it, or closed it.
    case channel(ChannelNumber)
}

/// How the snapshot changes by what the driver's side did.
package enum SnapshotChange: Equatable {
    case state(AdapterState)
    case linkUp(PeerID, mtu: Int, isClient: Bool)
    case linkDown(PeerID)
    case isClient(PeerID, Bool)
    case mtu(PeerID, Int)
    case services(PeerID, [BluetoothUUID])
    /// A write without response has left, or never will.
    case writeLeft(PeerID)
    case subscribers(LocalAttributeID, [PeerID])
    /// An update has left for every central, or never will.
    case updateLeft(SessionID)
    case updatesDropped
    case bonded([PeerID])
    case prompt(PairingPrompt?)
}

extension BackendSnapshot {
    /// Makes the change. `settings` gives the depths.
    package mutating func apply(_ change: SnapshotChange, _ profile: PhoneProfile) {
        switch change {
        case .state(let state): self.state = state
        case .linkUp(let peer, let mtu, let isClient):
            links[peer] = LinkView(mtu: mtu, writes: QueueRoom(depth: profile.writeQueueDepth), isClient: isClient)
            linkOrder.removeAll { $0 == peer }
            linkOrder.append(peer)
        case .linkDown(let peer):
            links[peer] = nil
            linkOrder.removeAll { $0 == peer }
        case .isClient(let peer, let isClient): links.update(peer) { $0.isClient = isClient }
        case .mtu(let peer, let mtu): links.update(peer) { $0.mtu = mtu }
        case .services(let peer, let services): links.update(peer) { $0.services = services }
        case .writeLeft(let peer): links.update(peer) { $0.writes.release() }
        case .subscribers(let characteristic, let peers):
            subscribers[characteristic] = peers.isEmpty ? nil : peers
        case .updateLeft(let session): updates.update(session) { $0.release() }
        case .bonded(let peers): bonded = peers
        case .prompt(let prompt): self.prompt = prompt
        case .updatesDropped:
            for session in updates.keys { updates[session] = QueueRoom(depth: profile.updateQueueDepth) }
        }
    }

    /// Whether the room that the change made is to be announced, and to whom: sessions that use the peer, or one.
    package mutating func announcement(after change: SnapshotChange) -> RoomAnnouncement? {
        switch change {
        case .writeLeft(let peer):
            links.update(peer) { $0.writes.announces() } == true ? .writes(peer) : nil
        case .updateLeft(let session):
            updates.update(session) { $0.announces() } == true ? .updates(session) : nil
        default: nil
        }
    }
}

/// Room that somebody waits for.
package enum RoomAnnouncement: Equatable {
    case writes(PeerID)
    case updates(SessionID)
}
