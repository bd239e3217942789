import BLEController
import BLEWire
import Testing

/// A radio whose hosts are the test: it speaks HCI octets and looks at what comes back, with the time of each.
struct TestRadio {
    struct Entry {
        var time: Instant
        var output: RadioOutput
    }

    var radio: Radio
    var now = Instant.start
    /// Everything that has come out.
    var log: [Entry] = []
    /// Senders that keep the controllers' buffers full.
    var pumps: [Pump] = []
    private var out: [RadioOutput] = []

    init(seed: UInt64 = 1, _ settings: RadioSettings = RadioSettings()) {
        radio = Radio(seed: seed, settings: settings)
    }

    /// Adds a controller whose host wants every event.
    mutating func add(_ last: UInt8, _ change: (inout ControllerProfile) -> Void = { _ in }) -> ControllerID {
        var profile = ControllerProfile(address: DeviceAddress(0xC0FF_EE00_0000 | UInt64(last)), name: "device \(last)")
        change(&profile)
        let id = radio.addController(profile, at: now)
        send(HCISetEventMask(mask: HCIEventMask(rawValue: 0x3FFF_FFFF_FFFF_FFFF)), to: id)
        send(LESetEventMask(mask: LEEventMask(rawValue: 0xFFFF_FFFF_FFFF_FFFF)), to: id)
        return id
    }

    func address(_ id: ControllerID) -> DeviceAddress { radio.profile(of: id)?.address ?? DeviceAddress(0) }

    // MARK: Host to controller

    /// Sends a command; answers with what came back at once.
    @discardableResult
    mutating func send(_ command: some HCICommandPDU, to id: ControllerID) -> [HCIEvent] {
        send(packet: command.packet(), to: id)
    }

    @discardableResult
    mutating func send(packet: [UInt8], to id: ControllerID) -> [HCIEvent] {
        let before = log.count
        radio.receive(packet, from: id, at: now, into: &out)
        absorb()
        return log[before...].compactMap { TestRadio.event($0.output, of: id) }
    }

    /// Sends a command and answers with its status.
    mutating func status(_ command: some HCICommandPDU, to id: ControllerID) -> HCIStatus? {
        send(command, to: id).lazy.compactMap { event -> HCIStatus? in
            switch event {
            case .commandComplete(let complete): complete.status
            case .commandStatus(let status): status.status
            default: nil
            }
        }.first
    }

    /// Sends a command and answers with what it returned.
    mutating func returned<Command: HCICommandPDU>(
        by command: Command, of id: ControllerID
    ) throws -> Command.ReturnParameters {
        let complete = send(command, to: id).lazy.compactMap { event in
            if case .commandComplete(let complete) = event { complete } else { nil }
        }.first
        return try #require(complete).returned(by: Command.self)
    }

    mutating func sendData(_ payload: [UInt8], to id: ControllerID, _ handle: ConnectionHandle) {
        send(packet: HCIACLData.packet(handle: handle, boundary: .firstFromHost, payload: payload), to: id)
    }

    // MARK: Time

    /// Lets time pass, deadline by deadline.
    mutating func run(_ delay: Delay) { run(until: now + delay) { _ in false } }

    /// Lets time pass until something is true, `delay` at most; answers whether it came true.
    @discardableResult
    mutating func run(atMost delay: Delay, until isDone: (TestRadio) -> Bool) -> Bool {
        run(until: now + delay, isDone)
    }

    @discardableResult
    private mutating func run(until end: Instant, _ isDone: (TestRadio) -> Bool) -> Bool {
        if isDone(self) { return true }
        while let next = radio.nextDeadline, next <= end {
            now = max(now, next)
            radio.advance(to: now, into: &out)
            absorb()
            if isDone(self) { return true }
        }
        now = end
        return false
    }

    private mutating func absorb() {
        while !out.isEmpty {
            let fresh = out
            out.removeAll(keepingCapacity: true)
            for output in fresh { log.append(Entry(time: now, output: output)) }
            for index in pumps.indices { pumps[index].absorb(fresh) }
            for index in pumps.indices { feed(index) }
        }
    }

    private mutating func feed(_ index: Int) {
        while let packet = pumps[index].next() { radio.receive(packet, from: pumps[index].id, at: now, into: &out) }
    }

    /// Sends packets of data from now on, as many at a time as there are credits.
    mutating func pump(_ id: ControllerID, _ handle: ConnectionHandle, _ packets: [[UInt8]], credits: Int) {
        pumps.append(Pump(id, handle, packets, credits: credits))
        feed(pumps.count - 1)
        absorb()
    }

    // MARK: Controller to host

    static func event(_ output: RadioOutput, of id: ControllerID) -> HCIEvent? {
        guard case .packet(id, let packet) = output, case .event(let event)? = try? HCIPacket(decoding: packet) else {
            return nil
        }
        return event
    }

    /// The events of a controller with their times.
    func timedEvents(_ id: ControllerID) -> [(Instant, HCIEvent)] {
        log.compactMap { entry in TestRadio.event(entry.output, of: id).map { (entry.time, $0) } }
    }

    func events(_ id: ControllerID) -> [HCIEvent] { timedEvents(id).map(\.1) }

    /// The payloads of the data that a host was given.
    func data(_ id: ControllerID) -> [HCIACLData] {
        log.compactMap { entry in
            guard case .packet(id, let packet) = entry.output,
                case .aclData(let data)? = try? HCIPacket(decoding: packet)
            else { return nil }
            return data
        }
    }

    func reports(_ id: ControllerID) -> [LEAdvertisingReport.Report] {
        events(id).flatMap { event -> [LEAdvertisingReport.Report] in
            if case .leAdvertisingReport(let event) = event { return event.reports }
            return []
        }
    }

    func reportTimes(_ id: ControllerID) -> [Instant] {
        timedEvents(id).compactMap { if case .leAdvertisingReport = $0.1 { $0.0 } else { nil } }
    }

    func connections(_ id: ControllerID) -> [LEConnectionComplete] {
        events(id).compactMap { event in
            switch event {
            case .leConnectionComplete(let event): event
            case .leEnhancedConnectionComplete(let event):
                LEConnectionComplete(
                    status: event.status, handle: event.handle, role: event.role, peer: event.peer,
                    interval: event.interval, latency: event.latency, supervisionTimeout: event.supervisionTimeout,
                    centralClockAccuracy: event.centralClockAccuracy)
            default: nil
            }
        }
    }

    static func isConnectionComplete(_ event: HCIEvent) -> Bool {
        switch event {
        case .leConnectionComplete, .leEnhancedConnectionComplete: true
        default: false
        }
    }

    func disconnections(_ id: ControllerID) -> [HCIDisconnectionComplete] {
        events(id).compactMap { if case .disconnectionComplete(let event) = $0 { event } else { nil } }
    }

    func time(of id: ControllerID, _ isIt: (HCIEvent) -> Bool) -> Instant? {
        timedEvents(id).first { isIt($0.1) }?.0
    }

    func states(_ id: ControllerID) -> [LinkLayerState] {
        log.compactMap { if case .state(id, let state) = $0.output { state } else { nil } }
    }

    var air: [AirPacket] {
        log.compactMap { if case .air(let packet) = $0.output { packet } else { nil } }
    }

    /// Packets of a link on the air.
    var linkPackets: [AirPacket] { air.filter { $0.direction != .advertising } }

    /// Forgets what has come out so far.
    mutating func clear() { log.removeAll() }
}

/// Sends packets of data as long as the controller has buffers for them.
struct Pump {
    let id: ControllerID
    let handle: ConnectionHandle
    /// L2CAP PDUs, each sent as one packet or several.
    var waiting: ArraySlice<[UInt8]>
    var credits: Int

    init(_ id: ControllerID, _ handle: ConnectionHandle, _ packets: [[UInt8]], credits: Int) {
        self.id = id
        self.handle = handle
        waiting = packets[...]
        self.credits = credits
    }

    mutating func absorb(_ outputs: [RadioOutput]) {
        for output in outputs {
            guard case .numberOfCompletedPackets(let event)? = TestRadio.event(output, of: id) else { continue }
            for completed in event.completed where completed.handle == handle { credits += Int(completed.count) }
        }
    }

    mutating func next() -> [UInt8]? {
        guard credits > 0, let payload = waiting.popFirst() else { return nil }
        credits -= 1
        return HCIACLData.packet(handle: handle, boundary: .firstFromHost, payload: payload)
    }
}
