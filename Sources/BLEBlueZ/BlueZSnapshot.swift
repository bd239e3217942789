package import BLEBackend
package import BLEWire

/// A peer that is connected to this machine, by whichever program.
package struct ConnectedPeer: Equatable, Sendable {
    package var peer: PeerID
    package var services: [BluetoothUUID]
}

/// How the snapshot changes by what the machine did.
package enum BlueZChange: Equatable, Sendable {
    case state(AdapterState)
    case linkUp(PeerID)
    case linkDown(PeerID)
    /// ATT_MTU of the link to a peer, whichever side made it.
    case mtu(PeerID, Int)
    case connected([ConnectedPeer])
    case bonded([PeerID])
    /// A write without response was given to BlueZ, or never will be.
    case writeLeft(PeerID)
    case subscribers(LocalAttributeID, [PeerID])
    /// An update was given to BlueZ, or never will be.
    case updateLeft(SessionID)
    case updatesDropped
}

/// Wakes whoever drives a backend: its inbox isn't empty any more. Callable from any thread.
package protocol BlueZWaker: AnyObject, Sendable {
    func wake()
}

/// What callers on any thread share with the driver's side of a `BlueZBackend`, under its one lock.
struct BlueZSnapshot {
    /// Writes without response that may wait, for each peer; updates, for each session.
    static let writeDepth = 32
    static let updateDepth = 32

    var inbox: [BlueZRequest] = []
    weak var waker: (any BlueZWaker)?
    var nextSession: UInt64 = 1
    var state = AdapterState.unknown
    var links: SortedTable<PeerID, LinkView> = .init()
    var connected: [ConnectedPeer] = []
    var bonded: [PeerID] = []
    var updates: SortedTable<SessionID, QueueRoom> = .init()
    /// Who is subscribed to each characteristic of ours that somebody is subscribed to.
    var subscribers: SortedTable<LocalAttributeID, [PeerID]> = .init()

    /// Where it isn't 23.
    var mtus: SortedTable<PeerID, Int> = .init()

    struct LinkView {
        var writes = QueueRoom(depth: BlueZSnapshot.writeDepth)
    }

    /// Room that somebody waits for.
    enum Announcement: Equatable {
        case writes(PeerID)
        case updates(SessionID)
    }

    /// Adds to the inbox; the waker if it is to be woken.
    mutating func append(_ request: BlueZRequest) -> (any BlueZWaker)? {
        inbox.append(request)
        return inbox.count == 1 ? waker : nil
    }

    mutating func reserveWrite(to peer: PeerID) -> Bool { links.update(peer) { $0.writes.reserve() } ?? false }

    /// A place for a write whose command comes now.
    mutating func placeForWrite(to peer: PeerID) -> Bool { links.update(peer) { $0.writes.takeReserved() } ?? false }

    /// Makes the change; the room that it made, if somebody waits for it.
    mutating func apply(_ change: BlueZChange) -> Announcement? {
        switch change {
        case .state(let state): self.state = state
        case .linkUp(let peer): links[peer] = LinkView()
        case .linkDown(let peer):
            links[peer] = nil
            mtus[peer] = nil
        case .mtu(let peer, let mtu): mtus[peer] = mtu
        case .connected(let peers): connected = peers
        case .bonded(let peers): bonded = peers
        case .subscribers(let characteristic, let peers):
            subscribers[characteristic] = peers.isEmpty ? nil : peers
        case .writeLeft(let peer):
            links.update(peer) { $0.writes.release() }
            return links.update(peer) { $0.writes.announces() } == true ? .writes(peer) : nil
        case .updateLeft(let session):
            updates.update(session) { $0.release() }
            return updates.update(session) { $0.announces() } == true ? .updates(session) : nil
        case .updatesDropped:
            for session in updates.keys { updates[session] = QueueRoom(depth: Self.updateDepth) }
        }
        return nil
    }
}
