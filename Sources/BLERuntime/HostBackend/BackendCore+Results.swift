import BLEBackend
import BLEHost
import BLEWire

// What operations bring, in the facade's terms.
extension BackendCore {
    /// Tells the session how its operation ended.
    mutating func finish(
        _ operation: ClientOperation, _ result: Result<GATTOutcome, HostError>, on handle: ConnectionHandle
    ) {
        guard let session = operation.session, let peer = links[handle]?.peer else { return }
        let result = result.mapError { BackendError(operation: $0) }
        let event: BackendEvent
        switch operation.kind {
        case .services(let filter):
            event = .servicesDiscovered(peer, result.map { found($0, filter, on: handle) })
        case .includedServices(let service, let filter):
            let services = operation.resolved.filter { filter.admits($0.uuid) }
            event = .includedServicesDiscovered(peer, of: service, result.map { _ in services })
        case .characteristics(let service, let filter):
            event = .characteristicsDiscovered(
                peer, of: service,
                result.map { $0.characteristics(until: service.handles.upperBound).filter { filter.admits($0.uuid) } })
        case .descriptors(let characteristic):
            let descriptors = result.map(\.remoteDescriptors)
            if case .success(let list) = descriptors { noteConfiguration(in: list, of: characteristic, on: handle) }
            event = .descriptorsDiscovered(peer, of: characteristic, descriptors)
        case .read(let attribute):
            let value = result.map(\.octets)
            if case .success(let name) = value, links[handle]?.policy.deviceName == attribute {
                setDeviceName(name, of: handle)
            }
            event = .valueRead(peer, attribute, value)
        case .write(let attribute, _): event = .written(peer, attribute, result.failure)
        case .setNotify(let characteristic, let isOn):
            event = .notifyStateChanged(peer, characteristic, result.map { _ in isOn })
        case .writeCommand, .policy, .unsubscribe: return
        }
        if !operation.isAbandoned { emit(event, to: session) }
    }

    /// Services that were found. The peer's GAP and GATT services are the system's and not shown, asked for or not.
    /// [contract 58, 65]
    private mutating func found(
        _ outcome: GATTOutcome, _ filter: [BluetoothUUID]?, on handle: ConnectionHandle
    ) -> [RemoteService] {
        guard case .services(let list) = outcome else { return [] }
        let services = list.map { RemoteService(uuid: $0.uuid, isPrimary: true, handles: $0.handles) }
        links.update(handle) { link in
            for service in services { link.services[service.handles.lowerBound] = service }
        }
        shareServices(of: handle)
        return services.filter { !$0.isSystems && filter.admits($0.uuid) }
    }

    /// Publishes what services the peer is known to have. [contract 41]
    mutating func shareServices(of handle: ConnectionHandle) {
        guard let link = links[handle] else { return }
        var uuids = link.services.values.map(\.uuid)
        for uuid in advertisers[link.address]?.merged.services ?? [] where !uuids.contains(uuid) { uuids.append(uuid) }
        change(.services(link.peer, uuids))
    }

    // MARK: - Included services

    /// An include declaration doesn't say whether the service is primary; where that isn't known from a discovery before,
    /// the type of its declaration tells. [Vol 3, Part G, 3.2] [contract 62]
    mutating func proceedIncludes(
        _ operation: ClientOperation, _ result: Result<GATTOutcome, HostError>, on handle: ConnectionHandle
    ) {
        var operation = operation
        switch result {
        case .success(.includedServices(let list)): operation.unresolved = list
        case .success(.descriptors(let types)):
            let include = operation.unresolved.removeFirst()
            let type = types.first { $0.handle == include.service.handles.lowerBound }
            operation.resolve(include, isPrimary: type?.uuid != .secondaryService, &links, handle)
        case .success: return finish(operation, result, on: handle)
        case .failure(.att(.attributeNotFound)) where !operation.unresolved.isEmpty:
            let include = operation.unresolved.removeFirst()
            operation.resolve(include, isPrimary: true, &links, handle)
        case .failure: return finish(operation, result, on: handle)
        }
        while let next = operation.unresolved.first {
            let declaration = next.service.handles.lowerBound
            guard let known = links[handle]?.services[declaration], known.handles == next.service.handles else {
                return run(.discoverDescriptors(declaration...declaration), operation, on: handle)
            }
            operation.unresolved.removeFirst()
            operation.resolved.append(known)
        }
        finish(operation, .success(.done), on: handle)
    }
}

extension ClientOperation {
    fileprivate mutating func resolve(
        _ include: GATTIncludedService, isPrimary: Bool, _ links: inout SortedTable<ConnectionHandle, Link>,
        _ handle: ConnectionHandle
    ) {
        let service = RemoteService(
            uuid: include.service.uuid, isPrimary: isPrimary, handles: include.service.handles)
        resolved.append(service)
        links.update(handle) { $0.services[service.handles.lowerBound] = service }
    }
}

extension RemoteService {
    /// GAP and GATT service. [contract 65]
    fileprivate var isSystems: Bool { uuid == .gapService || uuid == .gattService }
}

extension BluetoothUUID {
    static let gapService: BluetoothUUID = 0x1800
    static let gattService: BluetoothUUID = 0x1801
    static let secondaryService: BluetoothUUID = 0x2801
    static let clientConfiguration: BluetoothUUID = 0x2902
    static let databaseHash: BluetoothUUID = 0x2B2A
    static let deviceName: BluetoothUUID = 0x2A00
    static let serviceChanged: BluetoothUUID = 0x2A05
}

extension [BluetoothUUID]? {
    fileprivate func admits(_ uuid: BluetoothUUID) -> Bool { self?.contains(uuid) ?? true }
}

extension Result where Failure == BackendError {
    fileprivate var failure: BackendError? {
        if case .failure(let error) = self { error } else { nil }
    }
}

extension GATTOutcome {
    var octets: [UInt8] {
        if case .value(let value) = self { value } else { [] }
    }

    fileprivate var remoteDescriptors: [RemoteDescriptor] {
        guard case .descriptors(let list) = self else { return [] }
        return list.map { RemoteDescriptor(uuid: $0.uuid, handle: $0.handle) }
    }

    /// Characteristics, each up to the next one's declaration or the end of the service. [Vol 3, Part G, 3.3]
    fileprivate func characteristics(until end: AttributeHandle) -> [RemoteCharacteristic] {
        guard case .characteristics(let list) = self else { return [] }
        return list.indices.map { index in
            let this = list[index]
            let next = index + 1 < list.count ? list[index + 1].declaration.rawValue : nil
            let last = next.map { AttributeHandle(rawValue: $0 &- 1) } ?? end
            return RemoteCharacteristic(
                uuid: this.uuid, properties: this.properties, declaration: this.declaration, value: this.value,
                end: max(last, this.value))
        }
    }
}
