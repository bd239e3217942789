import BLEBackend
import BLEHost
import BLERuntime
import BLETestSupport
import BLEWire

/// A `BackendCore` whose host is the test: it sees the commands and tells the events.
struct CoreFixture {
    static let band = DeviceAddress(0xC0_11_22_33_44_55, .randomDevice)
    static let lock = DeviceAddress(0xC0_11_22_33_44_66, .randomDevice)
    static let link = ConnectionHandle(rawValue: 1)

    let store: MemoryDeviceStore
    let bonds = MemoryBondStore()
    var core: BackendCore
    private var sinks: [(id: SessionID, sink: CollectingSink)] = []
    /// Commands for the host since they were looked at last.
    private var commands: [HostCommand] = []
    private(set) var changes: [SnapshotChange] = []
    private(set) var traces: [TraceEvent] = []

    /// With the policies after connecting off, so that a test sees only what it asked for.
    ///
    /// - Parameter peers: how many peers the store remembers.
    init(policies: Bool = false, peers: Int = 65_536, _ change: (inout PhoneProfile) -> Void = { _ in }) {
        store = MemoryDeviceStore(key: (1, 2), limit: peers)
        var profile = PhoneProfile()
        if !policies {
            profile.exchangesMTU = false
            profile.readsDeviceName = false
            profile.followsServiceChanges = false
        }
        change(&profile)
        core = BackendCore(profile: profile, store: store, bonds: bonds)
    }

    /// Switched on, with one session.
    static func on(
        _ role: SessionRole, policies: Bool = false, _ change: (inout PhoneProfile) -> Void = { _ in }
    ) -> (CoreFixture, SessionID) {
        var fixture = CoreFixture(policies: policies, change)
        fixture.powerOn()
        let session = fixture.open(role)
        fixture.discard()
        return (fixture, session)
    }

    mutating func powerOn() {
        core.perform(.condition(.on))
        host(.stateChanged(.poweredOn))
    }

    mutating func open(_ role: SessionRole) -> SessionID {
        let id = SessionID(rawValue: UInt64(sinks.count + 1))
        let sink = CollectingSink()
        sinks.append((id, sink))
        core.perform(.open(id, role, WeakSink(sink)))
        collect()
        return id
    }

    mutating func close(_ session: SessionID) {
        core.perform(.close(session))
        collect()
    }

    mutating func perform(_ command: BackendCommand, in session: SessionID, hasPlace: Bool = true) {
        core.perform(.command(session, command, hasPlace: hasPlace))
        collect()
    }

    mutating func update(_ value: [UInt8], of id: LocalAttributeID, centrals: [PeerID]? = nil, in session: SessionID) {
        core.perform(.update(session, id, value, centrals: centrals))
        collect()
    }

    /// A program has done something with a channel.
    mutating func serve(_ channel: ChannelNumber) {
        core.perform(.channel(channel))
        collect()
    }

    mutating func order(_ order: PairingOrder) {
        core.perform(.pairing(order))
        collect()
    }

    mutating func host(_ event: HostEvent) {
        core.handle(event)
        collect()
    }

    /// Moves time to the next deadline, if there is one.
    mutating func advance() {
        guard let deadline = core.nextDeadline else { return }
        core.now = deadline
        core.fireTimers()
        collect()
    }

    private mutating func collect() {
        while let command = core.nextCommand() { commands.append(command) }
        changes += core.takeChanges()
        traces += core.takeTraces()
        for batch in core.takeBatches() { batch.sink.sink?.receive(batch.events) }
    }

    /// Commands since the last look.
    mutating func takeCommands() -> [HostCommand] {
        defer { commands = [] }
        return commands
    }

    /// Events since the last look.
    func takeEvents(_ session: SessionID) -> [BackendEvent] {
        sinks.first { $0.id == session }?.sink.take() ?? []
    }

    mutating func discard() {
        commands = []
        changes = []
        for entry in sinks { _ = entry.sink.take() }
    }

    func peer(_ address: DeviceAddress) -> PeerID { store.peer(at: address) }

    /// Connects a session to a device that answers at once; what that brought about is discarded.
    mutating func connect(
        _ session: SessionID, to address: DeviceAddress = band, link: ConnectionHandle = link
    ) {
        perform(.connect(peer(address), ConnectOptions()), in: session)
        host(.connected(.made(link, address)))
        discard()
    }

    /// A remote central connects to us.
    mutating func connectCentral(_ address: DeviceAddress, link: ConnectionHandle) {
        host(.connected(.made(link, address, isCentral: false)))
    }

    /// Answers the procedure that was asked for last; asserts nothing.
    mutating func answer(_ result: Result<GATTOutcome, HostError>) {
        guard case .gatt(let link, let token, _) = takeCommands().last else { return }
        host(.gattCompleted(link, token, result))
    }

    /// The procedures that were asked for since the last look.
    mutating func takeProcedures() -> [GATTProcedure] {
        takeCommands().compactMap { if case .gatt(_, _, let procedure) = $0 { procedure } else { nil } }
    }

    /// The procedures that were asked for and aren't looked away, with their tokens left to be answered.
    var procedures: [GATTProcedure] {
        commands.compactMap { if case .gatt(_, _, let procedure) = $0 { procedure } else { nil } }
    }
}

extension LinkInfo {
    static func made(_ handle: ConnectionHandle, _ peer: DeviceAddress, isCentral: Bool = true) -> LinkInfo {
        LinkInfo(
            handle: handle, peer: peer, isCentral: isCentral, interval: 24, latency: 0, supervisionTimeout: 72)
    }
}

extension AdvertisingReport {
    /// A connectable advertisement or its scan response.
    static func of(
        _ address: DeviceAddress, _ data: [UInt8], isScanResponse: Bool = false, rssi: Int8 = -50
    ) -> AdvertisingReport {
        AdvertisingReport(
            address: address, isConnectable: true, isScannable: true, isScanResponse: isScanResponse, data: data,
            rssi: rssi)
    }
}
