package import BLEBackend
import BLEHost
package import BLEWire
import BLELocking

/// Makes our own host on a controller a backend for the managers of one device.
///
/// *Role*: the phone's policies over `HostMachine`: sessions of several managers, identifiers of peers, what is asked
/// for after connecting, the merged database and advertisement.
///
/// *Inputs and outputs*: any thread calls the `Backend` methods; they put commands into the inbox and wake the driver,
/// or answer from the snapshot. The driver, one call at a time, calls `drain`, `receive`, `transportClosed` and
/// `transportOpened`, which append packets for the controller (H4-framed) and hand each session its events in one batch.
///
/// *Limits*: no lock is held while a sink is called. A driver's call from within a sink is ignored; what was put into
/// the inbox there waits for the next one, for which the driver is woken.
package final class HostBackend: Backend, DrivenHost, @unchecked Sendable {
    package typealias TraceSink = @Sendable (TraceEvent) -> Void

    package let profile: PhoneProfile
    package let store: any DeviceStore
    let snapshot: Locked<BackendSnapshot>

    // The driver's side: touched by one thread at a time.
    var machine: HostMachine
    var core: BackendCore
    var isBusy = false
    private var hostOutputs: [HostOutput] = []
    private var inputs: [BackendInput] = []
    private let trace: TraceSink

    /// - Parameters:
    ///   - bonds: where bonds are kept, and were.
    ///   - random: for the host; a world hands in a seeded one.
    ///   - trace: where trace events go; the process's diagnostics unless a world collects them.
    package init(
        profile: PhoneProfile = PhoneProfile(), store: any DeviceStore, bonds: any BondStore = MemoryBondStore(),
        random: any RandomNumberGenerator & Sendable, trace: @escaping TraceSink = Diagnostics.emit
    ) {
        self.profile = profile
        self.store = store
        self.trace = trace
        snapshot = Locked(BackendSnapshot())
        var configuration = profile.hostConfiguration
        // Whoever has an address that lasts tells no key: peers would wait for addresses that never come.
        if profile.usesPrivateAddresses { configuration.identityResolvingKey = bonds.identityResolvingKey }
        machine = HostMachine(configuration: configuration, random: random)
        core = BackendCore(profile: profile, store: store, bonds: bonds)
        core.loadBonds(bonds.bonds)
        core.channelDemand = { [weak self] in self?.put(.channel($0)) }
    }
}

// MARK: - The driver's side

extension HostBackend {
    /// Tells who drives this backend and has the radio switched on at the first `drain`, unless the surroundings say
    /// otherwise (`setCondition`). The driver is held weakly.
    package func start(driver: any HostDriver, condition: AdapterCondition = .on) {
        snapshot.withLock { $0.driver = driver }
        setCondition(condition)
    }

    /// Switches the radio on or off, or takes it away. Callable from any thread.
    package func setCondition(_ condition: AdapterCondition) { put(.condition(condition)) }

    /// Moves the programs to the background or to the foreground. Callable from any thread.
    package func setInBackground(_ isInBackground: Bool) { put(.background(isInBackground)) }

    /// When `drain` is due even if nothing comes in.
    package var nextDeadline: Instant? {
        switch (machine.nextDeadline, core.nextDeadline) {
        case (let host?, let own?): min(host, own)
        case (let host, let own): host ?? own
        }
    }

    /// Carries out what is in the inbox and the timers that are due.
    package func drain(at now: Instant, into packets: inout [[UInt8]]) {
        guard begin(at: now) else { return }
        if let due = machine.nextDeadline, due <= now { feed(.timerFired, &packets) }
        core.fireTimers()
        settle(&packets)
        takeInbox(&packets)
        finish()
    }

    /// A packet came from the controller.
    package func receive(_ packet: [UInt8], at now: Instant, into packets: inout [[UInt8]]) {
        guard begin(at: now) else { return }
        take(packet, &packets)
        finish()
    }

    /// Packets came from the controller.
    package func receive(_ received: [[UInt8]], at now: Instant, into packets: inout [[UInt8]]) {
        guard begin(at: now) else { return }
        for packet in received { take(packet, &packets) }
        finish()
    }

    /// The transport to the controller is gone. [contract 11]
    package func transportClosed(reason: String, at now: Instant, into packets: inout [[UInt8]]) {
        guard begin(at: now) else { return }
        feed(.transportClosed(reason: reason), &packets)
        settle(&packets)
        finish()
    }

    /// There is a transport again.
    package func transportOpened(at now: Instant, into packets: inout [[UInt8]]) {
        guard begin(at: now) else { return }
        core.transportChanged(nil)
        feed(.transportOpened, &packets)
        settle(&packets)
        finish()
    }

    /// There is no transport, and why. [contract 14]
    package func transportFailed(_ failure: TransportFailure, at now: Instant, into packets: inout [[UInt8]]) {
        guard begin(at: now) else { return }
        core.transportChanged(failure)
        // So that the host waits with powering on.
        feed(.transportClosed(reason: "there is none"), &packets)
        settle(&packets)
        finish()
    }

    private func take(_ packet: [UInt8], _ packets: inout [[UInt8]]) {
        feed(.packet(packet), &packets)
        settle(&packets)
        dropUnsent(after: packet, from: &packets)
    }

    /// What hasn't left yet for a link that has just ended stays here: the controller knows its handle no more.
    private func dropUnsent(after packet: [UInt8], from packets: inout [[UInt8]]) {
        let head = [H4Indicator.event.rawValue, HCIEventCode.disconnectionComplete.rawValue]
        guard !packets.isEmpty, packet.starts(with: head),
            case .event(.disconnectionComplete(let end))? = try? HCIPacket(decoding: packet), end.status == .success
        else { return }
        packets.removeAll { unsent in
            unsent.first == H4Indicator.aclData.rawValue && (try? HCIACLData(packet: unsent))?.handle == end.handle
        }
    }

    private func begin(at now: Instant) -> Bool {
        guard !isBusy else { return false }
        isBusy = true
        core.now = now
        return true
    }

    /// Publishes the snapshot, then hands the sessions their events: what a callback is told can be looked up.
    private func finish() {
        let changes = core.takeChanges()
        if !changes.isEmpty {
            let announcements = snapshot.withLock { snapshot in
                changes.compactMap { change in
                    snapshot.apply(change, profile)
                    return snapshot.announcement(after: change)
                }
            }
            for announcement in announcements { core.announce(announcement) }
        }
        for event in core.takeTraces() { trace(event) }
        if let (agent, calls) = core.takeAgentCalls() {
            for call in calls {
                switch call {
                case .asked(let prompt): agent.asked(prompt)
                case .ended(let peer, let error): agent.ended(peer, error)
                }
            }
        }
        for batch in core.takeBatches() { batch.sink.sink?.receive(batch.events) }
        isBusy = false
    }

    private func feed(_ input: HostInput, _ packets: inout [[UInt8]]) {
        hostOutputs.removeAll(keepingCapacity: true)
        machine.handle(input, at: core.now, into: &hostOutputs)
        for output in hostOutputs {
            switch output {
            case .send(let packet): packets.append(packet)
            case .event(let event): core.handle(event)
            case .trace(let event): trace(event)
            }
        }
    }

    /// Gives the host what the core asks of it until it asks no more.
    private func settle(_ packets: inout [[UInt8]]) {
        while let command = core.nextCommand() { feed(.command(command), &packets) }
    }

    private func takeInbox(_ packets: inout [[UInt8]]) {
        inputs.removeAll(keepingCapacity: true)
        snapshot.withLock { swap(&$0.inbox, &inputs) }
        for input in inputs {
            core.perform(input)
            settle(&packets)
        }
    }

    /// Puts something into the inbox, and wakes the driver if it was empty.
    func put(_ input: BackendInput) {
        let driver = snapshot.withLock { $0.append(input) }
        driver?.wake()
    }
}

// MARK: - Callers on any thread

extension HostBackend {
    package func openSession(_ role: SessionRole, sink: any BackendSink) -> SessionID {
        let (session, driver) = snapshot.withLock { snapshot in
            let session = SessionID(rawValue: snapshot.nextSession)
            snapshot.nextSession += 1
            if role == .peripheral { snapshot.updates[session] = QueueRoom(depth: profile.updateQueueDepth) }
            return (session, snapshot.append(.open(session, role, WeakSink(sink))))
        }
        driver?.wake()
        return session
    }

    package func closeSession(_ session: SessionID) {
        let driver = snapshot.withLock { snapshot in
            snapshot.updates[session] = nil
            return snapshot.append(.close(session))
        }
        driver?.wake()
    }

    package func perform(_ command: BackendCommand, in session: SessionID) {
        let driver = snapshot.withLock { snapshot in
            var hasPlace = false
            if case .writeWithoutResponse(let peer, _, _) = command { hasPlace = snapshot.placeForWrite(to: peer) }
            return snapshot.append(.command(session, command, hasPlace: hasPlace))
        }
        driver?.wake()
    }

    package var adapterState: AdapterState { snapshot.withLock { $0.state } }

    package func attMTU(of peer: PeerID) -> Int { snapshot.withLock { $0.links[peer]?.mtu ?? 23 } }

    package func canSendWriteWithoutResponse(to peer: PeerID) -> Bool {
        snapshot.withLock { $0.links.update(peer) { $0.writes.ask() } ?? false }
    }

    package func reserveWriteWithoutResponse(to peer: PeerID) -> Bool {
        snapshot.withLock { $0.reserveWrite(to: peer) }
    }

    package func updateValue(
        _ value: [UInt8], of characteristic: LocalAttributeID, centrals: [PeerID]?, in session: SessionID
    ) -> Bool {
        let (isAccepted, driver) = snapshot.withLock { snapshot -> (Bool, (any HostDriver)?) in
            let subscribers = snapshot.subscribers[characteristic] ?? []
            guard subscribers.contains(where: { centrals?.contains($0) ?? true }) else { return (true, nil) }
            guard snapshot.updates.update(session, { $0.take() }) == true else { return (false, nil) }
            return (true, snapshot.append(.update(session, characteristic, value, centrals: centrals)))
        }
        driver?.wake()
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
        let peers = snapshot.withLock { snapshot in
            snapshot.linkOrder.filter { peer in
                guard let link = snapshot.links[peer], link.isClient else { return false }
                return link.services.contains { services.contains($0) }
            }
        }
        return peers.map { KnownPeer(id: $0, name: store.name(of: $0)) }
    }
}

extension BackendSnapshot {
    /// Adds to the inbox; the driver if it is to be woken.
    mutating func append(_ input: BackendInput) -> (any HostDriver)? {
        inbox.append(input)
        return inbox.count == 1 ? driver : nil
    }

    mutating func reserveWrite(to peer: PeerID) -> Bool { links.update(peer) { $0.writes.reserve() } ?? false }

    /// A place for a write whose command comes now.
    mutating func placeForWrite(to peer: PeerID) -> Bool { links.update(peer) { $0.writes.takeReserved() } ?? false }
}
