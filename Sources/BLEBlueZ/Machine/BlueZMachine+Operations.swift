import BLEBackend
import BLEWire

// What sessions ask of a peer: one thing after another, in the order asked, since BlueZ refuses a second read or write of
// the same attribute. [contract 58-63, 69-78]
extension BlueZMachine {
    /// How often what another program is in the midst of is waited for.
    private static let operationCollisions = 10

    mutating func enqueue(_ kind: BlueZOperation.Kind, to peer: PeerID, in session: SessionID) {
        let operation = BlueZOperation(session: session, kind: kind)
        guard let link = links[peer], !link.isEnding, link.users.contains(session) else {
            return release(operation, of: peer)
        }
        links.update(peer) { $0.waiting.append(operation) }
        runOperations(on: peer)
    }

    mutating func runOperations(on peer: PeerID) {
        while let link = links[peer], link.isReady, link.running == nil, let next = link.waiting.first {
            links.update(peer) { link in
                link.waiting.removeFirst()
                link.running = next
            }
            start(next, on: link)
        }
    }

    mutating func start(_ operation: BlueZOperation, on link: BlueZLink) {
        switch operation.kind {
        case .services(let filter):
            let found = objects.services(of: link.path).map(\.attribute).filter { $0.isPrimary }
            finish(link.peer, .success(.services(found.filter { filter?.contains($0.uuid) ?? true })))
        case .includedServices(let service, let filter):
            guard let object = object(of: service, on: link) else { return finish(link.peer, .gone) }
            let found = objects.includedServices(of: object.path, on: link.path)
            finish(link.peer, .success(.services(found.filter { filter?.contains($0.uuid) ?? true })))
        case .characteristics(let service, let filter):
            guard let object = object(of: service, on: link) else { return finish(link.peer, .gone) }
            let found = objects.characteristics(of: object).map(\.attribute)
            finish(link.peer, .success(.characteristics(found.filter { filter?.contains($0.uuid) ?? true })))
        case .descriptors(let characteristic):
            guard let object = objects.attribute(characteristic.value, on: link.path) else {
                return finish(link.peer, .gone)
            }
            finish(link.peer, .success(.descriptors(objects.descriptors(of: object.path).map(\.attribute))))
        case .read(let handle): access(handle, "ReadValue", [.properties([:])], on: link)
        case .write(let handle, let value):
            let options: DBusValue = .properties(["type": .string("request")])
            access(handle, "WriteValue", [.bytes(value), options], on: link)
        case .writeCommand(let handle, let value, let hasPlace): send(value, to: handle, hasPlace: hasPlace, on: link)
        case .setNotify(let characteristic, let isOn): setNotify(characteristic, isOn, operation.session, on: link)
        }
    }

    private func object(of service: RemoteService, on link: BlueZLink) -> RemoteObject<RemoteService>? {
        objects.services(of: link.path).first { $0.attribute.handles.lowerBound == service.handles.lowerBound }
    }

    private mutating func access(
        _ handle: AttributeHandle, _ member: String, _ arguments: [DBusValue], on link: BlueZLink
    ) {
        guard let object = objects.attribute(handle, on: link.path) else { return finish(link.peer, .gone) }
        // ATT gives up after 30 s by itself; pairing in between may need a person.
        callOperation(object.path, object.interface, member, arguments, on: link)
    }

    /// Makes the call of the operation that runs.
    mutating func callOperation(
        _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue] = [], on link: BlueZLink
    ) {
        let attempt = number()
        links.update(link.peer) { $0.running?.attempt = attempt }
        call(
            path, interface, member, arguments, then: .operation(link.peer, link: link.number, try: attempt),
            patience: .seconds(90))
    }

    /// A write without response doesn't hold up what comes after it.
    private mutating func send(_ value: [UInt8], to handle: AttributeHandle, hasPlace: Bool, on link: BlueZLink) {
        links.update(link.peer) { $0.running = nil }
        guard let object = objects.attribute(handle, on: link.path) else {
            if hasPlace { writeLeft(link.peer) }
            return trace(.debug, "a write without response to \(handle) is dropped: there is no such attribute")
        }
        call(
            object.path, object.interface, "WriteValue",
            [.bytes(value), .properties(["type": .string("command")])],
            then: .command(link.peer, link: link.number, hasPlace: hasPlace))
    }

    mutating func commandAnswered(
        _ peer: PeerID, _ number: UInt64, hasPlace: Bool, _ result: Result<[DBusValue], DBusFailure>
    ) {
        guard links[peer]?.number == number else { return }
        if case .failure(let failure) = result {
            // Nobody is told, as nobody is of one that is lost. [contract 73, 78]
            trace(.warning, "a write without response wasn't sent: \(failure)")
        }
        if hasPlace { writeLeft(peer) }
    }

    private mutating func writeLeft(_ peer: PeerID) { change(.writeLeft(peer)) }

    /// An operation that never ran gives its place back.
    mutating func release(_ operation: BlueZOperation, of peer: PeerID) {
        if case .writeCommand(_, _, hasPlace: true) = operation.kind { writeLeft(peer) }
    }

    // MARK: - Answers

    mutating func operationAnswered(
        _ peer: PeerID, _ number: UInt64, _ attempt: UInt64, _ result: Result<[DBusValue], DBusFailure>
    ) {
        guard let link = links[peer], link.number == number, let operation = link.running, operation.attempt == attempt
        else { return }
        switch result {
        case .success(let values): finish(peer, .success(outcome(of: operation, values)))
        case .failure(let failure):
            if failure.isInProgress, operation.collisions < Self.operationCollisions {
                return repeatLater(peer, operation.collisions)
            }
            if failure.bluez == "NotPermitted", failure.message == "Not paired", !operation.hasPaired {
                return pair(peer, link)
            }
            adviseOnStaleServices(failure, link)
            finish(peer, .failure(BackendError(operation: failure, isWrite: operation.isWrite)))
        }
    }

    private func outcome(of operation: BlueZOperation, _ values: [DBusValue]) -> BlueZOutcome {
        if case .read = operation.kind { return .value(values.first?.octets ?? []) }
        return .done
    }

    /// BlueZ is busy with the attribute for another program.
    private mutating func repeatLater(_ peer: PeerID, _ collisions: Int) {
        links.update(peer) { $0.running?.collisions += 1 }
        timers.set(.operation(peer), at: now + Delay.milliseconds(50) * Int64(1 << min(collisions, 5)))
    }

    mutating func repeatOperation(on peer: PeerID) {
        guard let link = links[peer], let operation = link.running else { return }
        start(operation, on: link)
    }

    /// BlueZ keeps what it found on a device; where that has changed without saying so, its handles mean something else.
    private mutating func adviseOnStaleServices(_ failure: DBusFailure, _ link: BlueZLink) {
        guard failure.attError == .invalidHandle || failure.attError == .databaseOutOfSync else { return }
        let address = objects[link.path, BlueZName.device]?["Address"]?.text ?? ""
        trace(
            .warning,
            "the services that BlueZ remembers of \(link.peer) aren't the device's any more; `bluetoothctl remove \(address)` "
                + "makes it look again (and forgets a bond)")
    }

    /// Ends the operation that runs, and goes on with the next one.
    mutating func finish(_ peer: PeerID, _ result: Result<BlueZOutcome, BackendError>) {
        guard let operation = links[peer]?.running else { return }
        links.update(peer) { $0.running = nil }
        timers.cancel(.operation(peer))
        settleHeldValues(peer, after: operation, result)
        runOperations(on: peer)
    }

    /// Tells the session what came of its operation.
    mutating func tell(_ operation: BlueZOperation, _ result: Result<BlueZOutcome, BackendError>, of peer: PeerID) {
        guard !operation.isAbandoned else { return }
        if let event = BackendEvent(operation, result, of: peer) { emit(event, to: operation.session) }
    }

    // MARK: - What BlueZ can't do

    mutating func readRSSI(of peer: PeerID, in session: SessionID) {
        guard links[peer]?.users.contains(session) == true else { return }
        let error = BackendError(
            .operationNotSupported, underlying: "BlueZ tells the RSSI of advertisements only, not of a connection")
        traceOnce(.notice, error.underlying ?? "")
        emit(.rssi(peer, .failure(error)), to: session)
    }
}

/// What an operation came to.
enum BlueZOutcome: Equatable {
    case services([RemoteService])
    case characteristics([RemoteCharacteristic])
    case descriptors([RemoteDescriptor])
    case value([UInt8])
    case done
}

extension Result where Success == BlueZOutcome, Failure == BackendError {
    /// BlueZ doesn't have the attribute any more.
    static var gone: Self {
        .failure(BackendError(.att(.invalidHandle), underlying: "BlueZ: the device has no such attribute now"))
    }
}

extension BlueZOperation {
    var isWrite: Bool {
        if case .write = kind { true } else { false }
    }
}

extension BackendEvent {
    /// The answer to an operation; nil where none is told.
    fileprivate init?(_ operation: BlueZOperation, _ result: Result<BlueZOutcome, BackendError>, of peer: PeerID) {
        func list<Element>(_ of: (BlueZOutcome) -> [Element]) -> Result<[Element], BackendError> { result.map(of) }
        switch operation.kind {
        case .services: self = .servicesDiscovered(peer, list(\.services))
        case .includedServices(let service, _):
            self = .includedServicesDiscovered(peer, of: service, list(\.services))
        case .characteristics(let service, _):
            self = .characteristicsDiscovered(peer, of: service, list(\.characteristics))
        case .descriptors(let characteristic):
            self = .descriptorsDiscovered(peer, of: characteristic, list(\.descriptors))
        case .read(let handle): self = .valueRead(peer, handle, list(\.octets))
        case .write(let handle, _):
            if case .failure(let error) = result {
                self = .written(peer, handle, error)
            } else {
                self = .written(peer, handle, nil)
            }
        case .setNotify(let characteristic, let isOn):
            self = .notifyStateChanged(peer, characteristic, result.map { _ in isOn })
        case .writeCommand: return nil
        }
    }
}

extension BlueZOutcome {
    fileprivate var services: [RemoteService] {
        if case .services(let list) = self { list } else { [] }
    }
    fileprivate var characteristics: [RemoteCharacteristic] {
        if case .characteristics(let list) = self { list } else { [] }
    }
    fileprivate var descriptors: [RemoteDescriptor] {
        if case .descriptors(let list) = self { list } else { [] }
    }
    fileprivate var octets: [UInt8] {
        if case .value(let octets) = self { octets } else { [] }
    }
}
