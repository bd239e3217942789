import BLEWire

// What a person does in a pairing.
extension PairingMachine {
    /// Asks or tells what the model needs before the first confirm value; answers whether the way is free.
    mutating func askForPasskey(
        initiatorTypes: Bool, responderTypes: Bool, random: inout some RandomNumberGenerator,
        into out: inout [PairingOutput]
    ) -> Bool {
        let types = context.isInitiator ? initiatorTypes : responderTypes
        if types {
            ask(.enterPasskey, into: &out)
            return false
        }
        // A new one for each try: who has learnt bits of the last one has learnt nothing. [Vol 3, Part H, 2.3.5.6.3]
        var digits = min(context.policy.fixedPasskey ?? 0, 999_999)
        if context.policy.fixedPasskey == nil {
            repeat { digits = UInt32(truncatingIfNeeded: random.next() >> 44) } while digits > 999_999
        }
        exchange.temporaryKey = Key128(UInt128(digits))
        ask(.displayPasskey(digits), into: &out)
        return true
    }

    mutating func ask(_ question: PairingQuestion, into out: inout [PairingOutput]) {
        self.question = question
        out.append(.ask(question))
    }

    mutating func answered(
        _ answer: PairingAnswer, random: inout some RandomNumberGenerator, into out: inout [PairingOutput]
    ) {
        guard isActive else { return trace("an answer without a question", into: &out) }
        switch (question, answer) {
        case (.enterPasskey, .passkey(let digits)) where digits <= 999_999:
            exchange.temporaryKey = Key128(UInt128(digits))
            agreed(random: &random, into: &out)
        case (.confirm, .accept), (.compare, .accept): agreed(random: &random, into: &out)
        case (.displayPasskey, .reject), (.enterPasskey, _): fail(.passkeyEntryFailed, into: &out)
        case (.compare, _): fail(.numericComparisonFailed, into: &out)
        case (_, .reject): fail(.unspecifiedReason, into: &out)
        default: trace("an answer to another question", into: &out)
        }
    }

    /// The person has done what was asked: goes on, with what the peer has sent meanwhile.
    private mutating func agreed(random: inout some RandomNumberGenerator, into out: inout [PairingOutput]) {
        question = nil
        exchange.isAgreed = true
        switch (exchange.isSecure, phase) {
        case (false, _): proceedLegacy(random: &random, into: &out)
        case (true, .check): proceedToCheck(into: &out)
        case (true, _): proceedPasskey(random: &random, into: &out)
        }
        if let packet = held.take() { receiveAuthentication(packet, random: &random, into: &out) }
    }

    /// A key of the passkey, told to the peer if both want that. [Vol 3, Part H, 3.5.8]
    mutating func pressed(_ keypress: SMPKeypress, into out: inout [PairingOutput]) {
        guard question == .enterPasskey, exchange.sendsKeypresses, keypress.isDefined else { return }
        send(.pairingKeypressNotification(SMPPairingKeypressNotification(type: keypress)), into: &out)
    }

    /// Six digits, each erased and typed again, need less than this; the rest of a flood is nobody's business.
    private static let keypressLimit = 64

    mutating func peerPressed(_ keypress: SMPKeypress, into out: inout [PairingOutput]) {
        guard isActive, exchange.sendsKeypresses, keypress.isDefined, exchange.keypresses < Self.keypressLimit,
            case .passkey = exchange.model
        else { return }
        exchange.keypresses += 1
        out.append(.peerPressed(keypress))
    }
}
