import BLEBackend
import BLEHost
import BLEWire

// The queue of operations of a link: one at a time, in order, the backend's own ones when there's nothing else.
// [contract 72]
extension BackendCore {
    mutating func enqueue(_ kind: ClientOperation.Kind, to peer: PeerID, in session: SessionID) {
        let operation = ClientOperation(kind, session: session)
        guard let handle = link(to: peer, in: session) else {
            // A race with the end of the link: the program is told of that. [contract 6, 47]
            trace(.debug, "api", "an operation on \(peer) came when it wasn't connected")
            return release(operation, on: peer)
        }
        if case .writeCommand(let attribute, let value, let hasPlace) = kind, mayPass(handle, value) {
            return sendWriteCommand(attribute, value, hasPlace: hasPlace, on: handle)
        }
        links.update(handle) { $0.waiting.append(operation) }
        runOperations(on: handle)
    }

    /// Whether a write without response can leave at once: nothing waits, and what runs lets it pass.
    private func mayPass(_ handle: ConnectionHandle, _ value: [UInt8]) -> Bool {
        guard let link = links[handle], link.waiting.isEmpty else { return false }
        guard let running = link.running else { return true }
        switch running.kind {
        // What is too long for the moment may not be when the exchange is done.
        case .policy(.exchangeMTU): return value.count <= link.mtu - 3
        case .write(_, let value) where value.count > link.mtu - 3: return false
        default: return running.letsCommandsPass
        }
    }

    /// Starts what comes next on the link, until something runs that the host has to ask the peer for.
    mutating func runOperations(on handle: ConnectionHandle) {
        while let link = links[handle], !link.isEnding {
            if let running = link.running {
                guard let outcome = link.remembered else { return }
                links.update(handle) { link in
                    link.running = nil
                    link.remembered = nil
                }
                proceed(running, .success(outcome), on: handle)
            } else if let next = link.waiting.first, !link.policy.goesBefore(next) {
                links.update(handle) { _ = $0.waiting.removeFirst() }
                start(next, on: handle)
            } else if let step = link.policy.steps.first, link.isClient {
                links.update(handle) { _ = $0.policy.steps.removeFirst() }
                start(ClientOperation(.policy(step), session: nil), on: handle)
            } else {
                return
            }
        }
    }

    private mutating func start(_ operation: ClientOperation, on handle: ConnectionHandle) {
        guard let link = links[handle] else { return }
        switch operation.kind {
        case .services(let filter):
            // One service is looked up; for several it's cheaper to get them all.
            run(.discoverServices(filter?.count == 1 ? filter?.first : nil), operation, on: handle)
        case .includedServices(let service, _):
            run(.discoverIncludedServices(service.handles), operation, on: handle)
        case .characteristics(let service, _): run(.discoverCharacteristics(service.handles), operation, on: handle)
        case .descriptors(let characteristic):
            guard let range = characteristic.descriptorRange else {
                return finish(operation, .success(.descriptors([])), on: handle)
            }
            run(.discoverDescriptors(range), operation, on: handle)
        case .read(let attribute): run(.readLong(attribute), operation, on: handle)
        case .write(let attribute, let value):
            if value.count <= link.mtu - 3 {
                run(.write(attribute, value), operation, on: handle)
            } else if value.count <= 512 {
                run(.writeLong(attribute, value), operation, on: handle)
            } else {
                // [Vol 3, Part F, 3.2.9]
                finish(operation, .failure(.att(.invalidAttributeValueLength)), on: handle)
            }
        case .writeCommand(let attribute, let value, let hasPlace):
            sendWriteCommand(attribute, value, hasPlace: hasPlace, on: handle)
        case .setNotify(let characteristic, let isOn): startNotify(characteristic, isOn, operation, on: handle)
        case .policy(let step): startPolicy(step, operation, on: handle)
        case .unsubscribe(let configuration): run(.write(configuration, [0, 0]), operation, on: handle)
        }
    }

    /// Hands a procedure of the operation to the host, unless it is known what it would find.
    mutating func run(_ procedure: GATTProcedure, _ operation: ClientOperation, on handle: ConnectionHandle) {
        var running = operation
        running.procedure = procedure
        if let outcome = links[handle]?.database?.outcome(of: procedure) {
            links.update(handle) { link in
                link.running = running
                link.remembered = outcome
            }
            return
        }
        let token = token()
        running.token = token
        procedures[token] = .operation(handle)
        links.update(handle) { $0.running = running }
        ask(.gatt(handle, token, procedure))
    }

    /// A procedure of the host has ended.
    mutating func completed(
        _ token: OperationToken, on handle: ConnectionHandle, _ result: Result<GATTOutcome, HostError>
    ) {
        switch procedures.removeValue(forKey: token) {
        case .writeCommand(let peer):
            if case .failure(let error) = result { trace(.debug, "gatt", "a write command was lost: \(error.text)") }
            change(.writeLeft(peer))
        case .operation:
            guard let operation = links[handle]?.running, operation.token == token else { return }
            links.update(handle) { $0.running = nil }
            if case .success(let outcome) = result, let procedure = operation.procedure {
                noteDatabase(outcome, of: procedure, on: handle)
            }
            proceed(operation, result, on: handle)
            runOperations(on: handle)
        case .addition, nil: break
        }
    }

    /// A procedure of an operation of several has ended: the next one, or the end.
    private mutating func proceed(
        _ operation: ClientOperation, _ result: Result<GATTOutcome, HostError>, on handle: ConnectionHandle
    ) {
        switch operation.kind {
        case .includedServices: proceedIncludes(operation, result, on: handle)
        case .setNotify(let characteristic, let isOn):
            proceedNotify(characteristic, isOn, operation, result, on: handle)
        case .policy(let step): finishPolicy(step, result, on: handle)
        case .unsubscribe:
            if case .failure(let error) = result { trace(.debug, "gatt", "unsubscribing failed: \(error.text)") }
        default: finish(operation, result, on: handle)
        }
    }

    /// An operation that is never started gives its place back.
    mutating func release(_ operation: ClientOperation, on peer: PeerID) {
        if case .writeCommand(_, _, hasPlace: true) = operation.kind { change(.writeLeft(peer)) }
    }
}

extension RemoteCharacteristic {
    /// Handles behind the value; nil where there are none.
    var descriptorRange: ClosedRange<AttributeHandle>? {
        guard value < end else { return nil }
        return AttributeHandle(rawValue: value.rawValue + 1)...end
    }
}
