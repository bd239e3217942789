import BLECrypto
import BLEWire

/// How far one end of a link is with encrypting it. [Vol 6, Part B, 5.1.3]
///
/// *Role*: keys, packet counters and the step of the procedure that starts or pauses encryption.
/// *Inputs and outputs*: `LinkEnd` asks it for each packet and takes its steps.
struct LinkEncryption: Sendable {
    /// What is waited for. A central and a peripheral take different ones of them.
    enum Step: UInt8, Sendable {
        case idle
        /// Central: LL_ENC_REQ was sent.
        case encRsp
        /// Central: LL_ENC_RSP has come, the peripheral's host looks for the key.
        case startReq
        /// Both: LL_START_ENC_RSP has to come.
        case startRsp
        /// Both: LL_PAUSE_ENC_RSP has to come.
        case pauseRsp
        /// Peripheral: LL_ENC_REQ has come, the host looks for the key.
        case longTermKey
        /// Peripheral: paused, LL_ENC_REQ has to come.
        case encReq
    }

    var step = Step.idle
    /// Whether new packets are encrypted.
    var sends = false
    /// Whether packets of the peer are encrypted.
    var receives = false
    /// Whether anything of this matters to a packet that arrives: asked for each.
    var isActive = false
    /// Whether data waits for the end of the procedure.
    var holdsData = false
    /// Whether what is outgoing was sealed: it is sent again as it was, whatever has begun meanwhile.
    var sealsOutgoing = false
    /// packetCounter of each direction; a packet that is sent again keeps its number. [Vol 6, Part E, 2.1]
    var sendCounter: UInt64 = 0
    var receiveCounter: UInt64 = 0
    var cipher: LinkCipher?

    /// What the procedure that is under way is about.
    var request = LLEncReq()
    var answer = LLEncRsp()
    var longTermKey: UInt128 = 0
    /// Whether the link was encrypted before: its key is renewed.
    var isRefresh = false
    /// When the link is given up because the peer, or this side's host, doesn't go on. [Vol 6, Part B, 5.2]
    var deadline = Instant.never
    /// Control PDUs of the peer that are handled when the procedure is over.
    var deferred: [LLControlPacket] = []
    /// Control PDUs of this end that are sent when the procedure is over.
    var held: [[UInt8]] = []

    /// The check of a new packet, in octets.
    @inline(__always)
    var checkLength: Int { sends ? LinkCipher.checkLength : 0 }

    /// SKD: the peripheral's part is the upper half. [Vol 6, Part B, 5.1.3.1]
    var diversifier: UInt128 {
        UInt128(answer.sessionKeyDiversifier) << 64 | UInt128(request.sessionKeyDiversifier)
    }

    /// IV: the peripheral's part is the upper half. [Vol 6, Part B, 5.1.3.1]
    var vector: UInt64 {
        UInt64(answer.initializationVector) << 32 | UInt64(request.initializationVector)
    }

    /// Makes the session key, with which packets count from 0. [Vol 6, Part E, 2.1]
    mutating func makeCipher(isCentral: Bool) {
        cipher = LinkCipher(
            sessionKey: LinkCipher.sessionKey(longTermKey: longTermKey, diversifier: diversifier),
            initializationVector: vector, isCentral: isCentral)
        sendCounter = 0
        receiveCounter = 0
    }

    mutating func update() { isActive = receives || step != .idle }

    /// What an end does with a control PDU of its peer while the procedure is under way.
    enum Verdict: Sendable {
        case handle
        case later
        /// The link ends at once: somebody puts plain packets into it. [Vol 6, Part B, 5.1.3.1]
        case violation
    }

    /// The peer sends nothing but these once it has begun, or answered, the procedure. [Vol 6, Part B, 5.1.3.1]
    func verdict(on opcode: LLOpcode?) -> Verdict {
        guard let opcode, opcode != .terminateInd else { return opcode == nil ? unexpected : .handle }
        let isRefusal = opcode == .rejectInd || opcode == .rejectExtInd
        let fits =
            switch step {
            case .idle: true
            case .encRsp: opcode == .encRsp || opcode == .unknownRsp || isRefusal
            case .startReq: opcode == .startEncReq || isRefusal
            case .startRsp: opcode == .startEncRsp
            case .pauseRsp: opcode == .pauseEncRsp
            case .longTermKey: false
            case .encReq: opcode == .encReq
            }
        return fits ? .handle : unexpected
    }

    /// Until the peripheral has answered it may send what it likes.
    private var unexpected: Verdict {
        step == .encRsp || step == .pauseRsp && !isPeripheralPausing ? .later : .violation
    }

    /// Whether this is a peripheral that has sent LL_PAUSE_ENC_RSP.
    var isPeripheralPausing = false

    /// Whether data of the peer ends the link. [Vol 6, Part B, 5.1.3.1]
    var forbidsData: Bool { step != .idle && unexpected == .violation }
}
