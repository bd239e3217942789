import BLEWire

/// Requests that read. [Vol 3, Part F, 3.4.4]
extension GATTServerSession {
    /// The value of an attribute; nil where the application is to be asked.
    @inline(__always)
    func value(at index: Int, server: inout GATTServer) -> [UInt8]? {
        switch server.database.attributes[index].content {
        case .stored(let value): return value
        case .application: return nil
        case .clientConfiguration:
            let value = configurations[server.database.attributes[index].handle] ?? []
            return [UInt8(truncatingIfNeeded: value.rawValue), 0]
        case .clientSupportedFeatures: return [awareness.features]
        case .databaseHash: return server.databaseHash()
        case .indicatedOnly: return []
        }
    }

    /// The position of an attribute that may be read; nil after an error was sent.
    @inline(__always)
    private func readable(
        _ handle: AttributeHandle, _ opcode: ATTOpcode, _ terms: Terms, _ database: GATTDatabase,
        into out: inout [GATTOutput]
    ) -> Int? {
        guard let index = database.index(of: handle) else {
            sendError(opcode, handle, .invalidHandle, into: &out)
            return nil
        }
        if let error = terms.access.readError(database.attributes[index].permissions) {
            sendError(opcode, handle, error, into: &out)
            return nil
        }
        return index
    }

    /// [Vol 3, Part F, 3.4.4.3]
    mutating func read(
        _ request: ATTReadRequest, _ terms: Terms, server: inout GATTServer, into out: inout [GATTOutput]
    ) {
        guard let index = readable(request.handle, .readRequest, terms, server.database, into: &out) else { return }
        if let value = value(at: index, server: &server) {
            send(.readResponse(.init(value: value.cut(to: terms.mtu - 1))), into: &out)
        } else {
            let id = ask(.readRequest, request.handle, .read)
            out.append(.event(.readRequested(link, id, request.handle, offset: 0)))
        }
    }

    /// [Vol 3, Part F, 3.4.4.5]
    mutating func readBlob(
        _ request: ATTReadBlobRequest, _ terms: Terms, server: inout GATTServer, into out: inout [GATTOutput]
    ) {
        guard let index = readable(request.handle, .readBlobRequest, terms, server.database, into: &out) else { return }
        guard let value = value(at: index, server: &server) else {
            let id = ask(.readBlobRequest, request.handle, .readBlob)
            out.append(.event(.readRequested(link, id, request.handle, offset: Int(request.offset))))
            return
        }
        guard Int(request.offset) <= value.count else {
            return sendError(.readBlobRequest, request.handle, .invalidOffset, into: &out)
        }
        let part = value[Int(request.offset)...].prefix(terms.mtu - 1)
        send(.readBlobResponse(.init(value: Array(part))), into: &out)
    }

    /// [Vol 3, Part F, 3.4.4.1]
    mutating func readByType(
        _ request: ATTReadByTypeRequest, _ terms: Terms, server: inout GATTServer, into out: inout [GATTOutput]
    ) {
        let opcode = ATTOpcode.readByTypeRequest
        guard request.startingHandle != .none, request.startingHandle <= request.endingHandle else {
            return sendError(opcode, request.startingHandle, .invalidHandle, into: &out)
        }
        let limit = min(terms.mtu - 4, 253)
        var valueLength = 0
        var data: [UInt8] = []
        var index = server.database.firstIndex(notBefore: request.startingHandle)
        while index < server.database.attributes.count {
            let handle = server.database.attributes[index].handle
            if handle > request.endingHandle { break }
            guard server.database.attributes[index].type == request.attributeType else {
                index += 1
                continue
            }
            if let error = terms.access.readError(server.database.attributes[index].permissions) {
                // Only the first attribute decides whether there's an error; another one ends the list.
                if data.isEmpty { return sendError(opcode, handle, error, into: &out) }
                break
            }
            guard let value = value(at: index, server: &server) else {
                if data.isEmpty {
                    let id = ask(opcode, handle, .readByType)
                    return out.append(.event(.readRequested(link, id, handle, offset: 0)))
                }
                break
            }
            if data.isEmpty {
                valueLength = value.count
                data.reserveCapacity(terms.mtu - 2)
            } else if value.count != valueLength || data.count + valueLength + 2 > terms.mtu - 2 {
                break
            }
            data.append(handle: handle)
            data.append(contentsOf: value.prefix(limit))
            index += 1
        }
        if data.isEmpty { return sendError(opcode, request.startingHandle, .attributeNotFound, into: &out) }
        let length = UInt8(min(valueLength, limit) + 2)
        send(.readByTypeResponse(.init(length: length, data: data)), into: &out)
    }
}

extension [UInt8] {
    /// The octets themselves where they fit: no copy.
    @inline(__always)
    func cut(to limit: Int) -> [UInt8] { count <= limit ? self : Array(prefix(limit)) }
}
