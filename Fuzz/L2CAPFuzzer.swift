import BLEHost
import BLEWire

/// A whole host with a controller that answers commands as it should, and two links. What comes over the first link is
/// the input: fragments in any order, signalling, ATT; in between events that no controller would send. At the end the
/// second link must still answer, unless the controller ended it or broke down.
enum L2CAPFuzzer: Fuzzer {
    static func run(_ octets: [UInt8]) {
        var input = FuzzInput(octets)
        var bench = FuzzHost()
        bench.feed(.command(.powerOn))
        require(bench.isPoweredOn, "the host doesn't start: \(bench.events)")
        bench.feed(.command(.startAdvertising(AdvertisingSettings())))
        bench.feed(.command(.listen(spsm: 0x0080, ChannelListener())))
        bench.link(FuzzHost.hostile, as: .central)
        bench.link(FuzzHost.good, as: .peripheral)
        let mayBreakController = input.u8() & 1 != 0
        while !input.isAtEnd { step(&bench, &input, mayBreakController) }
        if mayBreakController { return }
        bench.settle()
        bench.sent = []
        // ATT_READ_BY_TYPE_REQ of Device Name.
        let request: [UInt8] = [0x07, 0x00, 0x04, 0x00, 0x08, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x2A]
        bench.feed(.packet(HCIACLData.packet(handle: FuzzHost.good, boundary: .first, payload: request)))
        let isAnswered = bench.sent.contains { packet in
            guard let data = try? HCIACLData(packet: packet) else { return false }
            return data.handle == FuzzHost.good && data.payloadOctets.dropFirst(4).first == 0x09
        }
        require(isAnswered, "the other link gets no answer")
    }

    private static func step(_ bench: inout FuzzHost, _ input: inout FuzzInput, _ mayBreakController: Bool) {
        switch input.u8() {
        case 0: bench.advance(by: .milliseconds(Int64(input.u16())))
        case 1:
            let procedure = ATTClientFuzzer.procedure(&input)
            bench.feed(.command(.gatt(FuzzHost.hostile, OperationToken(rawValue: 1), procedure)))
        case 2:
            bench.feed(.packet(HCIDisconnectionComplete(handle: FuzzHost.hostile, reason: .connectionTimeout).packet()))
            bench.link(FuzzHost.hostile, as: input.u8() & 1 == 0 ? .central : .peripheral)
        case 3:
            // A whole PDU with a right header.
            let number = UInt16(input.u8())
            let channel = number < 0x40 ? number % 8 : 0x40 + number % 4
            let payload = input.counted()
            let pdu = L2CAPHeader.pdu(channel: ChannelIdentifier(rawValue: channel), payload: payload)
            bench.feed(.packet(HCIACLData.packet(handle: FuzzHost.hostile, boundary: .first, payload: pdu)))
        case 4 where mayBreakController: bench.feed(.packet([0x04] + input.counted()))
        case 5 where mayBreakController: bench.feed(.packet(input.counted()))
        case let kind:
            let boundary = HCIACLData.Boundary(rawValue: kind)
            bench.feed(
                .packet(HCIACLData.packet(handle: FuzzHost.hostile, boundary: boundary, payload: input.counted())))
        }
    }
}

/// A host machine on a controller that does what it is told.
struct FuzzHost {
    static let hostile = ConnectionHandle(rawValue: 1)
    static let good = ConnectionHandle(rawValue: 2)

    private var host = HostMachine(configuration: HostConfiguration(), random: FuzzRandom())
    private var now = Instant.start
    var sent: [[UInt8]] = []
    var events: [HostEvent] = []

    var isPoweredOn: Bool { events.contains(.stateChanged(.poweredOn)) }

    mutating func link(_ handle: ConnectionHandle, as role: LERole) {
        let peer = DeviceAddress(0xC000_0000_0000 + UInt64(handle.rawValue), .randomDevice)
        if role == .central { feed(.command(.connect(peer, ConnectionSettings()))) }
        feed(.packet(LEConnectionComplete(handle: handle, role: role, peer: peer).packet()))
    }

    /// Feeds an input and what follows from it, until nothing follows any more.
    mutating func feed(_ input: HostInput) {
        var inputs = [input]
        var steps = 0
        while !inputs.isEmpty {
            steps += 1
            require(steps < 10_000, "host and controller never come to rest")
            var out: [HostOutput] = []
            for input in inputs { host.handle(input, at: now, into: &out) }
            inputs = []
            for output in out {
                switch output {
                case .event(let event): if events.count < 64 { events.append(event) }
                case .trace: break
                case .send(let packet):
                    sent.append(packet)
                    inputs += answer(to: packet).map(HostInput.packet)
                }
            }
        }
    }

    mutating func advance(by delay: Delay) {
        let end = now + delay
        var turns = 0
        while let deadline = host.nextDeadline, deadline <= end {
            turns += 1
            require(turns < 10_000, "a timer that never comes to rest")
            now = max(now, deadline)
            feed(.timerFired)
        }
        now = end
    }

    /// Lets what still waits come to its end.
    mutating func settle() { advance(by: .seconds(120)) }

    private func answer(to packet: [UInt8]) -> [[UInt8]] {
        switch try? HCIPacket(decoding: packet) {
        case .command(let command): return reply(to: command)
        case .aclData(let data):
            require(data.handle == Self.hostile || data.handle == Self.good, "data for a link that isn't there")
            require(data.payload.count <= 27, "data longer than the controller's buffer")
            return [HCINumberOfCompletedPackets.packet(handle: data.handle, count: 1)]
        default:
            require(false, "a packet that no controller reads: \(Hex.string(packet))")
            return []
        }
    }

    private func reply(to command: HCICommand) -> [[UInt8]] {
        switch command {
        case .readLocalSupportedCommands:
            return [HCIReadLocalSupportedCommands.completed(.init(commands: .init(HCICatalogue.commands)))]
        case .leReadBufferSizeV2:
            return [LEReadBufferSizeV2.completed(.init(aclDataPacketLength: 27, totalACLDataPackets: 4))]
        case .leReadBufferSize:
            return [LEReadBufferSize.completed(.init(aclDataPacketLength: 27, totalACLDataPackets: 4))]
        case .readBDAddr: return [HCIReadBDAddr.completed(.init(address: DeviceAddress(0x0011_2233_4455)))]
        case .leReadFilterAcceptListSize: return [LEReadFilterAcceptListSize.completed(.init(size: 8))]
        case .leReadSupportedStates: return [LEReadSupportedStates.completed(.init(states: .max))]
        case .disconnect(let command):
            return [
                HCIDisconnect.accepted(),
                HCIDisconnectionComplete(handle: command.handle, reason: .localHostTerminated).packet(),
            ]
        default:
            guard let type = HCICatalogue.commands.first(where: { $0.opcode == command.opcode }) else { return [] }
            return Self.success(of: type)
        }
    }

    /// Success with the initial values of the return parameters.
    private static func success<Command: HCICommandPDU>(of command: Command.Type) -> [[UInt8]] {
        switch command.completion {
        case .complete: [Command.completed(.init())]
        case .status: [Command.accepted()]
        case .nothing: []
        }
    }
}
