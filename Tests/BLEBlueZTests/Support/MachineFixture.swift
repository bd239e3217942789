import BLEBackend
import BLEBlueZ
import BLERuntime
import BLETestSupport
import BLEWire

/// A `BlueZMachine` on a bus with a fake bluetoothd, on virtual time.
struct MachineFixture {
    /// A thermometer: its address is random, its measurements notify.
    static let thermometer = {
        var device = FakeDevice("C0:11:22:33:44:55", name: "Thermometer")
        device.services = ["1809"]
        device.database = [
            FakeDevice.Service(
                0x10, "1809",
                [
                    .init(0x11, "2A1C", ["read", "notify"], [0x01, 0x02], descriptors: [0x13: "2902"]),
                    .init(0x14, "2A1E", ["read", "write", "write-without-response"], [0x09]),
                    .init(0x16, "2A21", ["indicate"], descriptors: [0x18: "2902"]),
                ]),
            FakeDevice.Service(0x20, "1815", [.init(0x21, "2A56", ["read"], [])]),
        ]
        return device
    }()

    let store: MemoryDeviceStore
    var daemon: FakeBlueZ
    var machine: BlueZMachine
    private(set) var traces: [TraceEvent] = []
    private(set) var changes: [BlueZChange] = []
    /// What the machine has sent by sockets, with the sockets that it opened and closed.
    private(set) var socketOutputs: [BusOutput] = []
    /// Signals that the machine has sent.
    private(set) var signals: [DBusSignal] = []
    /// Answers to calls on our objects, by the numbers of the calls.
    private(set) var answers: [IncomingCall.Number: Result<[DBusValue], DBusFailure>] = [:]
    private var sinks: [(id: SessionID, sink: CollectingSink)] = []
    private var nextCall: UInt64 = 1
    /// The last call of each method that the daemon got.
    private var lastCalls: [String: CallNumber] = [:]
    private var registrations: [IncomingCall.Number: String] = [:]
    /// Whether bluetoothd is on the bus.
    private(set) var isDaemonThere = true

    init(_ daemon: FakeBlueZ = FakeBlueZ(), adapter: String? = nil) {
        store = MemoryDeviceStore(key: (1, 2))
        self.daemon = daemon
        machine = BlueZMachine(store: store, adapter: adapter)
    }

    /// On the bus, with one session that was told of the state.
    static func on(_ role: SessionRole, _ daemon: FakeBlueZ = FakeBlueZ()) -> (MachineFixture, SessionID) {
        var fixture = MachineFixture(daemon)
        fixture.start()
        let session = fixture.open(role)
        _ = fixture.events(of: session)
        return (fixture, session)
    }

    /// Connected to the device.
    static func connected(
        to device: FakeDevice = thermometer, _ daemon: FakeBlueZ = FakeBlueZ()
    ) -> (MachineFixture, SessionID, PeerID) {
        var (fixture, session) = on(.central, daemon)
        let peer = fixture.discover(device, session)
        fixture.perform(.connect(peer, ConnectOptions()), session)
        _ = fixture.events(of: session)
        return (fixture, session, peer)
    }

    mutating func start() {
        machine.start()
        run()
    }

    mutating func open(_ role: SessionRole) -> SessionID {
        let id = SessionID(rawValue: UInt64(sinks.count + 1)), sink = CollectingSink()
        sinks.append((id, sink))
        machine.perform(.open(id, role, WeakSink(sink)))
        run()
        return id
    }

    mutating func perform(_ command: BackendCommand, _ session: SessionID, hasPlace: Bool = false) {
        machine.perform(.command(session, command, hasPlace: hasPlace))
        run()
    }

    /// An update for which there was room.
    mutating func update(
        _ value: [UInt8], of characteristic: LocalAttributeID, _ session: SessionID, to centrals: [PeerID]? = nil
    ) {
        machine.perform(.update(session, characteristic, value, centrals: centrals))
        run()
    }

    /// Scans until the device is heard, and stops scanning.
    mutating func discover(_ device: FakeDevice, _ session: SessionID) -> PeerID {
        perform(.startScan(ScanRequest()), session)
        hear(device)
        perform(.stopScan, session)
        _ = events(of: session)
        return peer(device)
    }

    func peer(_ device: FakeDevice) -> PeerID {
        DeviceAddress(device.address, .randomDevice).map(store.peer(at:)) ?? PeerID(bits: 0)
    }

    mutating func hear(_ device: FakeDevice) {
        daemon.hear(device)
        run()
    }

    /// Events of a session since the last call.
    func events(of session: SessionID) -> [BackendEvent] {
        sinks.first { $0.id == session }?.sink.take() ?? []
    }

    /// Lets time pass: timers fire in their order.
    mutating func advance(_ delay: Delay) {
        let end = machine.now + delay
        while let due = machine.nextDeadline, due <= end {
            machine.now = max(due, machine.now)
            machine.fireTimers()
            run()
        }
        machine.now = end
    }

    // MARK: - The daemon

    /// The daemon does something by itself.
    mutating func daemonDoes(_ body: (inout FakeBlueZ) -> Void) {
        body(&daemon)
        run()
    }

    mutating func input(_ input: BusInput) {
        machine.handle(input)
        run()
    }

    /// Answers, late, the last call of a method.
    mutating func failLastCall(_ member: String, with failure: DBusFailure) {
        guard let number = lastCalls[member] else { return }
        input(.reply(number, .failure(failure)))
    }

    func lastCall(_ member: String) -> CallNumber? { lastCalls[member] }

    mutating func fail(_ call: CallNumber?, with failure: DBusFailure) {
        if let call { input(.reply(call, .failure(failure))) }
    }

    mutating func answerLastCall(_ member: String, with values: [DBusValue] = []) {
        guard let number = lastCalls[member] else { return }
        input(.reply(number, .success(values)))
    }

    mutating func killDaemon() {
        isDaemonThere = false
        ownerChanged(from: FakeBlueZ.name, to: "")
    }

    mutating func startDaemon(_ daemon: FakeBlueZ = FakeBlueZ()) {
        self.daemon = daemon
        isDaemonThere = true
        ownerChanged(from: "", to: FakeBlueZ.name)
    }

    private mutating func ownerChanged(from old: String, to new: String) {
        input(
            .signal(
                DBusSignal(
                    sender: DBusName.bus, DBusName.busPath, DBusName.bus, "NameOwnerChanged",
                    [.string(BlueZName.service), .string(old), .string(new)])))
    }

    /// BlueZ, or somebody who isn't, calls an object of ours.
    mutating func call(
        _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue] = [],
        from sender: String = FakeBlueZ.name
    ) -> IncomingCall.Number {
        let number = IncomingCall.Number(rawValue: nextCall)
        nextCall += 1
        machine.handle(.call(IncomingCall(number, sender: sender, path, interface, member, arguments)))
        run()
        return number
    }

    // MARK: - Between the two

    /// Carries outputs to the daemon and its effects back, until both are quiet.
    mutating func run() {
        while true {
            traces += machine.takeTraces()
            changes += machine.takeChanges()
            for batch in machine.takeBatches() { batch.sink.sink?.receive(batch.events) }
            let outputs = machine.takeOutputs()
            for output in outputs { carry(output) }
            let effects = daemon.effects
            daemon.effects = []
            for effect in effects { carry(effect) }
            if outputs.isEmpty && effects.isEmpty { return }
        }
    }

    private mutating func carry(_ output: BusOutput) {
        switch output {
        case .open: machine.handle(.busOpened)
        case .match: break
        case .call(let number, let call):
            guard isDaemonThere else {
                let failure = DBusFailure(DBusName.bus + ".Error.ServiceUnknown", "nobody has the name")
                return machine.handle(.reply(number, .failure(failure)))
            }
            lastCalls[call.member] = number
            daemon.receive(number, call)
        case .answer(let number, let result):
            if let path = registrations.removeValue(forKey: number) { daemon.answered(path, result) }
            answers[number] = result
        case .signal(let signal): signals.append(signal)
        case .openSocket, .closeSocket: socketOutputs.append(output)
        case .send(let socket, _):
            socketOutputs.append(output)
            machine.handle(.socket(.sent(socket)))
        }
    }

    private mutating func carry(_ effect: FakeBlueZ.Effect) {
        switch effect {
        case .answer(let number, let result): machine.handle(.reply(number, result))
        case .signal(let signal): machine.handle(.signal(signal))
        case .call(let path, let interface, let member, let arguments):
            let number = IncomingCall.Number(rawValue: nextCall)
            nextCall += 1
            registrations[number] = path
            machine.handle(
                .call(IncomingCall(number, sender: FakeBlueZ.name, path, interface, member, arguments)))
        }
    }
}
