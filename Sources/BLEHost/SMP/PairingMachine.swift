package import BLEWire

/// One pairing after the other on one link.
///
/// *Role*: the Security Manager of one side, initiator or responder. [Vol 3, Part H, 2.3]
///
/// *Inputs and outputs*: commands of the peer, answers of the person, what became of the encryption and time in;
/// commands, questions, the wish to encrypt, and the result out. Randomness is handed in.
///
/// *Limits*: a pairing at a time. Each step has its time; after a time-out nothing is sent or taken any more. Whatever
/// the peer sends, a pairing that fails leaves no key behind, and no key leaves it before both sides have shown to have
/// the same one. BR/EDR keys are never agreed on: their bits are cleared. [Vol 3, Part H, 3.6.1]
package struct PairingMachine: Sendable {
    enum Phase: Equatable, Sendable {
        case idle
        /// As responder: the Security Request has left.
        case requested
        /// As initiator: the Pairing Request has left.
        case response
        case publicKey
        case confirm
        case random
        case check
        case encryption
        case distribution
        /// Timed out. [Vol 3, Part H, 3.4]
        case ended
    }

    package var context: PairingContext
    var phase = Phase.idle
    var exchange = PairingExchange()
    /// When the step has taken too long.
    private(set) var deadline = Instant.never
    /// What the person was asked last in this pairing.
    var question: PairingQuestion?
    /// What the peer has sent while the person was still to answer.
    var held: SMPPacket?

    package init(context: PairingContext) { self.context = context }

    /// When `.timerFired` is due; nil = no timer runs.
    package var nextDeadline: Instant? { deadline == .never ? nil : deadline }
    /// Whether a pairing is under way.
    package var isActive: Bool { phase != .idle && phase != .ended }
    /// Whether the link has had its time-out.
    package var hasEnded: Bool { phase == .ended }
    /// As responder: the key for the central that encrypts with EDIV 0 and Rand 0; nil before both sides have shown to
    /// have the same. [Vol 3, Part H, 2.4.4.1]
    package var currentKey: Key128? {
        phase == .encryption && !context.isInitiator ? exchange.longTermKey : nil
    }
    /// What the key of the pairing under way is worth.
    package var strength: PairingStrength { exchange.strength }

    package mutating func handle(
        _ input: PairingInput, at now: Instant, random: inout some RandomNumberGenerator,
        into out: inout [PairingOutput]
    ) {
        let first = out.count
        switch input {
        case .start: start(into: &out)
        case .received(let pdu): receive(pdu, random: &random, into: &out)
        case .answered(let answer): answered(answer, random: &random, into: &out)
        case .pressed(let keypress): pressed(keypress, into: &out)
        case .encryptionChanged(let status): encryptionChanged(status, random: &random, into: &out)
        case .linkLost(let status): end(.disconnected(status), into: &out)
        case .timerFired: timerFired(at: now, into: &out)
        }
        keepTime(at: now, since: first, out)
    }

    /// The time starts with the first command and anew with each one that leaves. [Vol 3, Part H, 3.4]
    private mutating func keepTime(at now: Instant, since first: Int, _ out: [PairingOutput]) {
        guard isActive else {
            deadline = .never
            return
        }
        let hasSent = out[first...].contains { if case .send = $0 { true } else { false } }
        if deadline == .never || hasSent { deadline = now + context.policy.timeout }
    }

    private mutating func timerFired(at now: Instant, into out: inout [PairingOutput]) {
        guard isActive, deadline <= now else { return }
        // A Security Request may be left without an answer. [Vol 3, Part H, 2.4.6]
        let next = phase == .requested ? Phase.idle : .ended
        end(.timeout, into: &out)
        phase = next
    }

    private mutating func receive(
        _ pdu: [UInt8], random: inout some RandomNumberGenerator, into out: inout [PairingOutput]
    ) {
        if phase == .ended { return trace("a command after the time-out", into: &out) }
        guard let first = pdu.first else { return trace("an empty command", into: &out) }
        do throws(WireError) {
            receive(try SMPPacket(decoding: pdu), pdu, random: &random, into: &out)
        } catch {
            trace("a command that can't be read: \(error)", into: &out)
            // Pairing Failed is never answered by another one.
            if first == SMPCode.pairingFailed.rawValue { return }
            if case .unknown = error { return fail(.commandNotSupported, into: &out) }
            fail(.invalidParameters, into: &out)
        }
    }

    private mutating func receive(
        _ packet: SMPPacket, _ pdu: [UInt8], random: inout some RandomNumberGenerator,
        into out: inout [PairingOutput]
    ) {
        switch packet {
        case .pairingRequest(let request): receiveRequest(request.features, pdu, random: &random, into: &out)
        case .pairingResponse(let response): receiveResponse(response.features, pdu, random: &random, into: &out)
        case .pairingFailed(let failed):
            if isActive { end(.received(failed.reason), into: &out) }
        case .securityRequest:
            // To a central it comes as the wish to pair, which its host has judged before.
            if !context.isInitiator { fail(.commandNotSupported, into: &out) }
        case .pairingKeypressNotification(let notification): peerPressed(notification.type, into: &out)
        case .pairingPublicKey(let key): receivePublicKey(key, random: &random, into: &out)
        case .pairingConfirm, .pairingRandom, .pairingDHKeyCheck:
            receiveAuthentication(packet, random: &random, into: &out)
        case .encryptionInformation, .centralIdentification, .identityInformation, .identityAddressInformation,
            .signingInformation:
            receiveKey(packet, random: &random, into: &out)
        }
    }

    /// Commands that authenticate; one may come while the person is still to answer.
    mutating func receiveAuthentication(
        _ packet: SMPPacket, random: inout some RandomNumberGenerator, into out: inout [PairingOutput]
    ) {
        if question?.needsAnswer ?? false {
            guard !context.isInitiator, held == nil, packet.code != .pairingRandom else {
                return unexpected(packet.code, into: &out)
            }
            held = packet
            return
        }
        switch packet {
        case .pairingConfirm(let confirm) where phase == .confirm:
            if exchange.isSecure {
                receiveSecureConfirm(confirm.value, random: &random, into: &out)
            } else {
                receiveLegacyConfirm(confirm.value, into: &out)
            }
        case .pairingRandom(let nonce) where phase == .random:
            if exchange.isSecure {
                receiveSecureRandom(nonce.value, random: &random, into: &out)
            } else {
                receiveLegacyRandom(nonce.value, into: &out)
            }
        case .pairingDHKeyCheck(let check) where phase == .check: receiveCheck(check.value, into: &out)
        default: unexpected(packet.code, into: &out)
        }
    }

    /// The peer breaks the order.
    mutating func unexpected(_ code: SMPCode, into out: inout [PairingOutput]) {
        trace("the command \(Hex.prefixed(code.rawValue)) out of order", into: &out)
        fail(.unspecifiedReason, into: &out)
    }
}

extension PairingMachine {
    /// Ends the pairing and tells the peer why. Also the answer to what makes no sense without a pairing.
    mutating func fail(_ reason: SMPReason, into out: inout [PairingOutput]) {
        send(.pairingFailed(SMPPairingFailed(reason: reason)), into: &out)
        end(.sent(reason), into: &out)
    }

    /// Forgets the pairing.
    mutating func end(_ failure: PairingFailure, into out: inout [PairingOutput]) {
        let wasActive = isActive
        if phase != .ended { phase = .idle }
        exchange = PairingExchange()
        question = nil
        held = nil
        if wasActive { out.append(.failed(failure)) }
    }

    mutating func send(_ packet: SMPPacket, into out: inout [PairingOutput]) {
        // All fields are within their limits, so that none fails to be encoded.
        if let pdu = try? packet.encoded() { out.append(.send(pdu)) }
    }

    func trace(_ message: String, into out: inout [PairingOutput]) {
        out.append(.trace(TraceEvent(.info, "smp", message)))
    }
}
