import BLEWire

/// The client's procedures on one link. [Vol 3, Part G, 4.1]
///
/// *Role*: turns a procedure into requests and the answers into an outcome, one procedure after the other.
/// *Inputs and outputs*: `begin`, `answered` and `refused` say what comes next: a request, or the end.
/// *Limits*: every answer is checked before it is believed; handles must rise, so that no peer can keep a procedure
/// going for ever; values have 512 octets at most.
struct GATTClient: Sendable {
    struct Order: Sendable {
        let token: OperationToken
        let procedure: GATTProcedure
    }

    /// What comes next.
    enum Step {
        case request(ATTPacket)
        case done(GATTOutcome)
        case failed(HostError)
    }

    var waiting = Fifo<Order>()
    var active: Order?
    /// The request in flight, kept for the case that it's repeated under more security.
    var request: [UInt8] = []
    /// The smaller of the ATT_MTUs when the request left and now: an answer of that length may be cut.
    var requestMTU = ATTBearer.defaultMTU
    /// The error that security is being raised for.
    var elevating: ATTErrorCode?
    /// Whether the request was repeated already.
    var wasElevated = false

    // What the active procedure has gathered; one list at a time is used.
    /// The lowest handle that may come next.
    var cursor = 1
    var octets: [UInt8] = []
    var services: [GATTService] = []
    var included: [GATTIncludedService] = []
    /// Included services whose UUIDs are still to be read, last first.
    var unnamed: [GATTIncludedService] = []
    var characteristics: [GATTCharacteristic] = []
    var descriptors: [GATTDescriptor] = []
    var values: [GATTHandleValue] = []
    /// Parts to be prepared, and how many are.
    var parts: [GATTWrite] = []
    var preparedCount = 0
    /// Why a prepare queue is being cancelled.
    var cancelReason: HostError?

    /// The first step of a procedure.
    mutating func begin(_ procedure: GATTProcedure, mtu: Int) -> Step {
        parts = []
        cancelReason = nil
        switch procedure {
        case .read(let handle), .readLong(let handle):
            octets = []
            return .request(.readRequest(.init(handle: handle)))
        case .write(let handle, let value):
            if value.count <= mtu - 3 { return .request(.writeRequest(.init(handle: handle, value: value))) }
            return beginPreparing([GATTWrite(handle: handle, offset: 0, value: value)], mtu: mtu)
        case .writeLong(let handle, let value):
            return beginPreparing([GATTWrite(handle: handle, offset: 0, value: value)], mtu: mtu)
        case .writeReliable(let writes): return beginPreparing(writes, mtu: mtu)
        case .readMultiple(let handles):
            guard handles.count >= 2 else { return .failed(.invalidParameters("read multiple wants two handles")) }
            return .request(.readMultipleRequest(.init(handles: handles.map { ATTHandle($0) })))
        case .readByUUID(_, let range):
            values = []
            return start(procedure, at: range.lowerBound)
        case .discoverServices, .discoverSecondaryServices:
            services = []
            return start(procedure, at: .first)
        case .discoverIncludedServices(let range):
            included = []
            unnamed = []
            return start(procedure, at: range.lowerBound)
        case .discoverCharacteristics(let range):
            characteristics = []
            return start(procedure, at: range.lowerBound)
        case .discoverDescriptors(let range):
            descriptors = []
            return start(procedure, at: range.lowerBound)
        case .exchangeMTU, .writeWithoutResponse, .signedWrite:
            // The connection does these itself.
            return .failed(.invalidParameters("not a procedure of requests"))
        }
    }

    private mutating func start(_ procedure: GATTProcedure, at handle: AttributeHandle) -> Step {
        cursor = Int(handle.rawValue)
        return continueDiscovery(procedure)
    }

    /// The next step after the answer to a request.
    mutating func answered(_ packet: ATTPacket, _ procedure: GATTProcedure, mtu: Int) -> Step {
        switch (procedure, packet) {
        case (.read, .readResponse(let response)): return .done(.value(response.value))
        case (.write, .writeResponse): return .done(.done)
        case (.readLong(let handle), .readResponse(let response)): return appendPart(response.value, of: handle)
        case (.readLong(let handle), .readBlobResponse(let response)): return appendPart(response.value, of: handle)
        case (.readMultiple, .readMultipleResponse(let response)): return .done(.value(response.values))
        case (_, .prepareWriteResponse(let response)): return prepared(response, procedure, mtu: mtu)
        case (_, .executeWriteResponse):
            if let cancelReason { return .failed(cancelReason) }
            return .done(.done)
        default: return discovered(packet, procedure)
        }
    }

    /// The next step after an Error Response.
    mutating func refused(_ error: ATTErrorCode, by request: ATTOpcode, _ procedure: GATTProcedure) -> Step {
        if let cancelReason { return .failed(cancelReason) }
        switch procedure {
        case .discoverServices, .discoverSecondaryServices, .discoverIncludedServices, .discoverCharacteristics,
            .discoverDescriptors:
            // The way in which a list ends; but an included service's declaration that can't be read is an error.
            if error == .attributeNotFound, request != .readRequest { return endDiscovery(procedure) }
        case .readByUUID:
            if error == .attributeNotFound, !values.isEmpty { return endDiscovery(procedure) }
        case .readLong:
            // A value of fixed length that fits one response: what was read is all. [Vol 3, Part F, 3.4.4.5]
            if error == .attributeNotLong, !octets.isEmpty { return .done(.value(octets)) }
        case .write, .writeLong, .writeReliable:
            if request == .prepareWriteRequest { return cancel(.att(error)) }
        default: break
        }
        return .failed(.att(error))
    }

    /// The next step after an answer that can't be read. A server that has prepared parts must not keep them.
    mutating func misanswered(_ what: String) -> Step {
        if let cancelReason { return .failed(cancelReason) }
        return parts.isEmpty ? .failed(.invalidResponse(what)) : cancel(.invalidResponse(what))
    }

    /// A part of a long value came. [Vol 3, Part G, 4.8.3]
    private mutating func appendPart(_ part: [UInt8], of handle: AttributeHandle) -> Step {
        octets = octets.isEmpty ? part : octets + part
        if octets.count > gattMaximumValueLength {
            return .failed(.invalidResponse("a value of more than 512 octets"))
        }
        // A part that fills its response may have more behind it.
        if part.count < requestMTU - 1 || octets.count == gattMaximumValueLength { return .done(.value(octets)) }
        return .request(.readBlobRequest(.init(handle: handle, offset: UInt16(octets.count))))
    }

    /// Whether a write of the attribute waits or is not done, so that a command has to stay behind it.
    func isWriting(_ handle: AttributeHandle) -> Bool {
        guard let active else { return false }
        // A single Write Request has left already; only longer writes go on.
        if !parts.isEmpty || elevating != nil, active.procedure.writes(handle) { return true }
        return !waiting.isEmpty && waiting.elements.contains { $0.procedure.writes(handle) }
    }

    /// Takes out everything that isn't done, oldest first.
    mutating func drain() -> [Order] {
        let orders = [active].compactMap { $0 } + waiting.elements
        active = nil
        waiting.removeAll()
        elevating = nil
        return orders
    }
}
