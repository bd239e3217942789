import BLEHost
import BLEWire

/// Two pairing machines that mean well, persons who may be wrong, and a wire that is the input: it loses, repeats,
/// changes, swaps and adds commands, and lets time pass. Whatever it does, a key that both sides take is the same one,
/// nobody has one before the link was encrypted with it, and a pairing that has failed leaves nothing.
enum PairingFuzzer: Fuzzer {
    static func run(_ octets: [UInt8]) {
        var input = FuzzInput(octets)
        var pair = FuzzPair(&input)
        pair.start(atInitiator: input.u8() & 1 == 0, &input)
        var steps = 0
        while pair.step(&input) {
            steps += 1
            require(steps < 10_000, "the two never come to rest")
        }
        pair.end()
    }
}

private struct FuzzPair {
    private struct Side {
        var machine: PairingMachine
        var random = FuzzRandom()
        var question: PairingQuestion?
        /// The passkey that its person reads.
        var shown: UInt32 = 123_456
        var result: PairingResult?

        mutating func handle(_ event: PairingInput, at now: Instant, into out: inout [PairingOutput]) {
            machine.handle(event, at: now, random: &random, into: &out)
        }
    }
    /// Initiator and responder.
    private var sides: [Side]
    private var now = Instant.start
    /// Commands on their way, each with the side that it goes to.
    private var queue: [(to: Int, octets: [UInt8])] = []
    private var seen: [[UInt8]] = []
    /// Whether the link is encrypted with the key of this pairing.
    private var isEncrypted = false

    init(_ input: inout FuzzInput) {
        let addresses = [DeviceAddress(0x0011_2233_4455), DeviceAddress(0xC0AA_BBCC_DDEE, .randomDevice)]
        sides = []
        for number in 0..<2 {
            var context = PairingContext(
                isInitiator: number == 0, ownAddress: addresses[number], peerAddress: addresses[1 - number])
            context.policy = Self.policy(&input)
            context.ownIRK = Key128(UInt128(number + 1))
            sides.append(Side(machine: PairingMachine(context: context)))
            for _ in 0..<number { _ = sides[number].random.next() }
        }
    }

    private static func policy(_ input: inout FuzzInput) -> PairingPolicy {
        var policy = PairingPolicy()
        let choice = input.u8()
        policy.ioCapability = SMPIOCapability(rawValue: choice % 5)
        policy.secureConnections = choice & 0x20 == 0 ? .preferred : .off
        policy.sendsKeypresses = choice & 0x40 != 0
        policy.bonds = choice & 0x80 == 0
        return policy
    }

    mutating func start(atInitiator: Bool, _ input: inout FuzzInput) {
        handle(.start, at: atInitiator ? 0 : 1, &input)
        // A Security Request has the central begin.
        if !atInitiator { handle(.start, at: 0, &input) }
    }

    /// Lets the next thing happen; false when nothing does any more.
    mutating func step(_ input: inout FuzzInput) -> Bool {
        for number in 0..<2 where sides[number].question != nil {
            answer(at: number, &input)
            return true
        }
        if !queue.isEmpty {
            let (to, octets) = queue.removeFirst()
            deliver(octets, to: to, &input)
            return true
        }
        guard let deadline = sides.compactMap(\.machine.nextDeadline).min() else { return false }
        now = max(now, deadline)
        for number in 0..<2 { handle(.timerFired, at: number, &input) }
        return true
    }

    private mutating func deliver(_ octets: [UInt8], to: Int, _ input: inout FuzzInput) {
        if seen.count < 64 { seen.append(octets) }
        // Nobody changes anything on an encrypted link.
        let kind = input.u8()
        switch isEncrypted && ![1, 7].contains(kind) ? 0 : kind {
        case 1: return
        case 2:
            handle(.received(octets), at: to, &input)
            handle(.received(octets), at: to, &input)
        case 3:
            var changed = octets
            changed[Int(input.u8()) % changed.count] ^= 1 << (input.u8() % 8)
            handle(.received(changed), at: to, &input)
        case 4:
            handle(.received(input.counted()), at: to, &input)
            handle(.received(octets), at: to, &input)
        case 5: queue.append((to, octets))
        case 6:
            handle(.received(seen[Int(input.u8()) % seen.count]), at: to, &input)
            handle(.received(octets), at: to, &input)
        case 7:
            now += .seconds(Int64(input.u8()))
            handle(.timerFired, at: to, &input)
            handle(.received(octets), at: to, &input)
        case 8:
            handle(.pressed(.digitEntered), at: 1 - to, &input)
            handle(.received(octets), at: to, &input)
        case 9:
            // Back to whoever sent it.
            handle(.received(octets), at: 1 - to, &input)
        default: handle(.received(octets), at: to, &input)
        }
    }

    private mutating func answer(at number: Int, _ input: inout FuzzInput) {
        guard let question = sides[number].question else { return }
        sides[number].question = nil
        switch (input.u8(), question) {
        case (1, _): handle(.answered(.reject), at: number, &input)
        case (2, _): handle(.answered(.passkey(UInt32(input.u16()))), at: number, &input)
        case (3, _): handle(.answered(.accept), at: number, &input)
        case (4, _): break
        case (_, .enterPasskey):
            handle(.answered(.passkey(sides[1 - number].shown)), at: number, &input)
        case (_, .displayPasskey): break
        default: handle(.answered(.accept), at: number, &input)
        }
    }

    private mutating func handle(_ event: PairingInput, at number: Int, _ input: inout FuzzInput) {
        let wasEnded = sides[number].machine.hasEnded
        var out: [PairingOutput] = []
        sides[number].handle(event, at: now, into: &out)
        if wasEnded {
            require(!out.contains { if case .send = $0 { true } else { false } }, "sends after its time-out")
        }
        for output in out { take(output, of: number, &input) }
    }

    private mutating func take(_ output: PairingOutput, of number: Int, _ input: inout FuzzInput) {
        switch output {
        case .send(let pdu):
            require((try? SMPPacket(decoding: pdu)) != nil, "sends what isn't a command: \(Hex.string(pdu))")
            require(queue.count < 1000, "answers without end")
            queue.append((1 - number, pdu))
        case .ask(let question):
            sides[number].question = question
            if case .displayPasskey(let digits) = question { sides[number].shown = digits }
        case .peerPressed, .trace: break
        case .encrypt(let key):
            require(number == 0, "the responder encrypts")
            let isSame = sides[1].machine.currentKey == key
            isEncrypted = isSame
            for side in [1, 0] { handle(.encryptionChanged(isSame ? .success : .micFailure), at: side, &input) }
        case .completed(let result):
            require(isEncrypted, "a key from a link that isn't encrypted")
            sides[number].result = result
        case .failed:
            sides[number].question = nil
            require(!sides[number].machine.isActive, "goes on after it has failed")
            require(sides[number].machine.currentKey == nil, "keeps a key after it has failed")
        }
    }

    mutating func end() {
        if let first = sides[0].result, let second = sides[1].result {
            require(first.strength == second.strength, "strengths differ: \(first) \(second)")
            require(first.model == second.model, "models differ: \(first) \(second)")
            if let key = first.keyAsCentral, let other = second.keyAsPeripheral {
                require(key == other, "keys differ")
            }
        }
        for number in 0..<2 {
            var out: [PairingOutput] = []
            sides[number].handle(.linkLost(.connectionTimeout), at: now, into: &out)
            require(!sides[number].machine.isActive, "outlives its link")
            require(sides[number].machine.currentKey == nil, "a key outlives its link")
            require(sides[number].machine.nextDeadline == nil, "a timer outlives its link")
        }
    }
}
