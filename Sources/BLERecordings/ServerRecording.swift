import BLEWire

/// Puts the database of one server together from the ATT PDUs that went to and from it.
///
/// *Role*: what was discovered, read, told and written is kept by handle; `device` makes services of it.
///
/// *Limits*: a value keeps what was read first; of what a server told, as much as `updateLimit` for each characteristic.
struct ServerRecording {
    static let updateLimit = 1000

    var mtu = 23
    /// The request that awaits its answer.
    private var pending: (packet: ATTPacket, action: Int?)?
    private(set) var groups: [AttributeHandle: (end: AttributeHandle, uuid: BluetoothUUID, isPrimary: Bool)] = [:]
    private(set) var includes: [AttributeHandle: AttributeHandle] = [:]
    private(set) var declarations: [AttributeHandle: (properties: UInt8, value: AttributeHandle, uuid: BluetoothUUID)] =
        [:]
    private(set) var types: [AttributeHandle: BluetoothUUID] = [:]
    private(set) var values: [AttributeHandle: [UInt8]] = [:]
    /// Handles whose value may go on behind what was read.
    private(set) var open: Set<AttributeHandle> = []
    /// What a read goes on with, while it isn't whole.
    private var partial: [AttributeHandle: [UInt8]] = [:]
    private(set) var updates: [AttributeHandle: [RecordedUpdate]] = [:]
    private var lastUpdate: [AttributeHandle: Int64] = [:]
    private var subscribed: [AttributeHandle: Int64] = [:]
    private(set) var droppedUpdates = 0
    private(set) var readRefused: Set<AttributeHandle> = []
    private(set) var writeRefused: Set<AttributeHandle> = []
    private(set) var actions: [RecordedAction] = []
    private var prepared: [(handle: AttributeHandle, offset: Int, part: [UInt8])] = []
    /// PDUs that can't be read.
    private(set) var faults = 0

    init() {}

    // MARK: From the client

    mutating func request(_ pdu: [UInt8], at time: Int64) {
        guard let packet = try? ATTPacket(decoding: pdu) else { return faults += 1 }
        switch packet {
        case .writeCommand(let command):
            act(command.handle, .write(command.value, withResponse: false), at: time)
        case .signedWriteCommand(let command):
            act(command.handle, .write(Array(command.valueAndSignature.dropLast(12)), withResponse: false), at: time)
        case .handleValueConfirmation: break
        case .prepareWriteRequest(let request):
            prepared.append((request.handle, Int(request.offset), request.value))
            pending = (packet, nil)
        case .executeWriteRequest(let request):
            pending = (packet, request.flags == 1 ? actPrepared(at: time) : nil)
            prepared = []
        case .writeRequest(let request):
            pending = (packet, act(request.handle, kind(of: request), at: time))
        case .readRequest(let request): pending = (packet, act(request.handle, .read, at: time))
        default: pending = (packet, nil)
        }
    }

    /// A write, or what a write of the Client Characteristic Configuration means. [Vol 3, Part G, 3.3.3.3]
    private func kind(of request: ATTWriteRequest) -> RecordedAction.Kind {
        guard types[request.handle] == BluetoothUUID(0x2902), request.value.count == 2 else {
            return .write(request.value, withResponse: true)
        }
        return request.value[0] & 3 == 0 ? .unsubscribe : .subscribe
    }

    private mutating func actPrepared(at time: Int64) -> Int? {
        guard let first = prepared.first else { return nil }
        var value: [UInt8] = []
        for write in prepared where write.handle == first.handle && write.offset == value.count { value += write.part }
        return act(first.handle, .write(value, withResponse: true), at: time)
    }

    @discardableResult
    private mutating func act(_ handle: AttributeHandle, _ kind: RecordedAction.Kind, at time: Int64) -> Int {
        actions.append(RecordedAction(unixNanoseconds: time, handle: handle, kind: kind, outcome: .none))
        return actions.count - 1
    }

    // MARK: From the server

    mutating func answer(_ pdu: [UInt8], at time: Int64) {
        guard let packet = try? ATTPacket(decoding: pdu) else { return faults += 1 }
        switch packet {
        case .handleValueNotification(let told): update(told.handle, told.value, at: time)
        case .handleValueIndication(let told): update(told.handle, told.value, at: time)
        case .multipleHandleValueNotification(let told): several(told.list) { update($0, $1, at: time) }
        default:
            guard let (request, action) = pending else { return }
            pending = nil
            answered(request, packet, action, at: time)
        }
    }

    private mutating func answered(_ request: ATTPacket, _ answer: ATTPacket, _ action: Int?, at time: Int64) {
        switch (request, answer) {
        case (_, .errorResponse(let error)): refused(request, error, action)
        case (.exchangeMTURequest(let request), .exchangeMTUResponse(let response)):
            mtu = max(23, Int(min(request.receiveMTU, response.receiveMTU)))
        case (.readByGroupTypeRequest(let request), .readByGroupTypeResponse(let response)):
            for entry in Self.entries(response.data, Int(response.length)) {
                guard entry.count > 4, let uuid = BluetoothUUID(littleEndian: entry[4...]) else { continue }
                groups[Self.handle(entry, 0)] = (
                    Self.handle(entry, 2), uuid, request.groupType == BluetoothUUID(0x2800)
                )
            }
        case (.findByTypeValueRequest(let request), .findByTypeValueResponse(let response)):
            guard request.attributeType == 0x2800, let uuid = BluetoothUUID(littleEndian: request.value) else { break }
            for range in response.handles { groups[range.found] = (range.groupEnd, uuid, true) }
        case (.readByTypeRequest(let request), .readByTypeResponse(let response)):
            readByType(request.attributeType, Self.entries(response.data, Int(response.length)))
        case (.findInformationRequest, .findInformationResponse(let response)):
            for entry in Self.entries(response.information, response.stride) {
                types[Self.handle(entry, 0)] = BluetoothUUID(littleEndian: entry[2...])
            }
        case (.readRequest(let request), .readResponse(let response)):
            read(request.handle, response.value, action)
        case (.readBlobRequest(let request), .readBlobResponse(let response)):
            readOn(request.handle, Int(request.offset), response.value)
        case (.readMultipleVariableRequest(let request), .readMultipleVariableResponse(let response)):
            var rest = request.handles[...]
            lengthsAndValues(response.list) { value in
                if let handle = rest.popFirst()?.handle { keep(value, of: handle) }
            }
        case (.writeRequest(let request), .writeResponse): wrote(request, action, at: time)
        case (.executeWriteRequest, .executeWriteResponse): settle(action, .done)
        default: break
        }
    }

    private mutating func readByType(_ type: BluetoothUUID, _ entries: [[UInt8]]) {
        for entry in entries {
            let handle = Self.handle(entry, 0)
            if type == BluetoothUUID(0x2803) {
                guard entry.count > 5, let uuid = BluetoothUUID(littleEndian: entry[5...]) else { continue }
                declarations[handle] = (entry[2], Self.handle(entry, 3), uuid)
            } else if type == BluetoothUUID(0x2802) {
                if entry.count >= 6 { includes[handle] = Self.handle(entry, 2) }
            } else {
                types[handle] = types[handle] ?? type
                keep(Array(entry[2...]), of: handle)
            }
        }
    }

    private mutating func read(_ handle: AttributeHandle, _ value: [UInt8], _ action: Int?) {
        settle(action, .value(value))
        partial[handle] = value
        if value.count >= mtu - 1 { open.insert(handle) } else { open.remove(handle) }
        keep(value, of: handle)
    }

    private mutating func readOn(_ handle: AttributeHandle, _ offset: Int, _ part: [UInt8]) {
        guard let begun = partial[handle], begun.count == offset else { return }
        partial[handle] = begun + part
        if part.count < mtu - 1 { open.remove(handle) }
        // The beginning is there already, if it's that of the first value.
        if values[handle] == begun { values[handle] = begun + part }
        if let index = actions.lastIndex(where: { $0.handle == handle && $0.outcome == .value(begun) }) {
            actions[index].outcome = .value(begun + part)
        }
    }

    private mutating func keep(_ value: [UInt8], of handle: AttributeHandle) {
        if values[handle] == nil { values[handle] = value }
    }

    private mutating func wrote(_ request: ATTWriteRequest, _ action: Int?, at time: Int64) {
        settle(action, .done)
        guard types[request.handle] == BluetoothUUID(0x2902), let value = valueHandle(before: request.handle) else {
            return
        }
        subscribed[value] = time
        lastUpdate[value] = nil
    }

    private func valueHandle(before descriptor: AttributeHandle) -> AttributeHandle? {
        declarations.values.map(\.value).filter { $0 < descriptor }.max()
    }

    private mutating func settle(_ action: Int?, _ outcome: RecordedAction.Outcome) {
        if let action { actions[action].outcome = outcome }
    }

    private mutating func refused(_ request: ATTPacket, _ error: ATTErrorResponse, _ action: Int?) {
        settle(action, .error(error.error))
        let security: [ATTErrorCode] = [
            .insufficientAuthentication, .insufficientEncryption, .encryptionKeySizeTooShort,
        ]
        let wantsSecurity = security.contains(error.error)
        switch request {
        case .readRequest(let request) where wantsSecurity: readRefused.insert(request.handle)
        case .writeRequest(let request) where wantsSecurity: writeRefused.insert(request.handle)
        case .prepareWriteRequest(let request) where wantsSecurity: writeRefused.insert(request.handle)
        // There is no more: what was read is whole.
        case .readBlobRequest(let request): open.remove(request.handle)
        default: break
        }
    }

    private mutating func update(_ handle: AttributeHandle, _ value: [UInt8], at time: Int64) {
        let last = lastUpdate[handle] ?? subscribed[handle] ?? time
        lastUpdate[handle] = time
        guard updates[handle, default: []].count < Self.updateLimit else { return droppedUpdates += 1 }
        updates[handle, default: []].append(RecordedUpdate(after: max(0, time - last), value: value))
    }

    // MARK: Lists in PDUs

    private static func handle(_ octets: some RandomAccessCollection<UInt8>, _ place: Int) -> AttributeHandle {
        let start = octets.index(octets.startIndex, offsetBy: place)
        return AttributeHandle(rawValue: UInt16(octets[start]) | UInt16(octets[octets.index(after: start)]) << 8)
    }

    /// Whole entries of so many octets, of at least two.
    private static func entries(_ data: [UInt8], _ length: Int) -> [[UInt8]] {
        guard length >= 2 else { return [] }
        return stride(from: 0, through: data.count - length, by: length).map { Array(data[$0..<$0 + length]) }
    }

    /// Handle, length, value, one after the other. [Vol 3, Part F, 3.4.7.4]
    private func several(_ list: [UInt8], _ body: (AttributeHandle, [UInt8]) -> Void) {
        var rest = list[...]
        while rest.count >= 4 {
            let handle = Self.handle(rest, 0)
            let length = Int(Self.handle(rest, 2).rawValue)
            rest = rest.dropFirst(4)
            body(handle, Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
    }

    /// Length, value, one after the other. [Vol 3, Part F, 3.4.4.12]
    private func lengthsAndValues(_ list: [UInt8], _ body: ([UInt8]) -> Void) {
        var rest = list[...]
        while rest.count >= 2 {
            let length = Int(Self.handle(rest, 0).rawValue)
            rest = rest.dropFirst(2)
            body(Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
    }
}
