import BLEHost
import BLEWire

/// A small generator with a known beginning. (SplitMix64)
struct SeededGenerator: RandomNumberGenerator, Sendable {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// A host machine on a scripted controller, in virtual time: an answer comes at once.
struct HostBench {
    var host: HostMachine
    var controller = ScriptedController()
    var now = Instant.start
    /// Packets that the host has sent and nobody has looked at.
    var commands: [[UInt8]] = []
    var data: [[UInt8]] = []
    var events: [HostEvent] = []
    var traces: [TraceEvent] = []
    /// Whether the controller completes each data packet at once.
    var completesData = true

    init(_ configuration: HostConfiguration = .quiet) {
        host = HostMachine(configuration: configuration, random: SeededGenerator(state: 1))
    }

    /// On, with nothing to look at.
    static func poweredOn(
        _ configuration: HostConfiguration = .quiet, _ change: (inout ScriptedController) -> Void = { _ in }
    ) -> HostBench {
        var bench = HostBench(configuration)
        change(&bench.controller)
        bench.command(.powerOn)
        bench.forget()
        return bench
    }

    mutating func forget() {
        commands = []
        data = []
        events = []
        traces = []
    }

    mutating func command(_ command: HostCommand) { feed(.command(command)) }
    /// A packet from the controller.
    mutating func receive(_ packet: [UInt8]) { feed(.packet(packet)) }

    mutating func feed(_ input: HostInput) {
        var inputs = [input]
        while !inputs.isEmpty {
            var out: [HostOutput] = []
            for input in inputs { host.handle(input, at: now, into: &out) }
            inputs = []
            for output in out {
                switch output {
                case .event(let event): events.append(event)
                case .trace(let event): traces.append(event)
                case .send(let packet) where packet[0] == 0x01:
                    commands.append(packet)
                    inputs += controller.reply(to: packet).map(HostInput.packet)
                case .send(let packet):
                    data.append(packet)
                    if completesData {
                        let handle = ConnectionHandle(rawValue: (UInt16(packet[1]) | UInt16(packet[2]) << 8) & 0xFFF)
                        inputs.append(.packet(HCINumberOfCompletedPackets.packet(handle: handle, count: 1)))
                    }
                }
            }
        }
    }

    /// Lets time pass; timers fire when they're due.
    mutating func advance(by delay: Delay) {
        let end = now + delay
        while let deadline = host.nextDeadline, deadline <= end {
            now = max(now, deadline)
            feed(.timerFired)
        }
        now = end
    }

    /// The opcodes of the commands that were sent.
    var opcodes: [HCIOpcode] { commands.map(ScriptedController.opcode) }

    /// Takes the events that have come.
    mutating func takeEvents() -> [HostEvent] {
        defer { events = [] }
        return events
    }

    // Links.

    static let handle = ConnectionHandle(rawValue: 0x0040)
    static let peer = DeviceAddress(0xC0FF_EE00_0001, .randomDevice)

    /// LE Connection Complete.
    mutating func linkMade(
        _ handle: ConnectionHandle = HostBench.handle, to peer: DeviceAddress = HostBench.peer, as role: LERole
    ) {
        receive(LEConnectionComplete(handle: handle, role: role, peer: peer).packet())
    }

    /// On, with a link, and nothing to look at.
    static func linked(
        as role: LERole, _ configuration: HostConfiguration = .quiet,
        _ change: (inout ScriptedController) -> Void = { _ in }
    ) -> HostBench {
        var bench = HostBench.poweredOn(configuration, change)
        if role == .central { bench.command(.connect(peer, ConnectionSettings())) }
        bench.linkMade(as: role)
        bench.forget()
        return bench
    }

    /// A whole L2CAP PDU from the peer.
    mutating func receive(
        _ payload: [UInt8], on channel: ChannelIdentifier, of handle: ConnectionHandle = HostBench.handle
    ) {
        let length = payload.count
        let cid = channel.rawValue
        let pdu = [UInt8(length & 0xFF), UInt8(length >> 8), UInt8(cid & 0xFF), UInt8(cid >> 8)] + payload
        receive(HCIACLData.packet(handle: handle, boundary: .first, payload: pdu))
    }

    /// The L2CAP PDUs that the data packets of one link make: channel and payload.
    func sentPDUs(of handle: ConnectionHandle = HostBench.handle) -> [Recombiner.PDU] {
        var recombiner = Recombiner()
        recombiner.limits.channels = .max
        recombiner.limits.frame = 0xFFFF
        return data.compactMap { packet in
            guard let data = try? HCIACLData(packet: packet), data.handle == handle else { return nil }
            return recombiner.receive(data).pdu
        }
    }
}

extension HostConfiguration {
    /// Asks for nothing by itself, and doesn't pair.
    static var quiet: HostConfiguration {
        var configuration = HostConfiguration()
        configuration.asCentral = .none
        configuration.asPeripheral = .none
        configuration.pairing.isEnabled = false
        return configuration
    }
}
