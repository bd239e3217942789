import BLEWire

// Phase 1: what both sides want and can. [Vol 3, Part H, 2.3]
extension PairingMachine {
    mutating func start(into out: inout [PairingOutput]) {
        guard phase == .idle else { return trace("a pairing is under way already", into: &out) }
        let authentication = context.policy.authentication(hasOOBData: hasOOBData)
        guard context.isInitiator else {
            phase = .requested
            return send(.securityRequest(SMPSecurityRequest(authentication: authentication)), into: &out)
        }
        var features = ownFeatures
        if context.policy.bonds {
            features.initiatorKeys = context.policy.distributes.subtracting(.link)
            features.responderKeys = context.policy.accepts.subtracting(.link)
        }
        exchange.initiator = features
        let packet = SMPPacket.pairingRequest(SMPPairingRequest(features: features))
        exchange.request = (try? packet.encoded()) ?? []
        phase = .response
        send(packet, into: &out)
    }

    private var hasOOBData: Bool { context.outOfBand.peer != nil || context.outOfBand.temporaryKey != nil }

    private var ownFeatures: SMPPairingFeatures {
        var features = SMPPairingFeatures()
        features.ioCapability = context.policy.ioCapability
        // The flag is about what came from the peer; a temporary key is both sides'.
        features.hasOOBData = hasOOBData
        features.authentication = context.policy.authentication(hasOOBData: hasOOBData)
        features.maximumKeySize = UInt8(clamping: min(max(context.policy.keySizes.upperBound, 7), 16))
        return features
    }

    mutating func receiveRequest(
        _ features: SMPPairingFeatures, _ pdu: [UInt8], random: inout some RandomNumberGenerator,
        into out: inout [PairingOutput]
    ) {
        if context.isInitiator { return fail(.commandNotSupported, into: &out) }
        guard phase == .idle || phase == .requested else { return unexpected(.pairingRequest, into: &out) }
        // From here on a failure is one of this pairing.
        phase = .response
        if !context.policy.isEnabled { return fail(.pairingNotSupported, into: &out) }
        exchange.request = pdu
        exchange.initiator = features
        var own = ownFeatures
        let keysOfBoth = context.policy.bonds && features.authentication.rawValue & 3 == 1
        if keysOfBoth {
            own.initiatorKeys = features.initiatorKeys.intersection(context.policy.accepts).subtracting(.link)
            own.responderKeys = features.responderKeys.intersection(context.policy.distributes).subtracting(.link)
        }
        exchange.responder = own
        if let reason = agree(peer: features) { return fail(reason, into: &out) }
        let packet = SMPPacket.pairingResponse(SMPPairingResponse(features: own))
        exchange.response = (try? packet.encoded()) ?? []
        send(packet, into: &out)
        begin(random: &random, into: &out)
    }

    mutating func receiveResponse(
        _ features: SMPPairingFeatures, _ pdu: [UInt8], random: inout some RandomNumberGenerator,
        into out: inout [PairingOutput]
    ) {
        if !context.isInitiator { return fail(.commandNotSupported, into: &out) }
        guard phase == .response else { return unexpected(.pairingResponse, into: &out) }
        exchange.response = pdu
        exchange.responder = features
        // A response takes keys away and adds none. [Vol 3, Part H, 3.6.1]
        guard exchange.initiator.initiatorKeys.isSuperset(of: features.initiatorKeys),
            exchange.initiator.responderKeys.isSuperset(of: features.responderKeys)
        else { return fail(.invalidParameters, into: &out) }
        if let reason = agree(peer: features) { return fail(reason, into: &out) }
        begin(random: &random, into: &out)
    }

    /// Finds what both can live with; a reason where there is nothing.
    private mutating func agree(peer: SMPPairingFeatures) -> SMPReason? {
        let policy = context.policy
        if peer.maximumKeySize > 16 { return .invalidParameters }
        exchange.keySize = min(Int(peer.maximumKeySize), min(policy.keySizes.upperBound, 16))
        if exchange.keySize < max(policy.keySizes.lowerBound, 7) { return .encryptionKeySize }
        exchange.model = AssociationModel(initiator: exchange.initiator, responder: exchange.responder)
        if policy.secureConnections == .only, !exchange.isSecure { return .authenticationRequirements }
        if policy.requiresProtection, !exchange.model.isAuthenticated { return .authenticationRequirements }
        if let present = context.presentStrength, exchange.strength.isWeaker(than: present) {
            return .authenticationRequirements
        }
        guard exchange.model == .outOfBand else { return nil }
        // Who claims to have our data must have been given some.
        let oob = context.outOfBand
        if exchange.isSecure {
            return peer.hasOOBData && oob.own == nil || !peer.hasOOBData && oob.peer == nil ? .oobNotAvailable : nil
        }
        return oob.temporaryKey == nil ? .oobNotAvailable : nil
    }

    private mutating func begin(random: inout some RandomNumberGenerator, into out: inout [PairingOutput]) {
        if exchange.isSecure {
            beginSecure(random: &random, into: &out)
        } else {
            beginLegacy(random: &random, into: &out)
        }
    }
}
