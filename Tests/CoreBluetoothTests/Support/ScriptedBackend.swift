import BLEBackend
import BLERuntime
import BLEWire
import CoreBluetooth
import BLELocking

/// A backend that does nothing by itself: it notes the commands, and a test plays the events.
final class ScriptedBackend: Backend {
    struct State {
        var sessions: [SessionID: WeakSink] = [:]
        var sessionCount: UInt64 = 0
        var closed: [SessionID] = []
        var commands: [BackendCommand] = []
        /// What answers commands by itself, on a thread of its own as a backend would.
        var answer: (@Sendable (BackendCommand) -> [BackendEvent])?
        var adapterState = AdapterState.unknown
        var mtu = 23
        var writeRoom = Int.max
        var updateRoom = Int.max
        var updates: [Update] = []
        var known: [KnownPeer] = []
        /// For how many objects each peer is held.
        var held: [PeerID: Int] = [:]
        var connected: [KnownPeer] = []
        /// The services that connected peers were asked for last.
        var askedServices: [BluetoothUUID] = []
    }
    struct WeakSink: Sendable { weak var sink: (any BackendSink)? }
    struct Update: Equatable, Sendable {
        var value: [UInt8]
        var characteristic: LocalAttributeID
        var centrals: [PeerID]?
    }

    let state = Locked(State())

    func openSession(_ role: SessionRole, sink: any BackendSink) -> SessionID {
        state.withLock { state in
            state.sessionCount += 1
            let id = SessionID(rawValue: state.sessionCount)
            state.sessions[id] = WeakSink(sink: sink)
            return id
        }
    }

    func closeSession(_ session: SessionID) {
        state.withLock { state in
            state.sessions[session] = nil
            state.closed.append(session)
        }
    }

    func perform(_ command: BackendCommand, in session: SessionID) {
        let answer = state.withLock { state in
            state.commands.append(command)
            return state.answer
        }
        var events = answer?(command) ?? []
        // The one thing that a backend must say when it can't.
        if answer == nil, case .followPeriodic(let id, _) = command {
            let error = BackendError(.operationNotSupported, underlying: "scripted backend: no periodic advertising")
            events = [.periodic(id, .ended(error))]
        }
        guard !events.isEmpty else { return }
        DispatchQueue.global().async { [events] in self.play(batch: events, to: session.rawValue) }
    }

    var adapterState: AdapterState { state.withLock { $0.adapterState } }
    func attMTU(of peer: PeerID) -> Int { state.withLock { $0.mtu } }
    func canSendWriteWithoutResponse(to peer: PeerID) -> Bool { state.withLock { $0.writeRoom > 0 } }

    func reserveWriteWithoutResponse(to peer: PeerID) -> Bool {
        state.withLock { state in
            guard state.writeRoom > 0 else { return false }
            state.writeRoom -= 1
            return true
        }
    }

    func updateValue(
        _ value: [UInt8], of characteristic: LocalAttributeID, centrals: [PeerID]?, in session: SessionID
    ) -> Bool {
        state.withLock { state in
            guard state.updateRoom > 0 else { return false }
            state.updateRoom -= 1
            state.updates.append(Update(value: value, characteristic: characteristic, centrals: centrals))
            return true
        }
    }

    func knownPeers(_ peers: [PeerID]) -> [KnownPeer] {
        state.withLock { state in peers.compactMap { id in state.known.first { $0.id == id } } }
    }

    func keep(_ peer: PeerID) {}
    func hold(_ peer: PeerID) { state.withLock { $0.held[peer, default: 0] += 1 } }
    func release(_ peer: PeerID) { state.withLock { $0.held[peer, default: 0] -= 1 } }

    func connectedPeers(withServices services: [BluetoothUUID]) -> [KnownPeer] {
        state.withLock { state in
            state.askedServices = services
            return state.connected
        }
    }

    // What a test does with it.

    /// Lets the closure answer commands from now on.
    func answer(_ answer: @escaping @Sendable (BackendCommand) -> [BackendEvent]) {
        state.withLock { $0.answer = answer }
    }

    /// Makes a manager on this backend.
    func attach<Manager>(_ make: () -> Manager) -> Manager {
        Device.$attached.withValue(Device(backend: self, delivery: QueueDelivery()), operation: make)
    }

    /// Plays events to a session, in one batch; by default to the one opened last.
    func play(_ events: BackendEvent..., to session: UInt64? = nil) { play(batch: events, to: session) }

    func play(batch events: [BackendEvent], to session: UInt64? = nil) {
        let sink = state.withLock { state in
            for case .stateChanged(let new) in events { state.adapterState = new }
            return state.sessions[SessionID(rawValue: session ?? state.sessionCount)]?.sink
        }
        sink?.receive(events)
    }

    /// The commands since the last time.
    func takeCommands() -> [BackendCommand] {
        state.withLock { state in
            defer { state.commands = [] }
            return state.commands
        }
    }
}
