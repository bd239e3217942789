import BLEWire

/// What the server does and keeps for one client.
///
/// *Role*: answers the requests of one link from the shared database; asks the application where a value is dynamic.
/// *Inputs and outputs*: decoded requests and commands in; PDUs and events out.
/// *Limits*: one request at a time is worked on; up to 32 more wait in order, those beyond are dropped, as the client
/// breaks the sequential protocol [Vol 3, Part F, 3.3.2]. The prepare queue has a limit.
struct GATTServerSession: Sendable {
    static let waitingLimit = 32

    let link: ConnectionHandle
    let prepareQueueLimit: Int
    /// CCCD values that aren't 0, by the handle of the descriptor.
    var configurations = SortedTable<AttributeHandle, ClientConfiguration>()
    var prepared: [GATTWrite] = []
    /// The request that waits for the application.
    var pending: PendingRequest?
    var awareness = ChangeAwareness()
    /// The key that the client signs with, and the lowest counter that is not used up. [Vol 3, Part C, 10.4.2]
    var peerSigningKey: GATTSigningKey?
    private var waiting = Fifo<ATTPacket>()
    private var nextRequestID: UInt64 = 1

    init(link: ConnectionHandle, prepareQueueLimit: Int) {
        self.link = link
        self.prepareQueueLimit = prepareQueueLimit
    }

    /// What a request is judged by.
    struct Terms {
        var mtu: Int
        var access: AttributeAccess
    }

    /// Takes a request; answers it, or asks the application, or lets it wait.
    mutating func request(
        _ packet: ATTPacket, _ terms: Terms, server: inout GATTServer, into out: inout [GATTOutput]
    ) {
        if pending == nil {
            serve(packet, terms, server: &server, into: &out)
        } else if waiting.count < Self.waitingLimit {
            waiting.append(packet)
        } else {
            out.append(.trace(TraceEvent(.warning, "att", "\(link) dropped a request: too many at once")))
        }
    }

    /// Answers the request that waited for the application, and then those behind it.
    mutating func respond(
        _ id: GATTRequestID, _ error: ATTErrorCode, value: [UInt8], _ terms: Terms, server: inout GATTServer,
        into out: inout [GATTOutput]
    ) {
        // A command is answered by nobody, so its identifier is nobody's.
        guard pending?.id == id, let request = pending.take() else { return }
        if error == .success, let refusal = refusal(of: request, terms, server.database) {
            sendError(request.opcode, refusal.handle, refusal.error, into: &out)
        } else if error == .success {
            finish(request, value, terms, server: &server, into: &out)
        } else {
            sendError(request.opcode, request.handle, error, into: &out)
        }
        while pending == nil, let next = waiting.popFirst() {
            serve(next, terms, server: &server, into: &out)
        }
    }

    /// What a read may tell is judged by the link as it is when the value leaves: it may have lost its encryption while
    /// the application was asked. [Vol 3, Part F, 4]
    private func refusal(
        of request: PendingRequest, _ terms: Terms, _ database: GATTDatabase
    ) -> (handle: AttributeHandle, error: ATTErrorCode)? {
        let handles: [AttributeHandle]
        switch request.purpose {
        case .read, .readBlob, .readByType: handles = [request.handle]
        case .readMultiple(let work): handles = work.handles.map(\.handle)
        case .write, .execute: return nil
        }
        for handle in handles {
            guard let index = database.index(of: handle) else { continue }
            if let error = terms.access.readError(database.attributes[index].permissions) { return (handle, error) }
        }
        return nil
    }

    private mutating func serve(
        _ packet: ATTPacket, _ terms: Terms, server: inout GATTServer, into out: inout [GATTOutput]
    ) {
        if awareness.robustCaching, let refused = awareness.refuses(packet) {
            sendError(refused, .none, .databaseOutOfSync, into: &out)
            return
        }
        switch packet {
        case .readRequest(let request): read(request, terms, server: &server, into: &out)
        case .writeRequest(let request): write(request, terms, server: &server, into: &out)
        case .readBlobRequest(let request): readBlob(request, terms, server: &server, into: &out)
        case .findInformationRequest(let request): findInformation(request, terms, server.database, into: &out)
        case .findByTypeValueRequest(let request):
            findByTypeValue(request, terms, server: &server, into: &out)
        case .readByTypeRequest(let request): readByType(request, terms, server: &server, into: &out)
        case .readByGroupTypeRequest(let request): readByGroupType(request, terms, server.database, into: &out)
        case .readMultipleRequest(let request):
            readMultiple(request.handles, isVariable: false, terms, server: &server, into: &out)
        case .readMultipleVariableRequest(let request):
            readMultiple(request.handles, isVariable: true, terms, server: &server, into: &out)
        case .prepareWriteRequest(let request): prepareWrite(request, terms, server.database, into: &out)
        case .executeWriteRequest(let request): executeWrite(request, terms, server: &server, into: &out)
        default: break
        }
    }

    /// Asks the application, and remembers what for.
    mutating func ask(
        _ opcode: ATTOpcode, _ handle: AttributeHandle, _ purpose: PendingRequest.Purpose
    ) -> GATTRequestID {
        let id = newRequestID()
        pending = PendingRequest(id: id, opcode: opcode, handle: handle, purpose: purpose)
        return id
    }

    mutating func newRequestID() -> GATTRequestID {
        defer { nextRequestID += 1 }
        return GATTRequestID(rawValue: nextRequestID)
    }

    func send(_ packet: ATTPacket, into out: inout [GATTOutput]) {
        // Every response is made to fit, so that none fails to be encoded.
        if let pdu = try? packet.encoded() { out.append(.send(pdu: pdu, tag: nil)) }
    }

    func sendError(
        _ request: ATTOpcode, _ handle: AttributeHandle, _ error: ATTErrorCode, into out: inout [GATTOutput]
    ) {
        send(.errorResponse(ATTErrorResponse(request: request, handle: handle, error: error)), into: &out)
    }
}

/// A request that waits for the application.
struct PendingRequest: Sendable {
    let id: GATTRequestID
    let opcode: ATTOpcode
    /// The attribute that was asked for.
    let handle: AttributeHandle
    var purpose: Purpose

    enum Purpose: Sendable {
        case read
        case readBlob
        case readByType
        indirect case readMultiple(MultipleRead)
        case write
        /// Values of stored attributes that are written once the application has agreed to the rest.
        case execute([GATTHandleValue])
    }
}

/// A key that signs, with its counter. [Vol 3, Part H, 2.4.5]
package struct GATTSigningKey: Equatable, Sendable {
    package var csrk: UInt128 { UInt128(high) << 64 | UInt128(low) }
    /// The next counter to use, or the lowest to accept.
    package var counter: UInt32
    // In halves for the reason told at `BluetoothUUID.full`.
    private let high: UInt64
    private let low: UInt64

    package init(csrk: UInt128, counter: UInt32 = 0) {
        high = UInt64(truncatingIfNeeded: csrk >> 64)
        low = UInt64(truncatingIfNeeded: csrk)
        self.counter = counter
    }
}
