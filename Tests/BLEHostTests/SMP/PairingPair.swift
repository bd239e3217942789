import BLEHost
import BLEWire

/// Two pairing machines that talk to each other; the test may read, change or drop what goes between them.
struct PairingPair {
    struct Side {
        var machine: PairingMachine
        var random: SeededGenerator
        var questions: [PairingQuestion] = []
        var result: PairingResult?
        var failure: PairingFailure?
        var sent: [[UInt8]] = []
        var keypresses: [SMPKeypress] = []
        /// What the person does; nil = nothing yet.
        var answer: @Sendable (PairingQuestion) -> PairingAnswer? = PairingPair.agree
    }
    var initiator: Side
    var responder: Side
    var now = Instant.start
    /// The key with which the initiator has encrypted the link.
    var encrypted: Key128?
    /// What becomes of a command on its way; nil = it is lost. The first argument tells whether the initiator sends.
    var wire: (Bool, [UInt8]) -> [[UInt8]] = { [$1] }
    /// What the link's encryption comes to, where both keys are the same.
    var encryptionStatus = HCIStatus.success
    /// Keys that whoever types the passkey presses first.
    var typing: [SMPKeypress] = []
    /// Commands on their way.
    private var queue: [(toInitiator: Bool, octets: [UInt8])] = []

    static let initiatorAddress = DeviceAddress(0x0011_2233_4455)
    static let responderAddress = DeviceAddress(0xC0AA_BBCC_DDEE, .randomDevice)
    static let passkey: UInt32 = 123_456

    /// A person who agrees, and types the passkey that the test's other side shows (or both were given).
    static let agree: @Sendable (PairingQuestion) -> PairingAnswer? = { question in
        switch question {
        case .confirm, .compare, .replaceBond: .accept
        case .enterPasskey: nil
        case .displayPasskey: nil
        }
    }

    init(
        initiator: PairingPolicy = PairingPolicy(), responder: PairingPolicy = PairingPolicy(), seed: UInt64 = 1,
        _ change: (inout PairingContext, inout PairingContext) -> Void = { _, _ in }
    ) {
        var first = PairingContext(
            isInitiator: true, ownAddress: Self.initiatorAddress, peerAddress: Self.responderAddress)
        var second = PairingContext(
            isInitiator: false, ownAddress: Self.responderAddress, peerAddress: Self.initiatorAddress)
        first.policy = initiator
        second.policy = responder
        first.ownIRK = Key128(0x1111_2222_3333)
        second.ownIRK = Key128(0x4444_5555_6666)
        change(&first, &second)
        self.initiator = Side(machine: PairingMachine(context: first), random: SeededGenerator(state: seed))
        self.responder = Side(machine: PairingMachine(context: second), random: SeededGenerator(state: seed &+ 77))
    }

    mutating func pair() {
        handle(.start, atInitiator: true)
        run()
    }

    /// Until nothing is on its way. Whoever is to type gets what the other side shows.
    mutating func run() {
        while !queue.isEmpty {
            let (toInitiator, octets) = queue.removeFirst()
            handle(.received(octets), atInitiator: toInitiator)
            if queue.isEmpty { typePasskey() }
        }
        typePasskey()
        if !queue.isEmpty { run() }
    }

    private mutating func typePasskey() {
        for isInitiator in [true, false] {
            let own = isInitiator ? initiator : responder
            let other = isInitiator ? responder : initiator
            guard own.machine.isActive, own.questions.last == .enterPasskey, own.answer(.enterPasskey) == nil else {
                continue
            }
            var digits = Self.passkey
            if case .displayPasskey(let shown)? = other.questions.last { digits = shown }
            if isInitiator { initiator.questions.append(.displayPasskey(digits)) }
            if !isInitiator { responder.questions.append(.displayPasskey(digits)) }
            for keypress in typing { handle(.pressed(keypress), atInitiator: isInitiator) }
            handle(.answered(.passkey(digits)), atInitiator: isInitiator)
        }
    }

    mutating func handle(_ input: PairingInput, atInitiator isInitiator: Bool) {
        var out: [PairingOutput] = []
        if isInitiator {
            initiator.machine.handle(input, at: now, random: &initiator.random, into: &out)
        } else {
            responder.machine.handle(input, at: now, random: &responder.random, into: &out)
        }
        for output in out { route(output, isInitiator) }
    }

    private mutating func route(_ output: PairingOutput, _ isInitiator: Bool) {
        var side = isInitiator ? initiator : responder
        var next: PairingInput?
        switch output {
        case .send(let pdu):
            side.sent.append(pdu)
            for octets in wire(isInitiator, pdu) { queue.append((!isInitiator, octets)) }
        case .ask(let question):
            side.questions.append(question)
            next = side.answer(question).map { .answered($0) }
        case .peerPressed(let keypress): side.keypresses.append(keypress)
        case .encrypt(let key): encrypted = key
        case .completed(let result): side.result = result
        case .failed(let failure): side.failure = failure
        case .trace: break
        }
        if isInitiator { initiator = side } else { responder = side }
        if let next { handle(next, atInitiator: isInitiator) }
        if case .encrypt(let key) = output {
            // The link layer: the same key on both sides, or a message integrity check that fails.
            let isSame = responder.machine.currentKey == key
            let status: HCIStatus = isSame ? encryptionStatus : .micFailure
            handle(.encryptionChanged(status), atInitiator: false)
            handle(.encryptionChanged(status), atInitiator: true)
        }
    }

    mutating func advance(by delay: Delay) {
        let end = now + delay
        while let deadline = [initiator, responder].compactMap(\.machine.nextDeadline).min(), deadline <= end {
            now = max(now, deadline)
            handle(.timerFired, atInitiator: true)
            handle(.timerFired, atInitiator: false)
            run()
        }
        now = end
    }
}

extension PairingPolicy {
    static func with(_ ioCapability: SMPIOCapability, _ change: (inout PairingPolicy) -> Void = { _ in }) -> Self {
        var policy = PairingPolicy()
        policy.ioCapability = ioCapability
        change(&policy)
        return policy
    }
}
