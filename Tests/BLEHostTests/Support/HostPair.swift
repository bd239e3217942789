import BLEHost
import BLEWire

/// Two hosts with a link between them, on scripted controllers that encrypt as good ones do: same key, or no link.
struct HostPair {
    enum Role: Int { case central = 0, peripheral = 1 }

    var hosts: [HostMachine]
    private var controllers = [ScriptedController(), ScriptedController()]
    var events: [[HostEvent]] = [[], []]
    var traces: [TraceEvent] = []
    var now = Instant.start
    /// What the persons do; nil = nothing.
    var answers: [@Sendable (PairingQuestion) -> PairingAnswer?] = [HostPair.agree, HostPair.agree]
    /// What becomes of a command of the Security Manager; the first argument says who sends.
    var wire: (Role, [UInt8]) -> [[UInt8]] = { [$1] }
    /// The commands of the Security Manager that were sent, by sender.
    var commands: [[[UInt8]]] = [[], []]
    /// Keys that the hosts have given to their controllers.
    var keysGiven: [[UInt128]] = [[], []]
    /// The key of the link, once it is encrypted.
    var linkKey: UInt128?
    private var queue: [(Role, HostInput)] = []
    private var asked: LEEnableEncryption?
    private var isLinked = false
    private var shownPasskey: UInt32 = 123_456

    static let handle = ConnectionHandle(rawValue: 0x0040)
    static let addresses = [DeviceAddress(0x0011_2233_0001), DeviceAddress(0x0011_2233_0002)]

    static let agree: @Sendable (PairingQuestion) -> PairingAnswer? = { question in
        switch question {
        case .confirm, .compare, .replaceBond: .accept
        case .enterPasskey, .displayPasskey: nil
        }
    }

    init(central: HostConfiguration = .quiet, peripheral: HostConfiguration = .quiet, seed: UInt64 = 1) {
        hosts = [
            HostMachine(configuration: central, random: SeededGenerator(state: seed)),
            HostMachine(configuration: peripheral, random: SeededGenerator(state: seed &+ 99)),
        ]
        for index in 0...1 { controllers[index].address = Self.addresses[index] }
        for role in [Role.central, .peripheral] { command(.powerOn, at: role) }
    }

    /// With a link, and nothing to look at.
    static func linked(
        central: HostConfiguration = .quiet, peripheral: HostConfiguration = .quiet, seed: UInt64 = 1
    ) -> HostPair {
        var pair = HostPair(central: central, peripheral: peripheral, seed: seed)
        pair.connect()
        return pair
    }

    mutating func connect() {
        command(.connect(Self.addresses[1], ConnectionSettings()), at: .central)
        isLinked = true
        // The peripheral first: the central may ask at once for what needs both.
        let pairs: [(Role, LERole)] = [(.peripheral, .peripheral), (.central, .central)]
        for (role, side) in pairs {
            let peer = Self.addresses[1 - role.rawValue]
            feed(packet: LEConnectionComplete(handle: Self.handle, role: side, peer: peer).packet(), role)
        }
    }

    mutating func disconnect(_ reason: HCIStatus = .remoteUserTerminated) {
        guard isLinked else { return }
        isLinked = false
        linkKey = nil
        asked = nil
        for role in [Role.central, .peripheral] {
            feed(packet: HCIDisconnectionComplete(handle: Self.handle, reason: reason).packet(), role)
        }
    }

    mutating func forget() {
        events = [[], []]
        commands = [[], []]
        keysGiven = [[], []]
    }

    mutating func command(_ command: HostCommand, at role: Role) {
        queue.append((role, .command(command)))
        run()
    }

    mutating func feed(packet: [UInt8], _ role: Role) {
        queue.append((role, .packet(packet)))
        run()
    }

    /// A command of the Security Manager out of nowhere.
    mutating func inject(_ command: [UInt8], to role: Role) {
        feed(packet: Self.data(command, channel: 6), role)
    }

    mutating func advance(by delay: Delay) {
        let end = now + delay
        while let deadline = hosts.compactMap(\.nextDeadline).min(), deadline <= end {
            now = max(now, deadline)
            queue.append((.central, .timerFired))
            queue.append((.peripheral, .timerFired))
            run()
        }
        now = end
    }

    private mutating func run() {
        while !queue.isEmpty {
            let (role, input) = queue.removeFirst()
            var out: [HostOutput] = []
            hosts[role.rawValue].handle(input, at: now, into: &out)
            for output in out { route(output, role) }
        }
    }

    private mutating func route(_ output: HostOutput, _ role: Role) {
        switch output {
        case .event(let event):
            events[role.rawValue].append(event)
            if case .pairingAsked(_, let question) = event { ask(question, role) }
        case .trace(let event): traces.append(event)
        case .send(let packet) where packet[0] == 0x01: perform(packet, role)
        case .send(let packet): relay(packet, role)
        }
    }

    private mutating func ask(_ question: PairingQuestion, _ role: Role) {
        if case .displayPasskey(let digits) = question { shownPasskey = digits }
        if let answer = answers[role.rawValue](question) {
            queue.append((role, .command(.answerPairing(Self.handle, answer))))
        } else if question == .enterPasskey {
            // A person who types what the other side shows, once it does.
            queue.append((role, .command(.answerPairing(Self.handle, .passkey(shownPasskey)))))
        }
    }

    /// A frame of the peer as the controller hands it up.
    private static func data(_ payload: [UInt8], channel: UInt16) -> [UInt8] {
        let length = payload.count
        let header = [UInt8(length & 0xFF), UInt8(length >> 8), UInt8(channel & 0xFF), UInt8(channel >> 8)]
        return HCIACLData.packet(handle: handle, boundary: .first, payload: header + payload)
    }

    private mutating func relay(_ packet: [UInt8], _ role: Role) {
        queue.append((role, .packet(HCINumberOfCompletedPackets.packet(handle: Self.handle, count: 1))))
        let frame = Array(packet.dropFirst(5))
        let other: Role = role == .central ? .peripheral : .central
        guard isLinked, frame.count >= 4 else { return }
        let payload = Array(frame.dropFirst(4))
        let channel = UInt16(frame[2]) | UInt16(frame[3]) << 8
        guard channel == 6 else { return queue.append((other, .packet(Self.data(payload, channel: channel)))) }
        commands[role.rawValue].append(payload)
        for command in wire(role, payload) { queue.append((other, .packet(Self.data(command, channel: 6)))) }
    }

    private mutating func perform(_ packet: [UInt8], _ role: Role) {
        guard case .command(let command)? = try? HCIPacket(decoding: packet) else { return }
        switch command {
        case .leEnableEncryption(let command):
            keysGiven[role.rawValue].append(command.longTermKey)
            queue.append((role, .packet(LEEnableEncryption.accepted())))
            asked = command
            let request = LELongTermKeyRequest(
                handle: Self.handle, random: command.random, encryptedDiversifier: command.encryptedDiversifier)
            queue.append((.peripheral, .packet(request.packet())))
        case .leLongTermKeyRequestReply(let reply):
            keysGiven[role.rawValue].append(reply.longTermKey)
            queue.append((role, .packet(LELongTermKeyRequestReply.completed(.init(handle: Self.handle)))))
            encrypt(with: reply.longTermKey)
        case .leLongTermKeyRequestNegativeReply:
            queue.append((role, .packet(LELongTermKeyRequestNegativeReply.completed(.init(handle: Self.handle)))))
            if asked.take() != nil { tellEncryption(.pinOrKeyMissing, [.central]) }
        case .disconnect(let command):
            queue.append((role, .packet(HCIDisconnect.accepted())))
            guard isLinked else { return }
            isLinked = false
            let other: Role = role == .central ? .peripheral : .central
            let ours = HCIDisconnectionComplete(handle: Self.handle, reason: .localHostTerminated).packet()
            let theirs = HCIDisconnectionComplete(handle: Self.handle, reason: command.reason).packet()
            queue.append((role, .packet(ours)))
            queue.append((other, .packet(theirs)))
        default:
            for reply in controllers[role.rawValue].reply(to: packet) { queue.append((role, .packet(reply))) }
        }
    }

    /// Both sides have a key.
    private mutating func encrypt(with key: UInt128) {
        guard let command = asked.take() else { return }
        if command.longTermKey == key {
            linkKey = key
            tellEncryption(.success, [.central, .peripheral])
        } else {
            isLinked = false
            for role in [Role.central, .peripheral] {
                let event = HCIDisconnectionComplete(handle: Self.handle, reason: .micFailure)
                queue.append((role, .packet(event.packet())))
            }
        }
    }

    private mutating func tellEncryption(_ status: HCIStatus, _ roles: [Role]) {
        for role in roles {
            let event = HCIEncryptionChange(
                status: status, handle: Self.handle, isEnabled: status == .success ? 1 : 0)
            queue.append((role, .packet(event.packet())))
        }
    }
}

extension HostPair {
    /// What the pairings of one side came to, in order.
    func outcomes(at role: Role) -> [Result<PairingResult, HostError>] {
        events[role.rawValue].compactMap { if case .pairingEnded(_, let result) = $0 { result } else { nil } }
    }

    func bonds(at role: Role) -> [Bond] { hosts[role.rawValue].bonds }

    /// What was told last of the link's security.
    func security(at role: Role) -> LinkSecurity? {
        events[role.rawValue].reversed().lazy.compactMap {
            if case .securityChanged(_, let security) = $0 { security } else { nil }
        }.first
    }
}

extension HostConfiguration {
    /// Asks for nothing by itself, and pairs like this.
    static func pairing(
        _ ioCapability: SMPIOCapability = .noInputNoOutput, _ change: (inout PairingPolicy) -> Void = { _ in }
    ) -> HostConfiguration {
        var configuration = HostConfiguration.quiet
        configuration.pairing = .with(ioCapability, change)
        return configuration
    }
}
