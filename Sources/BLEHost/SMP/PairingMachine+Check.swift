import BLECrypto
import BLEWire

// Authentication stage 2 of LE Secure Connections: keys, and the proof of having them. [Vol 3, Part H, 2.3.5.6.5]
extension PairingMachine {
    /// Stage 1 is done and the person has agreed.
    mutating func proceedToCheck(into out: inout [PairingOutput]) {
        phase = .check
        makeKeys()
        if context.isInitiator { sendCheck(into: &out) }
    }

    private mutating func makeKeys() {
        let isInitiator = context.isInitiator
        let keys = BLECrypto.SecureConnections.f5(
            dhKey: exchange.sharedSecret, n1: (isInitiator ? exchange.ownNonce : exchange.peerNonce).value,
            n2: (isInitiator ? exchange.peerNonce : exchange.ownNonce).value,
            a1: (isInitiator ? context.ownAddress : context.peerAddress).withType,
            a2: (isInitiator ? context.peerAddress : context.ownAddress).withType)
        exchange.macKey = Key128(keys.macKey)
        exchange.longTermKey = Key128(keys.ltk).shortened(to: exchange.keySize)
    }

    private mutating func sendCheck(into out: inout [PairingOutput]) {
        let own = context.isInitiator ? exchange.initiator : exchange.responder
        let value = BLECrypto.SecureConnections.f6(
            macKey: exchange.macKey.value, n1: exchange.ownNonce.value, n2: exchange.peerNonce.value,
            r: randomOfPeer.value, ioCapabilities: PairingExchange.ioCapabilities(own),
            a1: context.ownAddress.withType, a2: context.peerAddress.withType)
        send(.pairingDHKeyCheck(SMPPairingDHKeyCheck(value: Key128(value))), into: &out)
    }

    mutating func receiveCheck(_ value: Key128, into out: inout [PairingOutput]) {
        let theirs = context.isInitiator ? exchange.responder : exchange.initiator
        let expected = BLECrypto.SecureConnections.f6(
            macKey: exchange.macKey.value, n1: exchange.peerNonce.value, n2: exchange.ownNonce.value,
            r: randomOfOwn.value, ioCapabilities: PairingExchange.ioCapabilities(theirs),
            a1: context.peerAddress.withType, a2: context.ownAddress.withType)
        guard Key128(expected) == value else { return fail(.dhKeyCheckFailed, into: &out) }
        if !context.isInitiator { sendCheck(into: &out) }
        beginEncryption(into: &out)
    }

    /// The passkey, or what the peer has sent out of band, or 0. [Vol 3, Part H, 2.3.5.6.5]
    private var randomOfPeer: Key128 {
        exchange.model == .outOfBand ? context.outOfBand.peer?.random ?? 0 : exchange.temporaryKey
    }

    /// The passkey, or what the peer was given out of band, or 0.
    private var randomOfOwn: Key128 {
        guard exchange.model == .outOfBand else { return exchange.temporaryKey }
        let theirs = context.isInitiator ? exchange.responder : exchange.initiator
        return theirs.hasOOBData ? context.outOfBand.own?.random ?? 0 : 0
    }
}
