import BLECrypto
import BLEWire

// Phase 2 of LE legacy pairing. [Vol 3, Part H, 2.3.5.5]
extension PairingMachine {
    mutating func beginLegacy(random: inout some RandomNumberGenerator, into out: inout [PairingOutput]) {
        phase = .confirm
        switch exchange.model {
        case .justWorks, .numericComparison: ask(.confirm, into: &out)
        case .outOfBand:
            exchange.temporaryKey = context.outOfBand.temporaryKey ?? 0
            proceedLegacy(random: &random, into: &out)
        case .passkey(let initiatorTypes, let responderTypes):
            let isFree = askForPasskey(
                initiatorTypes: initiatorTypes, responderTypes: responderTypes, random: &random, into: &out)
            if isFree { proceedLegacy(random: &random, into: &out) }
        }
    }

    /// The temporary key is there.
    mutating func proceedLegacy(random: inout some RandomNumberGenerator, into out: inout [PairingOutput]) {
        exchange.ownNonce = Key128(using: &random)
        exchange.ownConfirm = confirm(of: exchange.ownNonce)
        if context.isInitiator { sendConfirm(into: &out) }
    }

    private func confirm(of nonce: Key128) -> Key128 {
        let initiator = context.isInitiator ? context.ownAddress : context.peerAddress
        let responder = context.isInitiator ? context.peerAddress : context.ownAddress
        return Key128(
            LegacyPairing.c1(
                k: exchange.temporaryKey.value, r: nonce.value, request: PairingExchange.number(exchange.request),
                response: PairingExchange.number(exchange.response), initiatorType: initiator.isRandom ? 1 : 0,
                responderType: responder.isRandom ? 1 : 0, initiator: initiator.bits, responder: responder.bits))
    }

    mutating func receiveLegacyConfirm(_ value: Key128, into out: inout [PairingOutput]) {
        exchange.peerConfirm = value
        if context.isInitiator {
            // Our own value sent back proves nothing.
            if value == exchange.ownConfirm { return fail(.confirmValueFailed, into: &out) }
            sendRandom(into: &out)
        } else {
            sendConfirm(into: &out)
        }
        phase = .random
    }

    mutating func receiveLegacyRandom(_ value: Key128, into out: inout [PairingOutput]) {
        guard value != exchange.ownNonce, confirm(of: value) == exchange.peerConfirm else {
            return fail(.confirmValueFailed, into: &out)
        }
        if !context.isInitiator { sendRandom(into: &out) }
        let ours = exchange.ownNonce.value
        let key = LegacyPairing.s1(
            k: exchange.temporaryKey.value, r1: context.isInitiator ? value.value : ours,
            r2: context.isInitiator ? ours : value.value)
        exchange.longTermKey = Key128(key).shortened(to: exchange.keySize)
        beginEncryption(into: &out)
    }

    mutating func sendConfirm(into out: inout [PairingOutput]) {
        send(.pairingConfirm(SMPPairingConfirm(value: exchange.ownConfirm)), into: &out)
    }

    mutating func sendRandom(into out: inout [PairingOutput]) {
        send(.pairingRandom(SMPPairingRandom(value: exchange.ownNonce)), into: &out)
    }

    /// Both sides have shown to have the same key: it may be used.
    mutating func beginEncryption(into out: inout [PairingOutput]) {
        phase = .encryption
        question = nil
        if context.isInitiator { out.append(.encrypt(exchange.longTermKey)) }
    }
}
