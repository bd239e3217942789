import BLEWire

/// The prepare queue. [Vol 3, Part F, 3.4.6]
extension GATTServerSession {
    /// [Vol 3, Part F, 3.4.6.1]
    mutating func prepareWrite(
        _ request: ATTPrepareWriteRequest, _ terms: Terms, _ database: GATTDatabase, into out: inout [GATTOutput]
    ) {
        let opcode = ATTOpcode.prepareWriteRequest
        guard let index = database.index(of: request.handle) else {
            return sendError(opcode, request.handle, .invalidHandle, into: &out)
        }
        if let error = terms.access.writeError(database.attributes[index].permissions) {
            return sendError(opcode, request.handle, error, into: &out)
        }
        guard prepared.count < prepareQueueLimit else {
            return sendError(opcode, request.handle, .prepareQueueFull, into: &out)
        }
        // Offset and length are judged when the queue is executed.
        prepared.append(GATTWrite(handle: request.handle, offset: Int(request.offset), value: request.value))
        send(
            .prepareWriteResponse(.init(handle: request.handle, offset: request.offset, value: request.value)),
            into: &out)
    }

    /// All or nothing. [Vol 3, Part F, 3.4.6.3]
    mutating func executeWrite(
        _ request: ATTExecuteWriteRequest, _ terms: Terms, server: inout GATTServer, into out: inout [GATTOutput]
    ) {
        let queue = prepared
        prepared = []
        guard request.flags == 1 else { return send(.executeWriteResponse(.init()), into: &out) }
        let plan: ExecutionPlan
        switch judge(queue, terms, server: &server) {
        case .success(let judged): plan = judged
        case .failure(let refusal):
            return sendError(.executeWriteRequest, refusal.handle, refusal.error, into: &out)
        }
        if plan.asked.isEmpty { return finishExecution(plan.stored, server: &server, into: &out) }
        let first = plan.asked.first?.handle ?? .none
        let id = ask(.executeWriteRequest, first, .execute(plan.stored))
        out.append(.event(.writeRequested(link, id, plan.asked, needsResponse: true)))
    }

    /// What executing a queue comes to.
    private struct ExecutionPlan {
        /// New values of what the server keeps itself.
        var stored: [GATTHandleValue] = []
        /// Parts for the application.
        var asked: [GATTWrite] = []
    }

    private struct Refusal: Error {
        var handle: AttributeHandle
        var error: ATTErrorCode
    }

    private func judge(
        _ queue: [GATTWrite], _ terms: Terms, server: inout GATTServer
    ) -> Result<ExecutionPlan, Refusal> {
        var plan = ExecutionPlan()
        let isReliable = queue.contains { $0.handle != queue[0].handle }
        for part in queue {
            guard let index = server.database.index(of: part.handle) else {
                return .failure(Refusal(handle: part.handle, error: .invalidHandle))
            }
            // The link may be worth less than it was when the part came.
            if let error = terms.access.writeError(server.database.attributes[index].permissions) {
                return .failure(Refusal(handle: part.handle, error: error))
            }
            // Parts of several attributes are a reliable write, which a characteristic has to allow.
            // [Vol 3, Part G, 4.9.5]
            if isReliable, !server.database.allowsReliableWrites(at: index) {
                return .failure(Refusal(handle: part.handle, error: .requestNotSupported))
            }
            let end = part.offset + part.value.count
            if case .application = server.database.attributes[index].content {
                guard end <= gattMaximumValueLength else {
                    return .failure(Refusal(handle: part.handle, error: .invalidAttributeValueLength))
                }
                plan.asked.append(part)
                continue
            }
            let position = plan.stored.firstIndex { $0.handle == part.handle }
            let before = position.map { plan.stored[$0].value } ?? value(at: index, server: &server) ?? []
            guard part.offset <= before.count else {
                return .failure(Refusal(handle: part.handle, error: .invalidOffset))
            }
            // A part at 0 begins a new value; any other goes over the old one.
            let tail = part.offset > 0 && end < before.count ? before[end...] : []
            let value = before.prefix(part.offset) + part.value + tail
            if let position {
                plan.stored[position].value = Array(value)
            } else {
                plan.stored.append(GATTHandleValue(handle: part.handle, value: Array(value)))
            }
        }
        for entry in plan.stored {
            guard let index = server.database.index(of: entry.handle) else { continue }
            if let error = lengthError(entry.value.count, at: index, server.database) {
                return .failure(Refusal(handle: entry.handle, error: error))
            }
        }
        return .success(plan)
    }

    /// Writes what the server keeps itself and answers.
    mutating func finishExecution(
        _ values: [GATTHandleValue], server: inout GATTServer, into out: inout [GATTOutput]
    ) {
        for entry in values {
            guard let index = server.database.index(of: entry.handle) else { continue }
            if let error = store(entry.value, at: index, server: &server, into: &out) {
                return sendError(.executeWriteRequest, entry.handle, error, into: &out)
            }
        }
        send(.executeWriteResponse(.init()), into: &out)
    }
}
