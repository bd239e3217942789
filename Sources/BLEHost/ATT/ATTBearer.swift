import BLEWire

/// The sequential protocol of one ATT bearer. [Vol 3, Part F, 3.3.2]
///
/// *Role*: knows what is in flight each way, how long it may take, and how long a PDU may be.
/// *Inputs and outputs*: is asked about each PDU that comes in, and told of each request and indication that goes out.
/// *Limits*: one request and one indication of ours in flight. A transaction that isn't finished in 30 s closes the
/// bearer for good [Vol 3, Part F, 3.3.3].
struct ATTBearer: Sendable {
    /// ATT_MTU before an exchange, and the least that there is. [Vol 3, Part G, 5.2.1]
    static let defaultMTU = 23
    static let transactionTimeout = Delay.seconds(30)

    private(set) var mtu = defaultMTU
    private(set) var requestInFlight: ATTOpcode?
    private(set) var isIndicating = false
    /// Why nothing goes over the bearer any more.
    private(set) var failure: HostError?
    private var requestDeadline = Instant.never
    private var indicationDeadline = Instant.never

    /// What is to be done with a response.
    enum Answer {
        /// The request in flight is over.
        case packet(ATTPacket)
        /// The request in flight is over, and the answer can't be read.
        case nonsense(String)
        case ignore(StaticString)
    }

    /// When time is up for what is in flight.
    var nextDeadline: Instant? {
        let deadline = min(requestDeadline, indicationDeadline)
        return deadline == .never ? nil : deadline
    }

    /// Why a PDU that is no response is dropped as it is; nil where it is to be read.
    ///
    /// What is longer than was agreed is never stored and never answered [Vol 3, Part F, 3.2.8]; a request that only
    /// reads does no harm by its length, and gets the answer that fits.
    @inline(__always)
    func objection(to opcode: ATTOpcode, count: Int) -> StaticString? {
        if failure != nil { return "a PDU after the bearer was closed" }
        if count <= mtu || opcode == .readMultipleRequest || opcode == .readMultipleVariableRequest { return nil }
        return "a PDU longer than ATT_MTU"
    }

    /// Whether an indication of ours was waiting for this.
    mutating func receiveConfirmation() -> Bool {
        guard isIndicating else { return false }
        isIndicating = false
        indicationDeadline = .never
        return true
    }

    /// A response that doesn't belong to the request in flight is ignored: taking it for an answer would give the
    /// next request the answer to this one.
    mutating func receiveResponse(_ pdu: [UInt8], _ opcode: ATTOpcode) -> Answer {
        if failure != nil { return .ignore("a response after the bearer was closed") }
        guard let request = requestInFlight else { return .ignore("a response to nothing") }
        // The opcode of every response is the one behind its request's.
        guard opcode == .errorResponse || opcode.rawValue == request.rawValue &+ 1 else {
            return .ignore("a response to another request")
        }
        var pdu = pdu
        if pdu.count > mtu, opcode == .readResponse || opcode == .readBlobResponse {
            // What a receiver with a buffer of ATT_MTU sees of a value; the next part begins where this one is cut.
            pdu.removeLast(pdu.count - mtu)
        }
        do throws(WireError) {
            let packet = try ATTPacket(decoding: pdu)
            if case .errorResponse(let error) = packet, error.request != request {
                return .ignore("an error response to another request")
            }
            requestDone()
            return pdu.count > mtu ? .nonsense("a response longer than ATT_MTU") : .packet(packet)
        } catch {
            requestDone()
            return .nonsense(error.description)
        }
    }

    private mutating func requestDone() {
        requestInFlight = nil
        requestDeadline = .never
    }

    /// A request goes out.
    mutating func requestSent(_ opcode: ATTOpcode, at now: Instant) {
        requestInFlight = opcode
        requestDeadline = now + Self.transactionTimeout
    }

    /// An indication goes out.
    mutating func indicationSent(at now: Instant) {
        isIndicating = true
        indicationDeadline = now + Self.transactionTimeout
    }

    /// Both sides' receive MTUs are known. [Vol 3, Part F, 3.4.2.2]
    mutating func agree(_ ours: UInt16, _ theirs: UInt16) {
        mtu = max(Self.defaultMTU, Int(min(ours, theirs)))
    }

    /// Whether time is up for something in flight: then the bearer is closed. [Vol 3, Part F, 3.3.3]
    mutating func isOverdue(at now: Instant) -> Bool {
        guard failure == nil, let deadline = nextDeadline, deadline <= now else { return false }
        close(.attTimeout)
        return true
    }

    mutating func close(_ reason: HostError) {
        failure = reason
        requestDone()
        isIndicating = false
        indicationDeadline = .never
    }
}
