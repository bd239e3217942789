import BLEWire

/// Reading several values at once, where some may have to be asked of the application.
struct MultipleRead: Sendable {
    let handles: [ATTHandle]
    let isVariable: Bool
    var position = 0
    var collected: [UInt8] = []

    var opcode: ATTOpcode { isVariable ? .readMultipleVariableRequest : .readMultipleRequest }

    mutating func take(_ value: [UInt8]) {
        // The length is that of the whole value, also where the list is cut. [Vol 3, Part F, 3.4.4.12]
        if isVariable { collected.append(handle: AttributeHandle(rawValue: UInt16(truncatingIfNeeded: value.count))) }
        collected += value
        position += 1
    }
}

/// [Vol 3, Part F, 3.4.4.7], [Vol 3, Part F, 3.4.4.11]
extension GATTServerSession {
    mutating func readMultiple(
        _ handles: [ATTHandle], isVariable: Bool, _ terms: Terms, server: inout GATTServer,
        into out: inout [GATTOutput]
    ) {
        let work = MultipleRead(handles: handles, isVariable: isVariable)
        guard handles.count >= 2 else { return sendError(work.opcode, .none, .invalidPDU, into: &out) }
        // All are checked before the application is asked for any.
        for handle in handles {
            guard let index = server.database.index(of: handle.handle) else {
                return sendError(work.opcode, handle.handle, .invalidHandle, into: &out)
            }
            if let error = terms.access.readError(server.database.attributes[index].permissions) {
                return sendError(work.opcode, handle.handle, error, into: &out)
            }
        }
        goOn(work, terms, server: &server, into: &out)
    }

    mutating func goOn(
        _ work: MultipleRead, _ terms: Terms, server: inout GATTServer, into out: inout [GATTOutput]
    ) {
        var work = work
        while work.position < work.handles.count, work.collected.count < terms.mtu - 1 {
            let handle = work.handles[work.position].handle
            guard let index = server.database.index(of: handle) else {
                return sendError(work.opcode, handle, .invalidHandle, into: &out)
            }
            guard let value = value(at: index, server: &server) else {
                let id = ask(work.opcode, handle, .readMultiple(work))
                return out.append(.event(.readRequested(link, id, handle, offset: 0)))
            }
            work.take(value)
        }
        let octets = work.collected.cut(to: terms.mtu - 1)
        send(
            work.isVariable
                ? .readMultipleVariableResponse(.init(list: octets)) : .readMultipleResponse(.init(values: octets)),
            into: &out)
    }

    /// Finishes a request with what the application answered.
    mutating func finish(
        _ request: PendingRequest, _ value: [UInt8], _ terms: Terms, server: inout GATTServer,
        into out: inout [GATTOutput]
    ) {
        switch request.purpose {
        case .read: send(.readResponse(.init(value: value.cut(to: terms.mtu - 1))), into: &out)
        case .readBlob: send(.readBlobResponse(.init(value: value.cut(to: terms.mtu - 1))), into: &out)
        case .readByType:
            let part = value.cut(to: min(terms.mtu - 4, 253))
            send(
                .readByTypeResponse(.init(length: UInt8(part.count + 2), data: request.handle.octets + part)),
                into: &out)
        case .readMultiple(var work):
            work.take(value.cut(to: gattMaximumValueLength))
            goOn(work, terms, server: &server, into: &out)
        case .write: send(.writeResponse(.init()), into: &out)
        case .execute(let stored): finishExecution(stored, server: &server, into: &out)
        }
    }
}
