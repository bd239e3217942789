import BLEBackend
import BLEWire

// Services that programs publish. [contract 86-94]
extension BlueZMachine {
    mutating func add(_ service: LocalService, in session: SessionID) {
        guard isReady(session, .peripheral, "add") else { return }
        if let cause = refusal(of: service, in: session) {
            return emit(.serviceAdded(service.id, BackendError(cause)), to: session)
        }
        published.insert(service, session)
        // Services that it includes must be in its application.
        var members: [LocalAttributeID] = []
        for id in service.includes {
            guard let application = published.application(of: id) else { continue }
            members += published.applications[application]?.services ?? []
            unregister(application)
        }
        register(members + [service.id])
    }

    private func refusal(of service: LocalService, in session: SessionID) -> BackendError.Cause? {
        if service.isReserved { return .uuidNotAllowed }
        if published.services[service.id] != nil { return .invalidParameters }
        // Included services come first, of the same session. [contract 89]
        let hasIncludes = service.includes.allSatisfy { published.services[$0]?.session == session }
        return hasIncludes ? nil : .invalidParameters
    }

    private mutating func register(_ services: [LocalAttributeID]) {
        guard let adapter, !services.isEmpty else { return }
        let number = number()
        published.applications[number] = PublishedServices.Application(services: services)
        call(
            adapter, BlueZName.gattManager, "RegisterApplication",
            [.path(PublishedServices.path(application: number)), .properties([:])], then: .application(number))
    }

    private mutating func unregister(_ application: UInt64) {
        published.applications[application] = nil
        guard let adapter else { return }
        let path = PublishedServices.path(application: application)
        call(adapter, BlueZName.gattManager, "UnregisterApplication", [.path(path)], then: .ignored)
    }

    mutating func applicationAnswered(_ number: UInt64, _ result: Result<[DBusValue], DBusFailure>) {
        guard let application = published.applications[number] else { return }
        let untold = application.services.filter { published.services[$0]?.isTold == false }
        switch result {
        case .success:
            published.applications.update(number) { $0.isRegistered = true }
            for id in untold {
                guard let session = published.services[id]?.session else { continue }
                published.told(id)
                emit(.serviceAdded(id, nil), to: session)
            }
        case .failure(let failure):
            trace(.warning, "BlueZ doesn't take a service: \(failure)")
            published.applications[number] = nil
            for id in untold {
                guard let session = published.services[id]?.session else { continue }
                published.remove(id)
                emit(.serviceAdded(id, BackendError(local: failure)), to: session)
            }
            register(application.services.filter { published.services[$0] != nil })
        }
    }

    mutating func remove(_ id: LocalAttributeID, in session: SessionID) {
        guard let service = published.services[id], service.session == session else { return }
        let application = published.application(of: id)
        let others = application.flatMap { published.applications[$0]?.services }?.filter { $0 != id } ?? []
        if let application { unregister(application) }
        withdraw(service.service)
        published.remove(id)
        register(others)
    }

    mutating func removeAllServices(in session: SessionID) {
        let own = published.services.filter { $0.value.session == session }.map(\.value.service)
        for application in published.applications.keys {
            let services = published.applications[application]?.services ?? []
            // An application is of one session only.
            if services.contains(where: { published.services[$0]?.session == session }) { unregister(application) }
        }
        for service in own {
            withdraw(service)
            published.remove(service.id)
        }
    }

    /// Below powered off the database is empty. [contract 13]
    mutating func clearDatabase() {
        for service in published.services.values { withdraw(service.service) }
        published.removeAll()
    }

    private mutating func withdraw(_ service: LocalService) {
        for characteristic in service.characteristics {
            for socket in subscriptions[characteristic.id]?.sockets ?? [] { ask(.closeSocket(socket.number)) }
            subscriptions[characteristic.id] = nil
            change(.subscribers(characteristic.id, []))
        }
    }

    // MARK: - What BlueZ asks of our objects

    mutating func received(_ call: IncomingCall) {
        guard let owner, call.sender == owner else {
            return answer(call, .failure(DBusFailure(DBusName.bus + ".Error.AccessDenied", "only BlueZ may ask")))
        }
        switch call.interface {
        case BlueZName.agent: agentCalled(call)
        case BlueZName.advertisement: advertisementCalled(call)
        case BlueZName.gattCharacteristic: characteristicCalled(call)
        case BlueZName.gattDescriptor: descriptorCalled(call)
        case DBusName.objectManager: objectsAsked(call)
        case DBusName.properties: propertiesAsked(call)
        default: answer(call, .unknownMethod(call))
        }
    }

    private mutating func objectsAsked(_ call: IncomingCall) {
        let prefix = PublishedServices.root + "/app"
        guard call.path.hasPrefix(prefix), let number = UInt64(call.path.dropFirst(prefix.count)),
            published.applications[number] != nil
        else { return answer(call, .unknownMethod(call)) }
        let objects = published.objects(of: number).map { object in
            DBusValue.Entry(
                .path(object.path),
                .dictionary(
                    key: "s", value: "a{sv}", [DBusValue.Entry(.string(object.interface), object.properties)]))
        }
        answer(call, .success([.dictionary(key: "o", value: "a{sa{sv}}", objects)]))
    }

    private mutating func propertiesAsked(_ call: IncomingCall) {
        let object =
            published.object(at: call.path)
            ?? advertisementProperties(at: call.path).map { (BlueZName.advertisement, $0) }
        guard let (interface, properties) = object, call.arguments.first?.text == interface else {
            return answer(call, .unknownMethod(call))
        }
        switch call.member {
        case "GetAll": answer(call, .success([properties]))
        case "Get":
            guard let value = call.arguments.last?.text.flatMap({ properties.properties?[$0] }) else {
                return answer(
                    call, .failure(DBusFailure(DBusName.bus + ".Error.UnknownProperty", "there is none of that name")))
            }
            answer(call, .success([.variant(value)]))
        default: answer(call, .unknownMethod(call))
        }
    }

    private mutating func descriptorCalled(_ call: IncomingCall) {
        guard call.member == "ReadValue",
            let descriptor = PublishedServices.identifier("d", at: call.path).flatMap(published.descriptor)
        else { return answer(call, .unknownMethod(call)) }
        answer(call, .cut(descriptor.value, at: call.arguments.last?.properties?["offset"]?.number ?? 0))
    }
}

extension Result where Success == [DBusValue], Failure == DBusFailure {
    static func unknownMethod(_ call: IncomingCall) -> Self {
        .failure(DBusFailure(DBusName.bus + ".Error.UnknownMethod", "\(call.path) has no \(call.member)"))
    }

    /// What of a value lies behind an offset. [contract 97]
    static func cut(_ value: [UInt8], at offset: Int) -> Self {
        guard (0...value.count).contains(offset) else {
            return .failure(DBusFailure(BlueZName.error("InvalidOffset"), "the value has \(value.count) octets"))
        }
        return .success([.bytes(Array(value.dropFirst(offset)))])
    }
}
