import BLEHost
import BLEWire
import Testing

/// Every command of every kind of pairing lost, repeated, late, or the last one before the link goes.
@Suite struct PairingFailureTests {
    struct Kind: Sendable, CustomStringConvertible {
        var description: String
        var initiator: PairingPolicy
        var responder: PairingPolicy
    }

    static let kinds: [Kind] = [
        Kind(
            description: "legacy Just Works", initiator: .legacy(.noInputNoOutput), responder: .legacy(.noInputNoOutput)
        ),
        Kind(description: "legacy passkey", initiator: .legacy(.keyboardOnly), responder: .legacy(.displayOnly)),
        Kind(description: "secure Just Works", initiator: .with(.noInputNoOutput), responder: .with(.noInputNoOutput)),
        Kind(description: "secure passkey", initiator: .with(.displayOnly), responder: .with(.keyboardOnly)),
        Kind(description: "numeric comparison", initiator: .with(.displayYesNo), responder: .with(.displayYesNo)),
    ]

    struct Step: Sendable, CustomStringConvertible {
        var kind: Kind
        /// Which command, counted over both sides.
        var number: Int
        /// Commands that a pairing of this kind has.
        var count: Int
        var description: String { "\(kind), command \(number)" }

        func pair() -> PairingPair { PairingPair(initiator: kind.initiator, responder: kind.responder) }
    }

    /// In a passkey's twenty rounds, the first and the last are enough.
    static let steps: [Step] = kinds.flatMap { kind in
        var pair = PairingPair(initiator: kind.initiator, responder: kind.responder)
        pair.pair()
        let count = pair.initiator.sent.count + pair.responder.sent.count
        let numbers = (0..<count).filter { count < 40 || $0 < 12 || $0 > count - 18 }
        return numbers.map { Step(kind: kind, number: $0, count: count) }
    }

    @Test func `each kind of pairing has its commands`() {
        for kind in Self.kinds {
            var pair = PairingPair(initiator: kind.initiator, responder: kind.responder)
            pair.pair()
            #expect(pair.initiator.result != nil && pair.responder.result != nil, "\(kind)")
        }
        #expect(Self.steps.count > 80)
    }

    @Test(arguments: steps) func `a command that is lost ends by time and leaves no key`(_ step: Step) {
        var pair = step.pair()
        var number = 0
        pair.wire = { _, octets in
            defer { number += 1 }
            return number == step.number ? [] : [octets]
        }
        pair.pair()
        #expect(pair.initiator.result == nil || pair.responder.result == nil)
        pair.advance(by: .seconds(31))
        #expect(!pair.initiator.machine.isActive && !pair.responder.machine.isActive)
        for side in [pair.initiator, pair.responder] where side.result == nil {
            // The Pairing Request that never came leaves its receiver where it was.
            // Where another key comes in its place, that ends it before the time.
            #expect(side.failure != nil || step.number == 0)
        }
        #expect(pair.responder.machine.currentKey == nil)
        // The protocol is dead on this link: nothing leaves any more. [Vol 3, Part H, 3.4]
        if pair.initiator.machine.hasEnded {
            let sent = pair.initiator.sent.count
            pair.handle(.received([0x0B, 0x01]), atInitiator: true)
            #expect(pair.initiator.sent.count == sent)
        }
    }

    @Test(arguments: steps) func `a command that comes twice leaves its receiver without a key`(_ step: Step) {
        var pair = step.pair()
        var number = 0
        var toInitiator = false
        pair.wire = { fromInitiator, octets in
            defer { number += 1 }
            if number != step.number { return [octets] }
            toInitiator = !fromInitiator
            return [octets, octets]
        }
        pair.pair()
        let receiver = toInitiator ? pair.initiator : pair.responder
        // The last command of all finds a pairing that is complete.
        if step.number < step.count - 1, receiver.result != nil {
            #expect(receiver.sent.contains { $0.first == 0x05 })
        } else if step.number < step.count - 1 {
            #expect(receiver.failure != nil)
        }
        #expect(!receiver.machine.isActive)
        #expect(pair.responder.machine.currentKey == nil)
    }

    @Test(arguments: steps) func `the link goes after a command and nothing is left`(_ step: Step) {
        var pair = step.pair()
        var number = 0
        pair.wire = { _, octets in
            defer { number += 1 }
            return number < step.number ? [octets] : []
        }
        pair.pair()
        let hadKey = [pair.initiator.result != nil, pair.responder.result != nil]
        for isInitiator in [true, false] { pair.handle(.linkLost(.connectionTimeout), atInitiator: isInitiator) }
        #expect([pair.initiator.result != nil, pair.responder.result != nil] == hadKey)
        #expect(!pair.initiator.machine.isActive && !pair.responder.machine.isActive)
        #expect(pair.responder.machine.currentKey == nil)
        #expect(pair.initiator.machine.nextDeadline == nil && pair.responder.machine.nextDeadline == nil)
        // The next attempt on a new link works.
        var next = step.pair()
        next.pair()
        #expect(next.initiator.result != nil && next.responder.result != nil)
    }

    @Test(arguments: kinds) func `commands of the peer in another order are refused`(_ kind: Kind) {
        var pair = PairingPair(initiator: kind.initiator, responder: kind.responder)
        var kept: [UInt8]?
        // The responder's keys: the second one comes first.
        pair.wire = { fromInitiator, octets in
            guard !fromInitiator, octets[0] == 0x08 || octets[0] == 0x09 else { return [octets] }
            if octets[0] == 0x08 {
                kept = octets
                return []
            }
            return [octets, kept ?? []]
        }
        pair.pair()
        #expect(pair.initiator.failure == .sent(.unspecifiedReason))
        #expect(pair.initiator.result == nil && pair.responder.result == nil)
    }

    @Test func `a wrong passkey is noticed and the next attempt works`() {
        for isSecure in [true, false] {
            let change = { (policy: inout PairingPolicy) in policy.secureConnections = isSecure ? .preferred : .off }
            var pair = PairingPair(
                initiator: .with(.keyboardOnly, change), responder: .with(.displayOnly, change))
            pair.initiator.answer = { $0 == .enterPasskey ? .passkey(1) : nil }
            pair.pair()
            #expect(pair.responder.failure == .sent(.confirmValueFailed))
            #expect(pair.initiator.failure == .received(.confirmValueFailed))
            #expect(pair.encrypted == nil && pair.responder.machine.currentKey == nil)
            pair.initiator.answer = PairingPair.agree
            pair.pair()
            #expect(pair.initiator.result != nil && pair.responder.result != nil)
        }
    }

    struct Refusal: Sendable, CustomStringConvertible {
        var description: String
        var capability: SMPIOCapability
        var isSecure: Bool
        var reason: SMPReason
    }
    static let refusals: [Refusal] = [
        Refusal(
            description: "a comparison", capability: .displayYesNo, isSecure: true, reason: .numericComparisonFailed),
        Refusal(
            description: "Just Works", capability: .noInputNoOutput, isSecure: true, reason: .unspecifiedReason),
        Refusal(
            description: "legacy Just Works", capability: .noInputNoOutput, isSecure: false,
            reason: .unspecifiedReason),
        Refusal(description: "a passkey", capability: .keyboardOnly, isSecure: true, reason: .passkeyEntryFailed),
    ]

    @Test(arguments: refusals, [true, false]) func `a person says no and there is no key`(
        _ refusal: Refusal, byInitiator: Bool
    ) {
        let policy = PairingPolicy.with(refusal.capability) {
            $0.secureConnections = refusal.isSecure ? .preferred : .off
        }
        var pair = PairingPair(initiator: policy, responder: policy)
        if byInitiator { pair.initiator.answer = { _ in .reject } } else { pair.responder.answer = { _ in .reject } }
        pair.pair()
        let refusing = byInitiator ? pair.initiator : pair.responder
        let other = byInitiator ? pair.responder : pair.initiator
        #expect(refusing.failure == .sent(refusal.reason))
        #expect(other.failure == .received(refusal.reason))
        #expect(pair.encrypted == nil && pair.responder.machine.currentKey == nil)
    }

    @Test func `the person who shows a passkey may call the pairing off`() {
        var pair = PairingPair(initiator: .with(.keyboardOnly), responder: .with(.displayOnly))
        pair.responder.answer = { if case .displayPasskey = $0 { .reject } else { nil } }
        pair.pair()
        #expect(pair.responder.failure == .sent(.passkeyEntryFailed))
    }

    @Test func `a passkey of seven digits is none`() {
        var pair = PairingPair(initiator: .with(.keyboardOnly), responder: .with(.displayOnly))
        pair.initiator.answer = { $0 == .enterPasskey ? .passkey(1_000_000) : nil }
        pair.pair()
        #expect(pair.initiator.failure == .sent(.passkeyEntryFailed))
    }

    @Test func `a link that isn't encrypted with the new key has none`() {
        var pair = PairingPair()
        pair.encryptionStatus = .pinOrKeyMissing
        pair.pair()
        #expect(pair.initiator.failure == .encryption(.pinOrKeyMissing))
        #expect(pair.initiator.result == nil && pair.responder.result == nil)
    }

    @Test func `key presses of one side are told to the other where both want it`() {
        let policy = { (capability: SMPIOCapability) in PairingPolicy.with(capability) { $0.sendsKeypresses = true } }
        var pair = PairingPair(initiator: policy(.keyboardOnly), responder: policy(.displayOnly))
        let presses: [SMPKeypress] = [.started, .digitEntered, .digitErased, .cleared, .completed]
        pair.typing = presses
        pair.pair()
        #expect(pair.responder.keypresses == presses)
        #expect(pair.initiator.result != nil && pair.responder.result != nil)
    }

    @Test func `key presses are nobody's business where one side doesn't want them`() {
        var pair = PairingPair(
            initiator: .with(.keyboardOnly) { $0.sendsKeypresses = true }, responder: .with(.displayOnly))
        pair.typing = [.started, .digitEntered]
        pair.pair()
        #expect(pair.responder.keypresses.isEmpty)
        #expect(!pair.initiator.sent.contains { $0.first == 0x0E })
        #expect(pair.initiator.result != nil)
    }
}

extension PairingPolicy {
    static func legacy(_ capability: SMPIOCapability) -> PairingPolicy {
        .with(capability) { $0.secureConnections = .off }
    }
}
