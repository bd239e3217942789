import BLECrypto
import BLEWire

// Phase 2 of LE Secure Connections: public keys, authentication stage 1. [Vol 3, Part H, 2.3.5.6]
extension PairingMachine {
    mutating func beginSecure(random: inout some RandomNumberGenerator, into out: inout [PairingOutput]) {
        phase = .publicKey
        // A pair of its own for each pairing. [Vol 3, Part H, 2.3.6]
        exchange.keyPair = context.outOfBand.own?.keyPair ?? P256KeyPair(using: &random)
        if context.isInitiator { sendPublicKey(into: &out) }
    }

    private mutating func sendPublicKey(into out: inout [PairingOutput]) {
        guard let key = exchange.keyPair?.publicKey else { return }
        let octets = key.littleEndian
        send(
            .pairingPublicKey(SMPPairingPublicKey(x: Array(octets[..<32]), y: Array(octets[32...]))), into: &out)
    }

    mutating func receivePublicKey(
        _ pdu: SMPPairingPublicKey, random: inout some RandomNumberGenerator, into out: inout [PairingOutput]
    ) {
        guard phase == .publicKey, let pair = exchange.keyPair else { return unexpected(.pairingPublicKey, into: &out) }
        guard let key = P256PublicKey(littleEndian: pdu.x + pdu.y),
            // Our own point sent back, or its mirror image, would prove a secret that nobody has.
            key.x != pair.publicKey.x, !key.isDebugKey || context.policy.acceptsDebugKey,
            // Nil for a point off the curve. [Vol 3, Part H, 2.3.5.6.1]
            let secret = pair.sharedSecret(with: key)
        else { return fail(.dhKeyCheckFailed, into: &out) }
        exchange.usesDebugKey = key.isDebugKey
        exchange.peerKey = key
        exchange.sharedSecret = secret
        if exchange.model == .outOfBand, let peer = context.outOfBand.peer {
            let confirm = BLECrypto.SecureConnections.f4(u: key.x, v: key.x, x: peer.random.value, z: 0)
            guard Key128(confirm) == peer.confirm else { return fail(.confirmValueFailed, into: &out) }
        }
        if !context.isInitiator { sendPublicKey(into: &out) }
        beginAuthentication(random: &random, into: &out)
    }

    /// [Vol 3, Part H, 2.3.5.6.2], [Vol 3, Part H, 2.3.5.6.3], [Vol 3, Part H, 2.3.5.6.4]
    private mutating func beginAuthentication(
        random: inout some RandomNumberGenerator, into out: inout [PairingOutput]
    ) {
        switch exchange.model {
        case .justWorks, .numericComparison:
            exchange.ownNonce = Key128(using: &random)
            phase = context.isInitiator ? .confirm : .random
            if context.isInitiator { return }
            exchange.ownConfirm = ownConfirm(z: 0)
            sendConfirm(into: &out)
        case .passkey(let initiatorTypes, let responderTypes):
            phase = .confirm
            let isFree = askForPasskey(
                initiatorTypes: initiatorTypes, responderTypes: responderTypes, random: &random, into: &out)
            if isFree { proceedPasskey(random: &random, into: &out) }
        case .outOfBand:
            exchange.ownNonce = Key128(using: &random)
            exchange.isAgreed = true
            phase = .random
            if context.isInitiator { sendRandom(into: &out) }
        }
    }

    /// The next bit of the passkey. [Vol 3, Part H, 2.3.5.6.3]
    mutating func proceedPasskey(random: inout some RandomNumberGenerator, into out: inout [PairingOutput]) {
        exchange.ownNonce = Key128(using: &random)
        exchange.ownConfirm = ownConfirm(z: passkeyBit)
        phase = .confirm
        if context.isInitiator { sendConfirm(into: &out) }
    }

    private var passkeyBit: UInt8 {
        0x80 | UInt8(truncatingIfNeeded: exchange.temporaryKey.value >> UInt128(exchange.round) & 1)
    }

    private var ownX: [UInt8] { exchange.keyPair?.publicKey.x ?? [] }
    private var peerX: [UInt8] { exchange.peerKey?.x ?? [] }

    private func ownConfirm(z: UInt8) -> Key128 {
        Key128(BLECrypto.SecureConnections.f4(u: ownX, v: peerX, x: exchange.ownNonce.value, z: z))
    }

    private func peerConfirm(z: UInt8) -> Key128 {
        Key128(BLECrypto.SecureConnections.f4(u: peerX, v: ownX, x: exchange.peerNonce.value, z: z))
    }

    mutating func receiveSecureConfirm(
        _ value: Key128, random: inout some RandomNumberGenerator, into out: inout [PairingOutput]
    ) {
        exchange.peerConfirm = value
        phase = .random
        if context.isInitiator {
            sendRandom(into: &out)
        } else {
            sendConfirm(into: &out)
        }
    }

    mutating func receiveSecureRandom(
        _ value: Key128, random: inout some RandomNumberGenerator, into out: inout [PairingOutput]
    ) {
        exchange.peerNonce = value
        switch exchange.model {
        case .justWorks, .numericComparison:
            // Only the responder is bound by a confirm value. [Vol 3, Part H, 2.3.5.6.2]
            if context.isInitiator {
                guard peerConfirm(z: 0) == exchange.peerConfirm else { return fail(.confirmValueFailed, into: &out) }
            } else {
                sendRandom(into: &out)
            }
            phase = .check
            ask(exchange.model == .justWorks ? .confirm : .compare(comparison), into: &out)
        case .passkey:
            guard peerConfirm(z: passkeyBit) == exchange.peerConfirm else {
                return fail(.confirmValueFailed, into: &out)
            }
            if !context.isInitiator { sendRandom(into: &out) }
            exchange.round += 1
            if exchange.round < 20 {
                proceedPasskey(random: &random, into: &out)
            } else {
                exchange.isAgreed = true
                proceedToCheck(into: &out)
            }
        case .outOfBand:
            if !context.isInitiator { sendRandom(into: &out) }
            proceedToCheck(into: &out)
        }
    }

    /// The six digits that both sides show. [Vol 3, Part H, 2.2.9]
    private var comparison: UInt32 {
        let isInitiator = context.isInitiator
        let number = BLECrypto.SecureConnections.g2(
            u: isInitiator ? ownX : peerX, v: isInitiator ? peerX : ownX,
            x: (isInitiator ? exchange.ownNonce : exchange.peerNonce).value,
            y: (isInitiator ? exchange.peerNonce : exchange.ownNonce).value)
        return number % 1_000_000
    }
}
