import BLEBackend
import BLEHost
import BLEWire

// What the backend does on a link for itself: see `LinkPolicySteps`.
extension BackendCore {
    mutating func startPolicy(
        _ step: LinkPolicySteps.Step, _ operation: ClientOperation, on handle: ConnectionHandle
    ) {
        let procedure: GATTProcedure =
            switch step {
            case .exchangeMTU: .exchangeMTU(UInt16(clamping: profile.mtu))
            case .readDatabaseHash: .readByUUID(.databaseHash, .first ... .last)
            case .readDeviceName: .readByUUID(.deviceName, .first ... .last)
            case .findGATTService: .discoverServices(.gattService)
            case .findServiceChanged(let range): .discoverCharacteristics(range)
            case .findConfiguration(let range): .discoverDescriptors(range)
            // Indications. [Vol 3, Part G, 7.1]
            case .subscribe(let configuration): .write(configuration, [2, 0])
            }
        run(procedure, operation, on: handle)
    }

    mutating func finishPolicy(
        _ step: LinkPolicySteps.Step, _ result: Result<GATTOutcome, HostError>, on handle: ConnectionHandle
    ) {
        switch (step, result) {
        case (.readDatabaseHash, _): databaseHashRead(result, on: handle)
        case (_, .failure(let error)): trace(.debug, "gatt", "\(step) on \(handle) failed: \(error.text)")
        case (.readDeviceName, .success(.values(let list))):
            guard let first = list.first else { return }
            links.update(handle) { $0.policy.deviceName = first.handle }
            setDeviceName(first.value, of: handle)
        case (.findGATTService, .success(.services(let list))):
            guard let service = list.first else { return changesAreFollowed(on: handle) }
            follow(with: .findServiceChanged(service.handles), on: handle)
        case (.findServiceChanged(let range), .success(.characteristics(let list))):
            serviceChangedFound(list, range, on: handle)
        case (.findConfiguration, .success(.descriptors(let list))):
            guard let found = list.first(where: { $0.uuid == .clientConfiguration }) else { return }
            follow(with: .subscribe(found.handle), on: handle)
        case (.subscribe, .success): changesAreFollowed(on: handle)
        default: break
        }
    }

    private mutating func changesAreFollowed(on handle: ConnectionHandle) {
        links.update(handle) { $0.policy.followsChanges = true }
    }

    private mutating func follow(with step: LinkPolicySteps.Step, on handle: ConnectionHandle) {
        links.update(handle) { $0.policy.steps.insert(step, at: 0) }
    }

    private mutating func serviceChangedFound(
        _ list: [GATTCharacteristic], _ range: ClosedRange<AttributeHandle>, on handle: ConnectionHandle
    ) {
        guard let index = list.firstIndex(where: { $0.uuid == .serviceChanged }) else {
            return changesAreFollowed(on: handle)
        }
        let value = list[index].value
        links.update(handle) { $0.policy.serviceChanged = value }
        let next = index + 1 < list.count ? list[index + 1].declaration.rawValue &- 1 : range.upperBound.rawValue
        guard value.rawValue < next else { return }
        let first = AttributeHandle(rawValue: value.rawValue + 1)
        follow(with: .findConfiguration(first...AttributeHandle(rawValue: next)), on: handle)
    }

    /// Service Changed: two handles; what can't be read counts as everything. [Vol 3, Part G, 7.1] [contract 66]
    mutating func servicesChanged(_ value: [UInt8], on handle: ConnectionHandle) {
        guard let peer = links[handle]?.peer else { return }
        var range: ClosedRange<AttributeHandle> = .first ... .last
        if value.count == 4 {
            let first = AttributeHandle(rawValue: UInt16(value[0]) | UInt16(value[1]) << 8)
            let last = AttributeHandle(rawValue: UInt16(value[2]) | UInt16(value[3]) << 8)
            if first <= last { range = max(first, .first)...max(last, .first) }
        }
        links.update(handle) { link in
            for key in link.subscriptions.keys where range.contains(key) { link.subscriptions[key] = nil }
            for key in link.configurations.keys where range.contains(key) { link.configurations[key] = nil }
            for key in link.services.keys where range.contains(key) { link.services[key] = nil }
            link.policy.invalidate(range, profile)
        }
        databaseChanged(on: handle)
        shareServices(of: handle)
        emit(.servicesModified(peer, range), to: links[handle]?.users ?? [])
        runOperations(on: handle)
    }

    /// The peer's GAP Device Name: kept, and told if programs saw another one. [contract 37, 39]
    mutating func setDeviceName(_ octets: [UInt8], of handle: ConnectionHandle) {
        guard let link = links[handle], !octets.isEmpty else { return }
        let name = String(decoding: octets, as: UTF8.self)
        let shown = store.name(of: link.peer)
        store.setDeviceName(name, of: link.peer)
        saveSoon()
        if shown != name { emit(.nameChanged(link.peer, name), to: link.users) }
    }
}
