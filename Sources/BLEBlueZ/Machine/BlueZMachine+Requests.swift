import BLEBackend
import BLEWire

/// Requests of centrals that programs haven't answered.
struct BlueZRequests {
    struct Request {
        let call: IncomingCall.Number
        let session: SessionID
        let isRead: Bool
    }
    private(set) var requests: SortedTable<RequestID, Request> = .init()
    private var nextID: UInt64 = 1

    /// - Parameter call: nil where nobody waits for the answer.
    mutating func insert(_ call: IncomingCall.Number?, of session: SessionID, isRead: Bool) -> RequestID {
        defer { nextID += 1 }
        let id = RequestID(rawValue: nextID)
        if let call { requests[id] = Request(call: call, session: session, isRead: isRead) }
        return id
    }

    mutating func take(_ id: RequestID) -> Request? { requests.removeValue(forKey: id) }
    func unanswered(by session: SessionID) -> [RequestID] {
        requests.filter { $0.value.session == session }.map(\.key)
    }
    mutating func removeAll() { requests.removeAll() }
}

// Requests of centrals for programs. [contract 97-101]
extension BlueZMachine {
    mutating func characteristicCalled(_ call: IncomingCall) {
        guard
            let found = PublishedServices.identifier("c", at: call.path).flatMap(published.characteristic)
        else { return answer(call, .unknownMethod(call)) }
        let options = call.arguments.last?.properties ?? [:]
        noteMTU(options)
        switch call.member {
        case "ReadValue": readRequested(found, options, call)
        case "WriteValue": writeRequested(found, options, call)
        case "AcquireNotify" where found.characteristic.isNotifiedBySocket: acquireNotify(found, options, call)
        case "StartNotify": startNotify(found, call)
        case "StopNotify": stopNotify(found, call)
        case "Confirm": confirmed(found.characteristic.id, call)
        default: answer(call, .unknownMethod(call))
        }
    }

    private mutating func readRequested(
        _ found: PublishedServices.Characteristic, _ options: DBusProperties, _ call: IncomingCall
    ) {
        let offset = options["offset"]?.number ?? 0
        if let value = found.characteristic.value { return answer(call, .cut(value, at: offset)) }
        guard let central = central(options) else { return answer(call, .unlikely) }
        let id = requests.insert(call.number, of: found.session, isRead: true)
        emit(.readRequest(id, central: central, found.characteristic.id, offset: offset), to: found.session)
    }

    private mutating func writeRequested(
        _ found: PublishedServices.Characteristic, _ options: DBusProperties, _ call: IncomingCall
    ) {
        // Only whether the write would be allowed is asked; it comes when the queue is executed.
        if options["prepare-authorize"]?.flag == true { return answer(call, .success([])) }
        let isCommand = options["type"]?.text == "command"
        guard found.characteristic.offers(command: isCommand) else {
            return answer(call, .failure(DBusFailure(BlueZName.error("NotPermitted"), "Write not permitted")))
        }
        guard let central = central(options), let value = call.arguments.first?.octets else {
            return answer(call, .unlikely)
        }
        if isCommand { answer(call, .success([])) }
        let id = requests.insert(isCommand ? nil : call.number, of: found.session, isRead: false)
        let write = BackendEvent.WriteRequest(
            characteristic: found.characteristic.id, offset: options["offset"]?.number ?? 0, value: value,
            isCommand: isCommand)
        emit(.writeRequests(id, central: central, [write]), to: found.session)
    }

    /// A program's answer; one for a command, or a second one, is dropped. [contract 97, 99]
    mutating func respond(_ id: RequestID, _ code: ATTErrorCode, value: [UInt8]?) {
        guard let request = requests.take(id) else { return }
        guard code == .success else { return ask(.answer(request.call, .failure(failure(for: code, request)))) }
        ask(.answer(request.call, .success(request.isRead ? [.bytes(value ?? [])] : [])))
    }

    /// BlueZ takes a few errors by name, and those of applications by number. [BlueZ, gatt-api]
    private mutating func failure(for code: ATTErrorCode, _ request: BlueZRequests.Request) -> DBusFailure {
        func named(_ name: String) -> DBusFailure { DBusFailure(BlueZName.error(name), "\(code)") }
        switch code {
        case .readNotPermitted where request.isRead: return named("NotPermitted")
        case .writeNotPermitted where !request.isRead: return named("NotPermitted")
        case .requestNotSupported: return named("NotSupported")
        case .insufficientAuthorization: return named("NotAuthorized")
        case .invalidAttributeValueLength: return named("InvalidValueLength")
        case .invalidOffset: return named("InvalidOffset")
        case .procedureAlreadyInProgress: return named("InProgress")
        // Read by BlueZ as a number.
        case _ where (0x80...0x9F).contains(code.rawValue):
            return DBusFailure(BlueZName.error("Failed"), Hex.prefixed(code.rawValue))
        default:
            if code != .unlikelyError {
                traceOnce(
                    .notice, "BlueZ can't answer a central with ATT error \(Hex.prefixed(code.rawValue)): it gets 0x0E")
            }
            return DBusFailure(BlueZName.error("Unlikely"), "\(code)")
        }
    }

    /// The session is gone: its requests are refused, so that centrals don't wait. [contract 100]
    mutating func refuseRequests(of session: SessionID) {
        for id in requests.unanswered(by: session) { respond(id, .unlikelyError, value: nil) }
    }

    /// BlueZ or its adapter is gone: nobody waits, and nobody is subscribed. [contract 95]
    mutating func endRequests() {
        requests.removeAll()
        for characteristic in subscriptions.keys { endSubscription(characteristic) }
        change(.updatesDropped)
    }

    // MARK: - Centrals

    /// The options of a call tell whom it is from. [BlueZ, gatt-api]
    private func central(_ options: DBusProperties) -> CentralInfo? {
        options["device"]?.text.flatMap(peer(at:)).map(central)
    }

    func central(_ peer: PeerID) -> CentralInfo {
        CentralInfo(id: peer, maximumUpdateValueLength: ValueLength.maximum(attMTU: centralMTUs[peer] ?? 23))
    }

    private mutating func noteMTU(_ options: DBusProperties) {
        guard let peer = options["device"]?.text.flatMap(peer(at:)), let mtu = options["mtu"]?.number, mtu >= 23
        else { return }
        guard centralMTUs[peer] != mtu else { return }
        centralMTUs[peer] = mtu
        change(.mtu(peer, mtu))
    }

    // MARK: - Subscriptions

    private mutating func acquireNotify(
        _ found: PublishedServices.Characteristic, _ options: DBusProperties, _ call: IncomingCall
    ) {
        guard let peer = options["device"]?.text.flatMap(peer(at:)) else { return answer(call, .unlikely) }
        let socket = SocketNumber(rawValue: number() * 2)
        ask(.openSocket(socket))
        answer(call, .success([.socket(socket), .uint16(UInt16(clamping: options["mtu"]?.number ?? 23))]))
        let id = found.characteristic.id
        var subscription = subscriptions[id] ?? CentralSubscription()
        subscription.sockets.append(.init(number: socket, peer: peer))
        subscriptions[id] = subscription
        subscribe([peer], to: id, of: found.session)
    }

    /// BlueZ doesn't say for whom: it counts for every central that is connected.
    private mutating func startNotify(_ found: PublishedServices.Characteristic, _ call: IncomingCall) {
        answer(call, .success([]))
        let id = found.characteristic.id
        var subscription = subscriptions[id] ?? CentralSubscription()
        subscription.isByProperty = true
        subscriptions[id] = subscription
        let others = connectedCentrals
        if others.isEmpty { trace(.warning, "a central that BlueZ doesn't name has subscribed") }
        if others.count > 1 {
            traceOnce(
                .notice, "BlueZ doesn't tell which of several centrals has subscribed: all of them count as subscribed")
        }
        subscribe(others, to: id, of: found.session)
    }

    /// Devices that are connected, and not by our wish.
    private var connectedCentrals: [PeerID] {
        guard let adapter else { return [] }
        let connected = objects.paths(with: BlueZName.device, below: adapter).filter {
            objects[$0, BlueZName.device]?["Connected"]?.flag == true
        }.compactMap(peer(at:))
        let foreign = connected.filter { links[$0]?.isOurs != true }
        return foreign.isEmpty ? connected : foreign
    }

    private mutating func subscribe(_ peers: [PeerID], to id: LocalAttributeID, of session: SessionID) {
        for peer in peers where subscriptions[id]?.peers.contains(peer) == false {
            subscriptions.update(id) { $0.peers.append(peer) }
            emit(.subscribed(central: central(peer), id), to: session)
        }
        change(.subscribers(id, subscriptions[id]?.peers ?? []))
    }

    private mutating func stopNotify(_ found: PublishedServices.Characteristic, _ call: IncomingCall) {
        answer(call, .success([]))
        endSubscription(found.characteristic.id)
    }

    /// A characteristic has no subscribers any more.
    private mutating func endSubscription(_ id: LocalAttributeID) {
        guard let subscription = subscriptions[id] else { return }
        for socket in subscription.sockets { ask(.closeSocket(socket.number)) }
        dropIndications(of: id)
        unsubscribe(subscription.peers, from: id)
        subscriptions[id] = nil
    }

    mutating func unsubscribe(_ peers: [PeerID], from id: LocalAttributeID) {
        guard let session = published.characteristic(id)?.session else { return }
        for peer in peers where subscriptions[id]?.peers.contains(peer) == true {
            subscriptions.update(id) { $0.peers.removeAll { $0 == peer } }
            emit(.unsubscribed(central: central(peer), id), to: session)
        }
        change(.subscribers(id, subscriptions[id]?.peers ?? []))
    }

    /// A central that goes away subscribes to nothing any more. [contract 95]
    mutating func centralWent(_ peer: PeerID) {
        for id in subscriptions.keys {
            for socket in subscriptions[id]?.sockets.filter({ $0.peer == peer }) ?? [] {
                ask(.closeSocket(socket.number))
            }
            subscriptions.update(id) { $0.sockets.removeAll { $0.peer == peer } }
            unsubscribe([peer], from: id)
        }
        if centralMTUs.removeValue(forKey: peer) != nil { change(.mtu(peer, 23)) }
    }
}

extension Result where Success == [DBusValue], Failure == DBusFailure {
    fileprivate static var unlikely: Self {
        .failure(DBusFailure(BlueZName.error("Unlikely"), "the call doesn't say for which device it is"))
    }
}
