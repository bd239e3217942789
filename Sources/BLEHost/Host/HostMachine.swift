package import BLEWire

/// A Bluetooth host of one controller.
///
/// *Role*: the host of [Vol 1, Part A, 2]: GAP, GATT, ATT and L2CAP on the links of one controller, by HCI.
///
/// *Inputs and outputs*: `HostInput` in, `HostOutput` out, in order; `nextDeadline` says when `.timerFired` is due.
/// Packets are H4-framed octets. The machine knows no clock and no descriptor; whoever drives it hands in the time.
///
/// *Limits*: a value, used by one thread of control at a time. When the state leaves `.poweredOn`, every wish is
/// dropped: links and pending connections end with their error, scan and advertising end silently; the database stays.
/// Of a pairing that fails nothing is kept; the keys of the others are told to the user, who keeps them.
package struct HostMachine {
    package let configuration: HostConfiguration
    var random: any RandomNumberGenerator & Sendable
    /// The state that was told last.
    package internal(set) var state = HostState.unknown
    /// When the next `.timerFired` is due.
    package private(set) var nextDeadline: Instant?
    /// The address that this host uses, known once it is powered on.
    package internal(set) var ownAddress = DeviceAddress(0)

    var power = PowerControl()
    var controller = ControllerCapabilities()
    var commands = CommandQueue()
    var flow = DataFlow()
    var links = LinkTable()
    var deadlines = DeadlineQueue()
    var server: GATTServer
    /// Services that peers may open channels to, by SPSM.
    var listeners: SortedTable<UInt16, ChannelListener> = .init()
    var scan = ScanControl()
    var advertising = AdvertisingControl()
    var connecting = ConnectionQueue()
    var periodic = PeriodicControl()
    var security: SecurityControl
    var privacy = PrivacyControl()
    /// Outputs of the GATT connection at hand; kept so that a packet doesn't cost an array.
    var gattOutputs: [GATTOutput] = []
    /// The same for the channels at hand.
    var channelOutputs: [ChannelOutput] = []
    /// The random static address, once one was made.
    var staticAddress: DeviceAddress?

    package init(configuration: HostConfiguration, random: any RandomNumberGenerator & Sendable) {
        self.configuration = configuration
        self.random = random
        var database = configuration.server
        database.deviceName = configuration.deviceName
        database.appearance = configuration.appearance
        server = GATTServer(configuration: database)
        security = SecurityControl(policy: configuration.pairing)
    }

    package mutating func handle(_ input: HostInput, at now: Instant, into out: inout [HostOutput]) {
        switch input {
        case .packet(let packet): receive(packet, at: now, into: &out)
        case .command(let command): perform(command, at: now, into: &out)
        case .timerFired: fireTimers(at: now, into: &out)
        case .transportClosed(let reason): transportClosed(reason, at: now, into: &out)
        case .transportOpened: transportOpened(at: now, into: &out)
        }
        if !security.wished.isEmpty { raiseWishedSecurity(at: now, into: &out) }
        if isOn { stepPrivacy(at: now, into: &out) }
        settle(at: now, into: &out)
    }

    /// Sends what may be sent, and finds the next deadline.
    private mutating func settle(at now: Instant, into out: inout [HostOutput]) {
        sendData(at: now, into: &out)
        if commands.isPending { sendCommand(at: now, into: &out) }
        settleLinkDeadlines()
        let earliest = commands.deadline.earlier(connecting.deadline).earlier(power.stopBy)
            .earlier(deadlines.earliest).earlier(security.deadline).earlier(isOn ? privacy.nextDeadline : .never)
            .earlier(periodic.deadline)
        nextDeadline = earliest == .never ? nil : earliest
    }

    private mutating func sendCommand(at now: Instant, into out: inout [HostOutput]) {
        guard power.isTransportOpen else { return }
        if let packet = commands.next(at: now, timeout: configuration.controller.commandTimeout) {
            out.append(.send(packet))
        }
    }

    private mutating func fireTimers(at now: Instant, into out: inout [HostOutput]) {
        if commands.deadline <= now, let opcode = commands.stuck {
            controllerFailed(.commandTimeout(opcode: opcode.rawValue), at: now, into: &out)
        }
        if power.stopBy <= now { resetToStop(into: &out) }
        if connecting.deadline <= now { connectionTimersFired(at: now, into: &out) }
        if periodic.deadline <= now { periodicTimersFired(at: now, into: &out) }
        if security.deadline <= now { firePairingTimers(at: now, into: &out) }
        fireLinkTimers(at: now, into: &out)
    }
}

extension HostMachine {
    mutating func trace(_ level: TraceEvent.Level, _ layer: String, _ message: String, into out: inout [HostOutput]) {
        out.append(.trace(TraceEvent(level, layer, message)))
    }

    /// Queues a command for the controller.
    mutating func send<Command: HCICommandPDU>(_ command: Command, for purpose: CommandPurpose) {
        commands.append(.init(opcode: Command.opcode, packet: command.packet(), purpose: purpose))
    }

    var isOn: Bool { power.phase == .on }

    /// Pairings that are under way, and the links that there are.
    package var pairingCount: Int { security.pairings.count }
    package var linkCount: Int { links.count }
    /// How many times a key was set up to resolve private addresses, and how many results are remembered.
    package var resolverUse: (setups: Int, remembered: Int) { privacy.resolverUse }
}
