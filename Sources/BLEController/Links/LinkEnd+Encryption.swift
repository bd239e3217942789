import BLECrypto
import BLEWire

/// The Encryption Start and Encryption Pause procedures. [Vol 6, Part B, 5.1.3]
extension LinkEnd {
    /// Control PDUs of a peripheral that wait until a link is encrypted; more are dropped.
    private static let deferredLimit = 16

    // MARK: Central

    /// The central begins: with a pause where the link is encrypted already. [Vol 6, Part B, 5.1.3.2]
    mutating func beginEncryption(_ wish: EncryptionWish, at now: Instant, into events: inout [LinkEvent]) {
        // What is known to be unsupported isn't asked for.
        if let remoteFeatures, !remoteFeatures.contains(.encryption) {
            endProcedure(into: &events)
            events.append(.encryptionChanged(.unsupportedRemoteFeature, isOn: false))
            return
        }
        encryption.request = wish.request
        encryption.longTermKey = wish.longTermKey
        encryption.isRefresh = encryption.sends
        encryption.holdsData = true
        if encryption.isRefresh {
            encryption.step = .pauseRsp
            queueAtOnce(.pauseEncReq(LLPauseEncReq()))
        } else {
            encryption.step = .encRsp
            queueAtOnce(.encReq(wish.request))
        }
        encryption.update()
    }

    private mutating func receive(_ pdu: LLEncRsp, into events: inout [LinkEvent]) {
        encryption.answer = pdu
        encryption.makeCipher(isCentral: true)
        encryption.step = .startReq
        events.append(.sessionKeyMade)
    }

    private mutating func receiveStartReq() {
        encryption.sends = true
        encryption.receives = true
        encryption.step = .startRsp
        queueAtOnce(.startEncRsp(LLStartEncRsp()))
    }

    private mutating func receivePauseRspAsCentral() {
        stopEncrypting()
        queueAtOnce(.pauseEncRsp(LLPauseEncRsp()))
        encryption.step = .encRsp
        queueAtOnce(.encReq(encryption.request))
    }

    /// The peripheral, or its host, doesn't want to. [Vol 6, Part B, 5.1.3.1]
    mutating func encryptionRefused(_ reason: HCIStatus, into events: inout [LinkEvent]) {
        finishEncryption(into: &events)
        encryption.cipher = nil
        endProcedure(into: &events)
        events.append(.encryptionChanged(reason, isOn: false))
    }

    // MARK: Peripheral

    private mutating func receive(_ pdu: LLEncReq, at now: Instant, into events: inout [LinkEvent]) {
        encryption.request = pdu
        encryption.holdsData = true
        encryption.step = .longTermKey
        encryption.isPeripheralPausing = false
        encryption.deadline = now + Procedures.responseTimeout
        // The radio draws this end's part of key and vector, and asks the host.
        events.append(.encryptionRequested)
    }

    /// LL_ENC_RSP with what was drawn.
    mutating func answerEncryption(_ answer: LLEncRsp) {
        encryption.answer = answer
        encryption.update()
        queueAtOnce(.encRsp(answer))
    }

    /// The host has the key.
    mutating func startEncryption(with longTermKey: UInt128, at now: Instant) {
        encryption.longTermKey = longTermKey
        encryption.makeCipher(isCentral: false)
        encryption.step = .startRsp
        encryption.deadline = now + Procedures.responseTimeout
        queueAtOnce(.startEncReq(LLStartEncReq()))
    }

    /// The host doesn't have it. After a pause the link can't go on as it was, and ends. [Vol 6, Part B, 5.1.3.1]
    mutating func refuseEncryption(at now: Instant, into events: inout [LinkEvent]) {
        if encryption.isRefresh { return terminate(.pinOrKeyMissing, at: now) }
        finishEncryption(into: &events)
        reject(.encReq, .pinOrKeyMissing)
        events.append(.proceduresChanged)
    }

    private mutating func receivePauseReq(at now: Instant, into events: inout [LinkEvent]) {
        encryption.isRefresh = true
        encryption.holdsData = true
        encryption.step = .pauseRsp
        encryption.isPeripheralPausing = true
        encryption.deadline = now + Procedures.responseTimeout
        queueAtOnce(.pauseEncRsp(LLPauseEncRsp()))
        events.append(.proceduresChanged)
    }

    private mutating func receivePauseRspAsPeripheral() {
        stopEncrypting()
        encryption.step = .encReq
    }

    // MARK: Both

    /// Handles a PDU of these procedures; false where it is none, or none that could come now.
    mutating func receiveEncryption(
        _ packet: LLControlPacket, at now: Instant, into events: inout [LinkEvent]
    ) -> Bool {
        guard local.features.contains(.encryption) else { return false }
        switch (role, packet, encryption.step) {
        case (.peripheral, .encReq(let pdu), .idle) where !encryption.sends: receive(pdu, at: now, into: &events)
        case (.peripheral, .encReq(let pdu), .encReq): receive(pdu, at: now, into: &events)
        case (.peripheral, .startEncRsp, .startRsp):
            // Before this end receives encrypted packets, nobody who has the key can have sent it.
            guard encryption.receives else {
                events.append(.closed(.micFailure))
                return true
            }
            encryption.sends = true
            // It goes before everything that has waited.
            queueAtOnce(.startEncRsp(LLStartEncRsp()))
            succeed(into: &events)
        case (.peripheral, .pauseEncReq, .idle) where encryption.sends: receivePauseReq(at: now, into: &events)
        case (.peripheral, .pauseEncRsp, .pauseRsp): receivePauseRspAsPeripheral()
        case (.central, .encRsp(let pdu), .encRsp): receive(pdu, into: &events)
        case (.central, .startEncReq, .startReq): receiveStartReq()
        case (.central, .startEncRsp, .startRsp):
            succeed(into: &events)
            endProcedure(into: &events)
        case (.central, .pauseEncRsp, .pauseRsp): receivePauseRspAsCentral()
        default: return false
        }
        encryption.update()
        return true
    }

    /// Keeps what comes at the wrong time for later; false where the link is over by it.
    mutating func keepsForLater(_ packet: LLControlPacket?) -> Bool {
        guard encryption.verdict(on: packet?.opcode) == .later else { return false }
        if let packet, encryption.deferred.count < Self.deferredLimit { encryption.deferred.append(packet) }
        return true
    }

    private mutating func succeed(into events: inout [LinkEvent]) {
        authenticated(at: lastHeard)
        events.append(encryption.isRefresh ? .keyRefreshed : .encryptionChanged(.success, isOn: true))
        finishEncryption(into: &events)
        // A peripheral's own procedures have waited too.
        events.append(.proceduresChanged)
    }

    /// The procedure is over, well or not: what has waited goes on.
    private mutating func finishEncryption(into events: inout [LinkEvent]) {
        encryption.step = .idle
        encryption.holdsData = false
        encryption.isRefresh = false
        encryption.isPeripheralPausing = false
        encryption.deadline = .never
        encryption.longTermKey = 0
        encryption.update()
        for octets in encryption.held { controls.append(octets) }
        encryption.held = []
        if !encryption.deferred.isEmpty { events.append(.encryptionEnded) }
    }

    private mutating func stopEncrypting() {
        encryption.sends = false
        encryption.receives = false
        encryption.update()
    }

    /// A control PDU of this end has arrived: some of them change how the peer sends from now on.
    @inline(__always)
    mutating func controlAcknowledged(_ opcode: UInt8?) {
        guard encryption.isActive else { return }
        if opcode == LLOpcode.startEncReq.rawValue { encryption.receives = true }
        if opcode == LLOpcode.pauseEncRsp.rawValue, encryption.isPeripheralPausing { encryption.receives = false }
        encryption.update()
    }
}

/// What a central's host wants of LE Enable Encryption, with what the controller draws.
struct EncryptionWish: Equatable, Sendable {
    var request: LLEncReq
    var longTermKey: UInt128
}
