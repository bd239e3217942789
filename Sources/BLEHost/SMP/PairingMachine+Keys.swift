import BLEWire

// Phase 3: keys go over the encrypted link, the responder's first. [Vol 3, Part H, 3.6.1]
extension PairingMachine {
    mutating func encryptionChanged(
        _ status: HCIStatus, random: inout some RandomNumberGenerator, into out: inout [PairingOutput]
    ) {
        // The central has used a key that it had: nothing more is to be wished.
        if phase == .requested, status == .success { phase = .idle }
        guard phase == .encryption else { return }
        guard status == .success else { return end(.encryption(status), into: &out) }
        phase = .distribution
        var result = PairingResult(
            model: exchange.model, strength: exchange.strength, isBonding: exchange.isBonding)
        if exchange.isSecure {
            let key = EncryptionKey(longTermKey: exchange.longTermKey)
            result.keyAsPeripheral = key
            result.keyAsCentral = key
        }
        exchange.result = result
        let keys = context.isInitiator ? exchange.responder.responderKeys : exchange.responder.initiatorKeys
        exchange.owed = owed(keys)
        if !context.isInitiator { sendKeys(random: &random, into: &out) }
        completeIfDone(random: &random, into: &out)
    }

    private func owed(_ keys: SMPKeyDistribution) -> [SMPCode] {
        var codes: [SMPCode] = []
        if keys.contains(.encryption), !exchange.isSecure { codes += [.encryptionInformation, .centralIdentification] }
        if keys.contains(.identity) { codes += [.identityInformation, .identityAddressInformation] }
        if keys.contains(.signing) { codes.append(.signingInformation) }
        return codes
    }

    private mutating func sendKeys(random: inout some RandomNumberGenerator, into out: inout [PairingOutput]) {
        exchange.hasSentKeys = true
        let keys = context.isInitiator ? exchange.responder.initiatorKeys : exchange.responder.responderKeys
        if keys.contains(.encryption), !exchange.isSecure {
            let key = EncryptionKey(
                longTermKey: Key128(using: &random).shortened(to: exchange.keySize),
                diversifier: UInt16(truncatingIfNeeded: random.next()), random: random.next())
            exchange.result?.keyAsPeripheral = key
            send(.encryptionInformation(SMPEncryptionInformation(longTermKey: key.longTermKey)), into: &out)
            send(
                .centralIdentification(SMPCentralIdentification(diversifier: key.diversifier, random: key.random)),
                into: &out)
        }
        if keys.contains(.identity) {
            send(.identityInformation(SMPIdentityInformation(identityResolvingKey: context.ownIRK)), into: &out)
            send(
                .identityAddressInformation(SMPIdentityAddressInformation(address: context.ownIdentity)), into: &out)
        }
        if keys.contains(.signing) {
            let key = Key128(using: &random)
            exchange.result?.ownSigningKey = key
            send(.signingInformation(SMPSigningInformation(signatureKey: key)), into: &out)
        }
    }

    /// A key from the peer: only what was agreed on, once, in order, on the encrypted link.
    mutating func receiveKey(
        _ packet: SMPPacket, random: inout some RandomNumberGenerator, into out: inout [PairingOutput]
    ) {
        guard phase == .distribution, exchange.owed.first == packet.code else {
            return unexpected(packet.code, into: &out)
        }
        exchange.owed.removeFirst()
        switch packet {
        case .encryptionInformation(let pdu): exchange.peerLongTermKey = pdu.longTermKey
        case .centralIdentification(let pdu):
            exchange.result?.keyAsCentral = EncryptionKey(
                longTermKey: exchange.peerLongTermKey, diversifier: pdu.diversifier, random: pdu.random)
        case .identityInformation(let pdu):
            // A key of zeros resolves nothing: the peer has no privacy. [Vol 3, Part H, 3.6.4]
            exchange.result?.peerIRK = pdu.identityResolvingKey.isZero ? nil : pdu.identityResolvingKey
        case .identityAddressInformation(let pdu):
            // An identity doesn't change: a public or a static random address. [Vol 3, Part H, 3.6.5]
            guard !pdu.address.isRandom || pdu.address.isRandomStatic else {
                return fail(.invalidParameters, into: &out)
            }
            exchange.result?.peerIdentity = pdu.address
        case .signingInformation(let pdu): exchange.result?.peerSigningKey = pdu.signatureKey
        default: break
        }
        completeIfDone(random: &random, into: &out)
    }

    private mutating func completeIfDone(
        random: inout some RandomNumberGenerator, into out: inout [PairingOutput]
    ) {
        guard exchange.owed.isEmpty else { return }
        if !exchange.hasSentKeys { sendKeys(random: &random, into: &out) }
        guard let result = exchange.result else { return }
        phase = .idle
        exchange = PairingExchange()
        question = nil
        out.append(.completed(result))
    }
}
