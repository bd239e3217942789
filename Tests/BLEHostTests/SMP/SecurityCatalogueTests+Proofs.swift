import BLECrypto
import BLEHost
import BLEWire
import Testing

extension SecurityCatalogueTests {
    struct Flip: Sendable, CustomStringConvertible {
        var isSecure: Bool
        var code: UInt8
        var fromInitiator: Bool
        var reason: SMPReason
        var description: String {
            "\(isSecure ? "secure" : "legacy"), code \(code) of the \(fromInitiator ? "initiator" : "responder")"
        }
    }
    static let flips: [Flip] = [
        Flip(isSecure: false, code: 0x03, fromInitiator: true, reason: .confirmValueFailed),
        Flip(isSecure: false, code: 0x03, fromInitiator: false, reason: .confirmValueFailed),
        Flip(isSecure: false, code: 0x04, fromInitiator: true, reason: .confirmValueFailed),
        Flip(isSecure: false, code: 0x04, fromInitiator: false, reason: .confirmValueFailed),
        Flip(isSecure: true, code: 0x03, fromInitiator: false, reason: .confirmValueFailed),
        Flip(isSecure: true, code: 0x04, fromInitiator: false, reason: .confirmValueFailed),
        Flip(isSecure: true, code: 0x0D, fromInitiator: true, reason: .dhKeyCheckFailed),
        Flip(isSecure: true, code: 0x0D, fromInitiator: false, reason: .dhKeyCheckFailed),
    ]

    @Test(arguments: flips) func `S11 a confirm value or a check with one wrong bit leaves no key`(_ flip: Flip) {
        let policy = PairingPolicy.with(.noInputNoOutput) { $0.secureConnections = flip.isSecure ? .preferred : .off }
        var pair = PairingPair(initiator: policy, responder: policy)
        pair.wire = { fromInitiator, octets in
            var octets = octets
            if fromInitiator == flip.fromInitiator, octets[0] == flip.code { octets[5] ^= 0x10 }
            return [octets]
        }
        pair.pair()
        let receiver = flip.fromInitiator ? pair.responder : pair.initiator
        #expect(receiver.failure == .sent(flip.reason))
        #expect(pair.initiator.result == nil && pair.responder.result == nil)
        #expect(pair.responder.machine.currentKey == nil)
        pair.wire = { [$1] }
        pair.pair()
        #expect(pair.initiator.result != nil && pair.responder.result != nil)
    }

    @Test func `L20 and S12 without a check of the DHKey there is no key for the controller`() {
        var pair = HostPair.linked(central: .pairing(), peripheral: .pairing())
        // The attacker goes up to the random values, then wants the link encrypted.
        pair.wire = { $0 == .central && $1[0] == 0x0D ? [] : [$1] }
        pair.command(.pair(HostPair.handle), at: .central)
        #expect(pair.commands[1].last?.first == 0x04)
        pair.feed(packet: LELongTermKeyRequest(handle: HostPair.handle).packet(), .peripheral)
        #expect(pair.keysGiven == [[], []])
        #expect(pair.linkKey == nil && pair.bonds(at: .peripheral).isEmpty)
    }

    @Test func `S13 a number to compare is never taken for a passkey`() {
        var comparison = PairingPair(initiator: .with(.displayYesNo), responder: .with(.displayYesNo))
        comparison.pair()
        guard case .compare(let digits)? = comparison.initiator.questions.first else {
            Issue.record("no comparison")
            return
        }
        #expect(comparison.responder.questions == [.compare(digits)])
        // Digits aren't an answer to a comparison.
        var confused = PairingPair(initiator: .with(.displayYesNo), responder: .with(.displayYesNo))
        confused.initiator.answer = { if case .compare(let digits) = $0 { .passkey(digits) } else { nil } }
        confused.pair()
        #expect(confused.initiator.failure == .sent(.numericComparisonFailed))
        var passkey = PairingPair(initiator: .with(.keyboardOnly), responder: .with(.displayYesNo))
        passkey.pair()
        #expect(passkey.initiator.questions.first == .enterPasskey)
        if case .displayPasskey? = passkey.responder.questions.first {} else { Issue.record("nothing shown") }
    }

    @Test func `S14 each try has a new passkey`() {
        var pair = PairingPair(initiator: .with(.keyboardOnly), responder: .with(.displayOnly))
        pair.initiator.answer = { $0 == .enterPasskey ? .passkey(0) : nil }
        for _ in 0..<5 { pair.pair() }
        #expect(pair.responder.questions.count == 5)
        #expect(Set(pair.responder.questions).count == 5)
        #expect(pair.responder.result == nil)
    }

    @Test func `S15 who fails again and again waits longer and longer`() {
        var bench = Self.victim(as: .peripheral)
        func attempt() -> UInt8? {
            let answer = Self.say(Self.legacyRequest, to: &bench).first
            guard answer?.first == 0x02 else { return answer?.last }
            bench.command(.answerPairing(HostBench.handle, .accept))
            _ = Self.say([0x03] + [UInt8](repeating: 1, count: 16), to: &bench)
            return Self.say([0x04] + [UInt8](repeating: 2, count: 16), to: &bench).first?.last
        }
        var waits: [Int] = []
        for _ in 0..<10 {
            var wait = 0
            while attempt() == 0x09, wait < 1000 {
                bench.advance(by: .seconds(1))
                wait += 1
            }
            waits.append(wait)
        }
        #expect(waits == [0, 0, 0, 1, 2, 4, 8, 16, 32, 64])
        #expect(Self.isUndisturbed(&bench))
    }

    @Test func `S15 a success and an hour without a failure begin anew`() {
        var attempts = RepeatedAttempts()
        let peer = HostBench.peer
        for _ in 0..<20 { attempts.failed(peer, at: .start) }
        #expect(attempts.isWaiting(peer, at: .start + .seconds(599)))
        #expect(!attempts.isWaiting(peer, at: .start + .seconds(600)))
        #expect(!attempts.isWaiting(Self.otherPeer, at: .start))
        attempts.failed(peer, at: .start + .seconds(3600))
        #expect(!attempts.isWaiting(peer, at: .start + .seconds(3600)))
        for _ in 0..<20 { attempts.failed(peer, at: .start) }
        attempts.succeeded(peer)
        #expect(!attempts.isWaiting(peer, at: .start))
    }

    @Test func `S16 less than what was asked for is refused, else the link's level tells`() {
        let strict: [(inout PairingPolicy) -> Void] = [
            { $0.requiresProtection = true }, { $0.secureConnections = .only },
        ]
        for (index, change) in strict.enumerated() {
            var bench = Self.victim(as: .central, .pairing(.displayYesNo, change))
            bench.command(.pair(HostBench.handle))
            // The peer clears MITM and has no buttons; or it clears SC.
            let response: [UInt8] =
                index == 0
                ? [0x02, 0x03, 0x00, 0x09, 0x10, 0x00, 0x00] : [0x02, 0x01, 0x00, 0x05, 0x10, 0x00, 0x00]
            #expect(Self.say(response, to: &bench) == [[0x05, 0x03]])
            #expect(Self.isUndisturbed(&bench))
        }
        var pair = PairingPair(initiator: .with(.displayYesNo), responder: .legacy(.noInputNoOutput))
        pair.pair()
        let plain = PairingStrength(isAuthenticated: false, isSecureConnections: false, keySize: 16)
        #expect(pair.initiator.result?.strength == plain)
    }

    @Test func `S17 LE legacy pairing can be turned off, and is told as such`() {
        var off = PairingPair(
            initiator: .legacy(.keyboardOnly), responder: .with(.displayOnly) { $0.secureConnections = .only })
        off.pair()
        #expect(off.responder.failure == .sent(.authenticationRequirements))
        var pair = PairingPair(initiator: .legacy(.keyboardOnly), responder: .with(.displayOnly))
        pair.pair()
        #expect(pair.responder.result?.strength.isSecureConnections == false)
        #expect(pair.responder.result?.strength.isAuthenticated == true)
    }

    @Test func `S28 of a flood of key presses only the five values count, and no end`() {
        let policy = { (capability: SMPIOCapability) in PairingPolicy.with(capability) { $0.sendsKeypresses = true } }
        var pair = PairingPair(initiator: policy(.keyboardOnly), responder: policy(.displayOnly))
        pair.initiator.answer = { _ in nil }
        pair.handle(.start, atInitiator: true)
        pair.handle(.received(pair.initiator.sent[0]), atInitiator: false)
        for _ in 0..<10_000 {
            pair.handle(.received([0x0E, 0x05]), atInitiator: false)
            pair.handle(.received([0x0E, 0x00]), atInitiator: false)
        }
        #expect(pair.responder.keypresses.count == 64)
        #expect(pair.responder.machine.isActive)
        #expect(pair.responder.sent.count == 1)
    }

    @Test func `S29 keys, nonces and passkeys are new each time`() {
        var nonces = Set<[UInt8]>()
        var keys = Set<[UInt8]>()
        var passkeys = Set<PairingQuestion>()
        for seed in 0..<200 as Range<UInt64> {
            var pair = PairingPair(
                initiator: .with(.keyboardOnly), responder: .with(.displayOnly), seed: seed &* 1_000_003)
            pair.pair()
            for command in pair.initiator.sent + pair.responder.sent {
                if command[0] == 0x04 { nonces.insert(command) }
                if command[0] == 0x0C { keys.insert(command) }
            }
            passkeys.formUnion(pair.responder.questions)
        }
        #expect(nonces.count == 200 * 40)
        #expect(keys.count == 400)
        #expect(passkeys.count > 190)
    }
}
