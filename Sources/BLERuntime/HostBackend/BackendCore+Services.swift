import BLEBackend
import BLEHost
import BLEWire

// Services that programs publish. [contract 86-94]
extension BackendCore {
    mutating func add(_ service: LocalService, in session: SessionID) {
        guard isReady(session, .peripheral, "add") else { return }
        if let cause = refusal(of: service, in: session) {
            return emit(.serviceAdded(service.id, BackendError(cause)), to: session)
        }
        let includes = service.includes.compactMap { published.services[$0]?.handles.lowerBound }
        let token = token()
        procedures[token] = .addition(session)
        published.additions[token.rawValue] = .init(service: service, session: session)
        ask(.addService(token, GATTServiceDefinition(service, includes: includes)))
    }

    private func refusal(of service: LocalService, in session: SessionID) -> BackendError.Cause? {
        if service.isReserved { return .uuidNotAllowed }
        if published.knows(service.id) { return .invalidParameters }
        // Included services come first, of the same session. [contract 89]
        let hasIncludes = service.includes.allSatisfy { published.services[$0]?.session == session }
        return hasIncludes ? nil : .invalidParameters
    }

    mutating func serviceAdded(_ token: OperationToken, _ result: Result<GATTServiceLayout, HostError>) {
        procedures[token] = nil
        guard let addition = published.additions.removeValue(forKey: token.rawValue) else { return }
        switch result {
        case .success(let layout) where addition.isRemoved: ask(.removeService(layout.handles.lowerBound))
        case .success(let layout):
            published.insert(addition, layout)
            emit(.serviceAdded(addition.service.id, nil), to: addition.session)
        case .failure(let error):
            emit(.serviceAdded(addition.service.id, BackendError(local: error)), to: addition.session)
        }
    }

    mutating func remove(_ id: LocalAttributeID, in session: SessionID) {
        for key in published.additions.keys {
            published.additions.update(key) { if $0.service.id == id { $0.isRemoved = true } }
        }
        guard let service = published.services[id], service.session == session else { return }
        withdraw(service)
        ask(.removeService(service.handles.lowerBound))
    }

    mutating func removeAllServices(in session: SessionID) {
        for key in published.additions.keys {
            published.additions.update(key) { if $0.session == session { $0.isRemoved = true } }
        }
        // Services that include others go before those. [contract 89]
        let own = published.services.values.filter { $0.session == session }
        for service in own.sorted(by: { $0.handles.lowerBound > $1.handles.lowerBound }) {
            remove(service.id, in: session)
        }
    }

    /// Below powered off the database is empty. [contract 13]
    mutating func clearDatabase() {
        for session in sessions.keys { removeAllServices(in: session) }
        for psm in channels.published.keys { ask(.stopListening(spsm: psm)) }
        channels.published.removeAll()
    }

    private mutating func withdraw(_ service: PublishedDatabase.Service) {
        for characteristic in published.remove(service.id) {
            for link in links.keys { links.update(link) { $0.subscribed[characteristic.handle] = nil } }
            change(.subscribers(characteristic.id, []))
        }
    }
}
