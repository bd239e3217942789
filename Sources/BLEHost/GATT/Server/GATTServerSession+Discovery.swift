import BLEWire

/// Requests that find attributes. [Vol 3, Part F, 3.4.3], [Vol 3, Part F, 3.4.4.9]
extension GATTServerSession {
    private static func isRange(_ start: AttributeHandle, _ end: AttributeHandle) -> Bool {
        start != .none && start <= end
    }

    /// [Vol 3, Part F, 3.4.3.1]
    func findInformation(
        _ request: ATTFindInformationRequest, _ terms: Terms, _ database: GATTDatabase,
        into out: inout [GATTOutput]
    ) {
        let opcode = ATTOpcode.findInformationRequest
        guard Self.isRange(request.startingHandle, request.endingHandle) else {
            return sendError(opcode, request.startingHandle, .invalidHandle, into: &out)
        }
        var index = database.firstIndex(notBefore: request.startingHandle)
        guard index < database.attributes.count, database.attributes[index].handle <= request.endingHandle else {
            return sendError(opcode, request.startingHandle, .attributeNotFound, into: &out)
        }
        // The types of one response have one length.
        let isShort = database.attributes[index].type.width == .bits16
        let stride = isShort ? 4 : 18
        var data: [UInt8] = []
        data.reserveCapacity(terms.mtu - 2)
        while index < database.attributes.count, data.count + stride <= terms.mtu - 2 {
            let handle = database.attributes[index].handle
            let type = database.attributes[index].type
            guard handle <= request.endingHandle, (type.width == .bits16) == isShort else { break }
            data.append(handle: handle)
            data.append(uuid: type, octets: stride - 2)
            index += 1
        }
        send(.findInformationResponse(.init(format: isShort ? 1 : 2, information: data)), into: &out)
    }

    /// [Vol 3, Part F, 3.4.3.3]
    func findByTypeValue(
        _ request: ATTFindByTypeValueRequest, _ terms: Terms, server: inout GATTServer,
        into out: inout [GATTOutput]
    ) {
        let opcode = ATTOpcode.findByTypeValueRequest
        guard Self.isRange(request.startingHandle, request.endingHandle) else {
            return sendError(opcode, request.startingHandle, .invalidHandle, into: &out)
        }
        let type = BluetoothUUID(request.attributeType)
        let room = (terms.mtu - 1) / 4
        var found: [ATTHandleRange] = []
        var index = server.database.firstIndex(notBefore: request.startingHandle)
        while index < server.database.attributes.count, found.count < room {
            let handle = server.database.attributes[index].handle
            if handle > request.endingHandle { break }
            if server.database.attributes[index].type == type,
                terms.access.readError(server.database.attributes[index].permissions) == nil,
                value(at: index, server: &server) == request.value
            {
                found.append(ATTHandleRange(found: handle, groupEnd: server.database.attributes[index].groupEnd))
            }
            index += 1
        }
        if found.isEmpty { return sendError(opcode, request.startingHandle, .attributeNotFound, into: &out) }
        send(.findByTypeValueResponse(.init(handles: found)), into: &out)
    }

    /// [Vol 3, Part F, 3.4.4.9]
    func readByGroupType(
        _ request: ATTReadByGroupTypeRequest, _ terms: Terms, _ database: GATTDatabase,
        into out: inout [GATTOutput]
    ) {
        let opcode = ATTOpcode.readByGroupTypeRequest
        guard Self.isRange(request.startingHandle, request.endingHandle) else {
            return sendError(opcode, request.startingHandle, .invalidHandle, into: &out)
        }
        // Characteristics are groups too, but not for this request. [Vol 3, Part G, 2.5.3]
        guard request.groupType == GATTType.primaryService || request.groupType == GATTType.secondaryService else {
            return sendError(opcode, request.startingHandle, .unsupportedGroupType, into: &out)
        }
        var length = 0
        var data: [UInt8] = []
        var index = database.firstIndex(notBefore: request.startingHandle)
        while index < database.attributes.count {
            let handle = database.attributes[index].handle
            if handle > request.endingHandle { break }
            guard database.attributes[index].isService else {
                index += 1
                continue
            }
            if database.attributes[index].type == request.groupType,
                case .stored(let value) = database.attributes[index].content
            {
                if let error = terms.access.readError(database.attributes[index].permissions) {
                    if data.isEmpty { return sendError(opcode, handle, error, into: &out) }
                    break
                }
                if data.isEmpty {
                    length = 4 + min(value.count, terms.mtu - 6, 251)
                    data.reserveCapacity(terms.mtu - 2)
                } else if value.count + 4 != length || data.count + length > terms.mtu - 2 {
                    break
                }
                data.append(handle: handle)
                data.append(handle: database.attributes[index].groupEnd)
                data.append(contentsOf: value.prefix(length - 4))
            }
            index = database.indexBehindGroup(at: index)
        }
        if data.isEmpty { return sendError(opcode, request.startingHandle, .attributeNotFound, into: &out) }
        send(.readByGroupTypeResponse(.init(length: UInt8(length), data: data)), into: &out)
    }
}

extension [UInt8] {
    mutating func append(handle: AttributeHandle) {
        append(UInt8(truncatingIfNeeded: handle.rawValue))
        append(UInt8(truncatingIfNeeded: handle.rawValue >> 8))
    }

    /// The first `count` octets of the form that an ATT type has: 2 or 16.
    mutating func append(uuid: BluetoothUUID, octets count: Int) {
        let value = count == 2 ? uuid.full >> 96 : uuid.full
        for index in 0..<count { append(UInt8(truncatingIfNeeded: value >> UInt128(8 * index))) }
    }
}
