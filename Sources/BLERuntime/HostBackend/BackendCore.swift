package import BLEBackend
package import BLEHost
package import BLEWire

/// The driver's side of a `HostBackend`, without threads.
///
/// *Role*: turns commands of sessions into commands for the host, and the host's events into events of sessions.
///
/// *Inputs and outputs*: `perform` takes what sessions ask, `handle` what the host tells, `fireTimers` the time. What
/// they bring about is taken with `nextCommand`, `takeChanges`, `takeBatches` and `takeTraces`, in order.
///
/// *Limits*: trusts nothing that a peer says; a table that a peer can fill is bounded. Each of the abilities is in a file
/// of its own: `BackendCore+Scanning` and so on.
package struct BackendCore {
    let profile: PhoneProfile
    let store: any DeviceStore
    let bonds: any BondStore
    /// The time of the input that is being worked on.
    package var now = Instant.start

    // The adapter.
    /// nil until it was said.
    var condition: AdapterCondition?
    var isInBackground = false
    var transportFailure: TransportFailure?
    var hostState = HostState.unknown
    var state = AdapterState.unknown

    // Who uses the device.
    var sessions: SortedTable<SessionID, Session> = .init()

    // Central role.
    var advertisers = BoundedTable<DeviceAddress, Advertiser>(limit: 4096)
    var isScanning = false
    /// Peers that the host was asked to connect to and hasn't answered for.
    var attempts: SortedTable<PeerID, DeviceAddress> = .init()

    // Links of both roles.
    var links: SortedTable<ConnectionHandle, Link> = .init()

    // Peripheral role.
    var published = PublishedDatabase()
    var requests = PendingRequests()
    var updates = OutgoingUpdates()
    var pairing: PairingState

    // Periodic advertising that programs follow.
    var trains: [FollowedTrain] = []

    // L2CAP channels of both roles.
    var channels = ChannelTable()
    /// Called, on any thread, when a program has done something with a channel.
    package var channelDemand: @Sendable (ChannelNumber) -> Void = { _ in }

    // Operations of the host that haven't ended.
    var nextToken: UInt64 = 1
    /// Looked up by token only, never walked.
    var procedures: [OperationToken: ProcedureOwner] = [:]
    var timers = TimerQueue<BackendTimer>()

    // What came of it.
    private var commands: [HostCommand] = []
    private var commandsTaken = 0
    private var changes: [SnapshotChange] = []
    private var traces: [TraceEvent] = []
    private var sessionsWithEvents: [SessionID] = []

    package init(profile: PhoneProfile, store: any DeviceStore, bonds: any BondStore = MemoryBondStore()) {
        self.profile = profile
        self.store = store
        self.bonds = bonds
        pairing = PairingState(policy: profile.pairing)
    }

    /// When `fireTimers` has something to do.
    package var nextDeadline: Instant? { timers.nextDeadline }
}

/// Timers of a backend.
enum BackendTimer: Equatable {
    /// The start delay or a reconnection's pause has passed.
    case connect(SessionID, PeerID)
    case saveStore
    case saveDatabase(ConnectionHandle)
    case scanAgain
    case advertiseAgain
    /// A channel that the program has closed had its time to send what was left.
    case endChannel(ChannelNumber)
}

// MARK: - Outputs

extension BackendCore {
    /// Events of one session since the last delivery.
    package struct Batch {
        package var sink: WeakSink
        package var events: [BackendEvent]
    }

    mutating func ask(_ command: HostCommand) { commands.append(command) }
    mutating func change(_ change: SnapshotChange) { changes.append(change) }
    mutating func trace(_ level: TraceEvent.Level, _ layer: String, _ message: String) {
        traces.append(TraceEvent(level, layer, message))
    }

    mutating func emit(_ event: BackendEvent, to session: SessionID) {
        let isFirst = sessions.update(session) { session in
            session.batch.append(event)
            return session.batch.count == 1
        }
        if isFirst == true { sessionsWithEvents.append(session) }
    }

    mutating func emit(_ event: BackendEvent, to sessions: [SessionID]) {
        for session in sessions { emit(event, to: session) }
    }

    package mutating func nextCommand() -> HostCommand? {
        guard commandsTaken < commands.count else {
            commands.removeAll(keepingCapacity: true)
            commandsTaken = 0
            return nil
        }
        defer { commandsTaken += 1 }
        return commands[commandsTaken]
    }

    package mutating func takeChanges() -> [SnapshotChange] {
        if changes.isEmpty { return [] }
        defer { changes = [] }
        return changes
    }

    package mutating func takeTraces() -> [TraceEvent] {
        if traces.isEmpty { return [] }
        defer { traces = [] }
        return traces
    }

    package mutating func takeBatches() -> [Batch] {
        if sessionsWithEvents.isEmpty { return [] }
        var batches: [Batch] = []
        for id in sessionsWithEvents {
            sessions.update(id) { session in
                batches.append(Batch(sink: session.sink, events: session.batch))
                session.batch = []
            }
        }
        sessionsWithEvents.removeAll(keepingCapacity: true)
        return batches
    }

    mutating func token() -> OperationToken {
        defer { nextToken += 1 }
        return OperationToken(rawValue: nextToken)
    }
}

// MARK: - Inputs

extension BackendCore {
    package mutating func perform(_ input: BackendInput) {
        switch input {
        case .open(let id, let role, let sink):
            sessions[id] = Session(id: id, role: role, sink: sink)
            if state != .unknown { tellState(to: id) }
        case .close(let id): close(id)
        case .command(let session, let command, let hasPlace): perform(command, in: session, hasPlace: hasPlace)
        case .update(let session, let characteristic, let value, let centrals):
            sendUpdate(value, of: characteristic, centrals: centrals, in: session)
        case .condition(let condition): setCondition(condition)
        case .pairing(let order): perform(order)
        case .background(let isInBackground):
            self.isInBackground = isInBackground
            if state == .poweredOn { advertise() }
        case .channel(let number): serveChannel(number)
        }
    }

    private mutating func perform(_ command: BackendCommand, in session: SessionID, hasPlace: Bool) {
        switch command {
        case .startScan(let request): startScan(request, in: session)
        case .stopScan: stopScan(in: session)
        case .connect(let peer, let options): connect(peer, options, in: session)
        case .disconnect(let peer): disconnect(peer, in: session)
        case .forget(let peer): forget(peer, in: session)
        case .readRSSI(let peer): readRSSI(of: peer, in: session)
        case .discoverServices(let peer, let filter): enqueue(.services(filter), to: peer, in: session)
        case .discoverIncludedServices(let peer, let service, let filter):
            enqueue(.includedServices(service, filter), to: peer, in: session)
        case .discoverCharacteristics(let peer, let service, let filter):
            enqueue(.characteristics(service, filter), to: peer, in: session)
        case .discoverDescriptors(let peer, let characteristic):
            enqueue(.descriptors(characteristic), to: peer, in: session)
        case .read(let peer, let handle): enqueue(.read(handle), to: peer, in: session)
        case .write(let peer, let handle, let value): enqueue(.write(handle, value), to: peer, in: session)
        case .writeWithoutResponse(let peer, let handle, let value):
            enqueue(.writeCommand(handle, value, hasPlace: hasPlace), to: peer, in: session)
        case .setNotify(let peer, let characteristic, let isOn):
            enqueue(.setNotify(characteristic, isOn), to: peer, in: session)
        case .addService(let service): add(service, in: session)
        case .removeService(let id): remove(id, in: session)
        case .removeAllServices: removeAllServices(in: session)
        case .startAdvertising(let request): startAdvertising(request, in: session)
        case .stopAdvertising: stopAdvertising(in: session)
        case .respond(let request, let code, let value): respond(request, code, value: value)
        case .setConnectionLatency(let peer, let latency): setLatency(latency, of: peer)
        case .openChannel(let peer, let psm): openChannel(psm, to: peer, in: session)
        case .followPeriodic(let id, let request): follow(id, request, in: session)
        case .stopFollowing(let id): stopFollowing(id, in: session)
        case .publishChannel(let isEncrypted): publishChannel(encrypted: isEncrypted, in: session)
        case .unpublishChannel(let psm): unpublishChannel(psm, in: session)
        }
    }

    package mutating func handle(_ event: HostEvent) {
        switch event {
        case .stateChanged(let state): hostStateChanged(state)
        case .scanStarted(let error): scanStarted(error)
        case .advertisingReport(let report): received(report)
        case .advertisingStarted(let error): advertisingStarted(error)
        case .advertisingEnded: advertisingEnded()
        case .connected(let info): linkCame(info)
        case .connectFailed(let address, let error): connectFailed(address, error)
        case .disconnected(let link, _, let reason): linkWent(link, reason)
        case .rssi(let link, let result): rssiRead(link, result)
        case .connectionUpdated, .phyUpdated, .dataLengthChanged: break
        case .securityRaised(let link, let error): securityRaised(link, error)
        case .securityChanged(let link, let security): links.update(link) { $0.isEncrypted = security.isEncrypted }
        case .pairingKeyPressed: break
        case .encryptionFailed(let link, let status): links.update(link) { $0.encryptionFailure = status }
        case .pairingAsked(let link, let question): pairingAsked(question, on: link)
        case .pairingEnded(let link, let result): pairingEnded(result, on: link)
        case .bondChanged(let bond): bondChanged(bond)
        case .bondRemoved(let address): bondRemoved(address)
        case .peerIdentified(let link, let identity): peerIdentified(identity, on: link)
        case .attMTUChanged(let link, let mtu): mtuChanged(link, mtu)
        case .gattCompleted(let link, let token, let result): completed(token, on: link, result)
        case .valueReceived(let link, let handle, let value, _): valueReceived(handle, value, on: link)
        case .serviceAdded(let token, let result): serviceAdded(token, result)
        case .readRequested(let link, let request, let handle, let offset):
            readRequested(request, handle, offset: offset, on: link)
        case .writeRequested(let link, let request, let writes, let needsResponse):
            writeRequested(request, writes, needsResponse: needsResponse, on: link)
        case .subscriptionChanged(let link, let handle, let configuration):
            subscriptionChanged(handle, configuration, on: link)
        case .valueSent(_, let token, let error): updateSent(token, error)
        case .periodic(let token, let event): periodicEvent(event, of: token)
        case .channel(let link, let event): channelEvent(event, on: link)
        }
    }

    package mutating func fireTimers() {
        while let timer = timers.popDue(at: now) {
            switch timer {
            case .connect(let session, let peer): connectDelayed(peer, in: session)
            case .saveStore: store.save()
            case .saveDatabase(let link): saveDatabase(of: link)
            case .scanAgain: scanAgain()
            case .advertiseAgain: advertise()
            case .endChannel(let number): endChannel(number)
            }
        }
    }

    /// A queue that was full has room again.
    package mutating func announce(_ announcement: RoomAnnouncement) {
        switch announcement {
        case .writes(let peer): emit(.readyToWriteWithoutResponse(peer), to: users(of: peer))
        case .updates(let session): emit(.readyToUpdateSubscribers, to: session)
        }
    }
}
