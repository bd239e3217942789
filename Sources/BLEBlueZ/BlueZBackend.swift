package import BLEBackend
import BLELocking
package import BLEWire

/// BlueZ as a backend for the managers of one device: the adapter is shared with the desktop.
///
/// *Role*: hands what managers ask to a `BlueZMachine`, and what comes of it to their sinks.
///
/// *Inputs and outputs*: any thread calls the `Backend` methods; they put requests into the inbox and wake the driver, or
/// answer from the snapshot. The driver, one call at a time, calls `start`, `drain` and `receive`, which append what is to
/// be done on the bus.
///
/// *Limits*: no lock is held while a sink is called. A driver's call from within a sink is ignored; what was put into the
/// inbox there waits for the next one, for which the driver is woken.
package final class BlueZBackend: Backend, @unchecked Sendable {
    package typealias TraceSink = @Sendable (TraceEvent) -> Void

    package let store: any DeviceStore
    private let snapshot = Locked(BlueZSnapshot())
    private let trace: TraceSink

    // The driver's side: touched by one thread at a time.
    private var machine: BlueZMachine
    private var isBusy = false

    /// - Parameters:
    ///   - adapter: `hci0`; nil = BlueZ's first one that is on.
    ///   - trace: where trace events go.
    package init(
        store: any DeviceStore, adapter: String? = nil, trace: @escaping TraceSink = Diagnostics.emit
    ) {
        self.store = store
        self.trace = trace
        machine = BlueZMachine(store: store, adapter: adapter)
    }
}

// MARK: - The driver's side

extension BlueZBackend {
    /// Begins. The waker is held weakly.
    package func start(waker: any BlueZWaker, at now: Instant, into outputs: inout [BusOutput]) {
        snapshot.withLock { $0.waker = waker }
        step(at: now, into: &outputs) { $0.start() }
        drain(at: now, into: &outputs)
    }

    /// When `drain` is due even if nothing comes in.
    package var nextDeadline: Instant? { machine.nextDeadline }

    /// Carries out what is in the inbox and the timers that are due.
    package func drain(at now: Instant, into outputs: inout [BusOutput]) {
        guard !isBusy else { return }
        var requests: [BlueZRequest] = []
        snapshot.withLock { swap(&$0.inbox, &requests) }
        step(at: now, into: &outputs) { machine in
            machine.fireTimers()
            for request in requests { machine.perform(request) }
        }
    }

    /// Takes what the bus brings.
    package func receive(_ input: BusInput, at now: Instant, into outputs: inout [BusOutput]) {
        step(at: now, into: &outputs) { $0.handle(input) }
    }

    private func step(at now: Instant, into outputs: inout [BusOutput], _ body: (inout BlueZMachine) -> Void) {
        guard !isBusy else { return }
        isBusy = true
        machine.now = now
        body(&machine)
        outputs += machine.takeOutputs()
        finish()
        isBusy = false
    }

    /// Publishes the snapshot, then hands the sessions their events: what a callback is told can be looked up.
    private func finish() {
        let changes = machine.takeChanges()
        if !changes.isEmpty {
            let announcements = snapshot.withLock { snapshot in changes.compactMap { snapshot.apply($0) } }
            for announcement in announcements { machine.announce(announcement) }
        }
        for event in machine.takeTraces() { trace(event) }
        if let (agent, calls) = machine.takeAgentCalls() {
            for call in calls {
                switch call {
                case .asked(let prompt): agent.asked(prompt)
                case .ended(let peer, let error): agent.ended(peer, error)
                }
            }
        }
        for batch in machine.takeBatches() { batch.sink.sink?.receive(batch.events) }
    }

    private func put(_ request: BlueZRequest) {
        let waker = snapshot.withLock { $0.append(request) }
        waker?.wake()
    }
}

extension BlueZMachine {
    /// A queue that was full has room again.
    mutating func announce(_ announcement: BlueZSnapshot.Announcement) {
        switch announcement {
        case .writes(let peer): emit(.readyToWriteWithoutResponse(peer), to: links[peer]?.users ?? [])
        case .updates(let session): emit(.readyToUpdateSubscribers, to: session)
        }
    }
}

// MARK: - Callers on any thread

extension BlueZBackend {
    package func openSession(_ role: SessionRole, sink: any BackendSink) -> SessionID {
        let (session, waker) = snapshot.withLock { snapshot in
            let session = SessionID(rawValue: snapshot.nextSession)
            snapshot.nextSession += 1
            if role == .peripheral { snapshot.updates[session] = QueueRoom(depth: BlueZSnapshot.updateDepth) }
            return (session, snapshot.append(.open(session, role, WeakSink(sink))))
        }
        waker?.wake()
        return session
    }

    package func closeSession(_ session: SessionID) {
        let waker = snapshot.withLock { snapshot in
            snapshot.updates[session] = nil
            return snapshot.append(.close(session))
        }
        waker?.wake()
    }

    package func perform(_ command: BackendCommand, in session: SessionID) {
        let waker = snapshot.withLock { snapshot in
            var hasPlace = false
            if case .writeWithoutResponse(let peer, _, _) = command { hasPlace = snapshot.placeForWrite(to: peer) }
            return snapshot.append(.command(session, command, hasPlace: hasPlace))
        }
        waker?.wake()
    }

    package var adapterState: AdapterState { snapshot.withLock { $0.state } }

    package func attMTU(of peer: PeerID) -> Int { snapshot.withLock { $0.mtus[peer] ?? 23 } }

    package func canSendWriteWithoutResponse(to peer: PeerID) -> Bool {
        snapshot.withLock { $0.links.update(peer) { $0.writes.ask() } ?? false }
    }

    package func reserveWriteWithoutResponse(to peer: PeerID) -> Bool {
        snapshot.withLock { $0.reserveWrite(to: peer) }
    }

    package func updateValue(
        _ value: [UInt8], of characteristic: LocalAttributeID, centrals: [PeerID]?, in session: SessionID
    ) -> Bool {
        let (isAccepted, waker) = snapshot.withLock { snapshot -> (Bool, (any BlueZWaker)?) in
            let subscribers = snapshot.subscribers[characteristic] ?? []
            guard subscribers.contains(where: { centrals?.contains($0) ?? true }) else { return (true, nil) }
            guard snapshot.updates.update(session, { $0.take() }) == true else { return (false, nil) }
            return (true, snapshot.append(.update(session, characteristic, value, centrals: centrals)))
        }
        waker?.wake()
        return isAccepted
    }

    package func knownPeers(_ peers: [PeerID]) -> [KnownPeer] {
        guard adapterState == .poweredOn else { return [] }
        return peers.filter { store.address(of: $0) != nil }.map { KnownPeer(id: $0, name: store.name(of: $0)) }
    }

    package func keep(_ peer: PeerID) {
        store.keep(peer)
        if store.needsSaving { store.save() }
    }

    package func hold(_ peer: PeerID) { store.hold(peer) }
    package func release(_ peer: PeerID) { store.release(peer) }

    package func connectedPeers(withServices services: [BluetoothUUID]) -> [KnownPeer] {
        let connected = snapshot.withLock { $0.connected }
        return connected.filter { $0.services.contains(where: services.contains) }
            .map { KnownPeer(id: $0.peer, name: store.name(of: $0.peer)) }
    }

    package func setPairingAgent(_ agent: (any PairingAgent)?) { put(.agent(agent)) }
    package func answerPairing(with peer: PeerID, _ reply: PairingReply) { put(.answer(peer, reply)) }
    package func removeBond(with peer: PeerID) { put(.removeBond(peer)) }
    package func bondedPeers() -> [KnownPeer] {
        snapshot.withLock { $0.bonded }.map { KnownPeer(id: $0, name: store.name(of: $0)) }
    }
}
