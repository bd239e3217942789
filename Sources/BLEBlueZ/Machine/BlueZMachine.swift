package import BLEBackend
package import BLEWire

/// A backend's work over BlueZ, without a bus and without threads.
///
/// *Role*: turns what sessions ask into calls on BlueZ's objects, and what BlueZ's objects tell into events of sessions;
/// the contract that BlueZ doesn't know (scans and links of several managers, order, retries, identifiers) is kept here.
///
/// *Inputs and outputs*: `perform` takes what sessions ask, `handle` what the bus brings, `fireTimers` the time. What they
/// bring about is taken with `takeOutputs`, `takeChanges`, `takeBatches`, `takeAgentCalls` and `takeTraces`, in order.
///
/// *Limits*: believes only what comes from who owns BlueZ's name on the bus. Each of the abilities is in a file of its
/// own: `BlueZMachine+Scanning` and so on.
package struct BlueZMachine {
    let store: any DeviceStore
    /// The adapter's name; nil = BlueZ's first one that is on.
    let wantedAdapter: String?
    /// The time of the input that is being worked on.
    package var now = Instant.start

    // The bus and what is on it.
    var bus = BusCondition.closed
    /// The unique name of bluetoothd.
    var owner: String?
    var objects = ObjectTree()
    /// The path of the adapter in use.
    var adapter: String?
    var state = AdapterState.unknown
    /// When an adapter that had been there was lost.
    var lostAt: Instant?
    var isEverFound = false

    // Who uses the device.
    var sessions: SortedTable<SessionID, BlueZSession> = .init()

    // Central role.
    var discovery = Discovery()
    var heard = BoundedTable<PeerID, HeardDevice>(limit: 4096)
    var attempts: SortedTable<PeerID, Attempt> = .init()
    var links: SortedTable<PeerID, BlueZLink> = .init()

    // Peripheral role.
    var published = PublishedServices()
    var requests = BlueZRequests()
    var subscriptions: SortedTable<LocalAttributeID, CentralSubscription> = .init()
    /// ATT_MTU of centrals, as far as BlueZ told it.
    var centralMTUs: SortedTable<PeerID, Int> = .init()

    var pairing = BlueZPairing()

    // Calls that wait for their answers. Looked up by number only, never walked.
    var pending: [CallNumber: Continuation] = [:]
    var nextNumber: UInt64 = 1
    var timers = TimerQueue<BlueZTimer>()
    /// Things that were said once.
    var said: Set<String> = []

    // What came of it.
    private var outputs: [BusOutput] = []
    private var changes: [BlueZChange] = []
    private var traces: [TraceEvent] = []
    private var sessionsWithEvents: [SessionID] = []

    package init(store: any DeviceStore, adapter: String? = nil) {
        self.store = store
        wantedAdapter = adapter
    }

    /// When `fireTimers` has something to do.
    package var nextDeadline: Instant? { timers.nextDeadline }
}

/// How it stands with the bus.
enum BusCondition: Equatable {
    case closed
    case open
    /// It couldn't be opened, or BlueZ isn't on it.
    case failed(DBusFailure)
}

/// Timers of the machine.
enum BlueZTimer: Equatable {
    case openBus
    /// Who has BlueZ's name, or what it has, wasn't told in time.
    case askAgain
    /// What was lost a while ago counts as gone.
    case patience
    case discover
    /// Nothing was heard for long.
    case watchDiscovery
    /// The start delay of a session's connection has passed.
    case connect(SessionID, PeerID)
    /// The next call of an attempt is due.
    case attempt(PeerID)
    case askLink(PeerID)
    /// The services should have been found.
    case resolve(PeerID)
    case operation(PeerID)
    case servicesModified(PeerID)
    case confirmation(LocalAttributeID)
    /// A pairing should have ended.
    case pairing(PeerID)
    case saveStore
}

/// What the answer to a call is for.
enum Continuation: Equatable {
    case owner
    case activation
    case objects
    case ignored
    case filter
    case startDiscovery
    case stopDiscovery
    case connect(PeerID, attempt: UInt64)
    case linkProperties(PeerID, attempt: UInt64)
    case disconnect(PeerID, link: UInt64)
    case mtu(PeerID, link: UInt64)
    case operation(PeerID, link: UInt64, try: UInt64)
    case command(PeerID, link: UInt64, hasPlace: Bool)
    case pair(PeerID, link: UInt64, try: UInt64)
    case agent
    case application(UInt64)
    case advertisement(SessionID, path: String)
    case updateRead(SessionID)
}

// MARK: - Outputs

/// What the machine wants done on the bus.
package enum BusOutput: Equatable, Sendable {
    /// Connect to the bus; ends in `busOpened` or `busFailed`.
    case open
    case match(rule: String)
    case call(CallNumber, DBusCall)
    case answer(IncomingCall.Number, Result<[DBusValue], DBusFailure>)
    case signal(DBusSignal)
    /// Makes a pair of sockets, one end of which is given away with a value.
    case openSocket(SocketNumber)
    case send(SocketNumber, [UInt8])
    case closeSocket(SocketNumber)
}

extension BlueZMachine {
    /// Events of one session since the last delivery.
    package struct Batch {
        package var sink: WeakSink
        package var events: [BackendEvent]
    }

    mutating func ask(_ output: BusOutput) { outputs.append(output) }
    mutating func change(_ change: BlueZChange) { changes.append(change) }
    mutating func trace(_ level: TraceEvent.Level, _ message: String) {
        traces.append(TraceEvent(level, "bluez", message))
    }

    /// Says something that doesn't get truer by being said again.
    mutating func traceOnce(_ level: TraceEvent.Level, _ message: String) {
        if said.insert(message).inserted { trace(level, message) }
    }

    /// Calls a method; the answer goes on as the continuation says.
    mutating func call(
        _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue] = [],
        then continuation: Continuation, patience: Delay = .seconds(25)
    ) {
        let number = CallNumber(rawValue: number())
        pending[number] = continuation
        ask(
            .call(
                number, DBusCall(BlueZName.service, path, interface, member, arguments, patience: patience)))
    }

    mutating func number() -> UInt64 {
        defer { nextNumber += 1 }
        return nextNumber
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

    package mutating func takeOutputs() -> [BusOutput] {
        defer { outputs = [] }
        return outputs
    }

    package mutating func takeChanges() -> [BlueZChange] {
        defer { changes = [] }
        return changes
    }

    package mutating func takeTraces() -> [TraceEvent] {
        defer { traces = [] }
        return traces
    }

    package mutating func takeBatches() -> [Batch] {
        var batches: [Batch] = []
        for id in sessionsWithEvents {
            sessions.update(id) { session in
                batches.append(Batch(sink: session.sink, events: session.batch))
                session.batch = []
            }
        }
        sessionsWithEvents = []
        return batches
    }
}

// MARK: - Inputs

/// What sessions ask.
package enum BlueZRequest {
    case open(SessionID, SessionRole, WeakSink)
    case close(SessionID)
    /// `hasPlace`: a place in the link's queue was taken for this write without response.
    case command(SessionID, BackendCommand, hasPlace: Bool)
    /// A place in the session's queue was taken.
    case update(SessionID, LocalAttributeID, [UInt8], centrals: [PeerID]?)
    case agent((any PairingAgent)?)
    case answer(PeerID, PairingReply)
    case removeBond(PeerID)
}

/// What the bus brings.
package enum BusInput: Equatable, Sendable {
    case busOpened
    case busFailed(DBusFailure)
    case busClosed(DBusFailure)
    case signal(DBusSignal)
    case reply(CallNumber, Result<[DBusValue], DBusFailure>)
    case call(IncomingCall)
    case socket(SocketEvent)
}

extension BlueZMachine {
    package mutating func start() { ask(.open) }

    package mutating func perform(_ request: BlueZRequest) {
        switch request {
        case .open(let id, let role, let sink):
            sessions[id] = BlueZSession(id: id, role: role, sink: sink)
            if state != .unknown { emit(.stateChanged(state), to: id) }
        case .close(let id): close(id)
        case .command(let session, let command, let hasPlace): perform(command, in: session, hasPlace: hasPlace)
        case .update(let session, let characteristic, let value, let centrals):
            update(value, of: characteristic, centrals: centrals, in: session)
        case .agent(let agent): setAgent(agent)
        case .answer(let peer, let reply): answerPairing(with: peer, reply)
        case .removeBond(let peer): removeBond(with: peer)
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
        case .openChannel(let peer, let psm): openChannel(psm, to: peer, in: session)
        case .addService(let service): add(service, in: session)
        case .removeService(let id): remove(id, in: session)
        case .removeAllServices: removeAllServices(in: session)
        case .startAdvertising(let request): startAdvertising(request, in: session)
        case .stopAdvertising: stopAdvertising(in: session)
        case .respond(let request, let code, let value): respond(request, code, value: value)
        case .setConnectionLatency(let peer, let latency): setLatency(latency, of: peer)
        case .followPeriodic(let id, _): refuseToFollow(id, in: session)
        // Nothing is followed.
        case .stopFollowing: break
        case .publishChannel(let isEncrypted): publishChannel(encrypted: isEncrypted, in: session)
        case .unpublishChannel(let psm): unpublishChannel(psm, in: session)
        }
    }

    package mutating func handle(_ input: BusInput) {
        switch input {
        case .busOpened: busOpened()
        case .busFailed(let failure): busLost(failure)
        case .busClosed(let failure): busLost(failure)
        case .signal(let signal): received(signal)
        case .reply(let number, let result):
            if let continuation = pending.removeValue(forKey: number) { go(on: continuation, with: result) }
        case .call(let call): received(call)
        case .socket(let event): received(event)
        }
    }

    private mutating func go(on continuation: Continuation, with result: Result<[DBusValue], DBusFailure>) {
        switch continuation {
        case .ignored: break
        case .owner: ownerTold(result)
        case .activation: activated(result)
        case .objects: objectsTold(result)
        case .filter: filterSet(result)
        case .startDiscovery: discoveryStarted(result)
        case .stopDiscovery: discoveryStopped(result)
        case .connect(let peer, let attempt): connectAnswered(peer, attempt, result)
        case .linkProperties(let peer, let attempt): linkPropertiesTold(peer, attempt, result)
        case .disconnect(let peer, let link): disconnectAnswered(peer, link, result)
        case .mtu(let peer, let link): mtuTold(peer, link, result)
        case .operation(let peer, let link, let number): operationAnswered(peer, link, number, result)
        case .command(let peer, let link, let hasPlace): commandAnswered(peer, link, hasPlace: hasPlace, result)
        case .pair(let peer, let link, let number): pairAnswered(peer, link, number, result)
        case .agent: agentAnswered(result)
        case .application(let number): applicationAnswered(number, result)
        case .advertisement(let session, let path): advertisementAnswered(session, path, result)
        case .updateRead(let session): updateRead(session)
        }
    }

    package mutating func fireTimers() {
        while let timer = timers.popDue(at: now) {
            switch timer {
            case .openBus: ask(.open)
            case .askAgain: askAgain()
            case .patience: updateState()
            case .discover: updateDiscovery()
            case .watchDiscovery: discoveryIsSilent()
            case .connect(let session, let peer): connectDelayed(peer, in: session)
            case .attempt(let peer): continueAttempt(peer)
            case .askLink(let peer): askLink(peer)
            case .resolve(let peer): resolveTimedOut(peer)
            case .operation(let peer): repeatOperation(on: peer)
            case .servicesModified(let peer): tellModified(peer)
            case .confirmation(let characteristic): indicationTimedOut(characteristic)
            case .pairing(let peer): pairingTimedOut(peer)
            case .saveStore: store.save()
            }
        }
    }
}
