import BLEWire

// The device that the PDUs were those of.
extension ServerRecording {
    private static let structural: Set<BluetoothUUID> = [0x2800, 0x2801, 0x2802, 0x2803].reduce(into: []) {
        $0.insert(BluetoothUUID($1))
    }

    func device(_ endpoint: Endpoint, _ advertisement: RecordedAdvertisement?) -> RecordedDevice {
        let found = services()
        return RecordedDevice(
            endpoint: endpoint, advertisement: advertisement, services: found, actions: actions,
            missing: missing(found))
    }

    private func services() -> [RecordedService] {
        groups.sorted { $0.key < $1.key }.map { handle, group in
            var service = RecordedService(
                handle: handle, end: group.end, uuid: group.uuid, isPrimary: group.isPrimary)
            let range = handle...max(handle, group.end)
            service.includes = includes.filter { range.contains($0.key) }.sorted { $0.key < $1.key }.map(\.value)
            let places = declarations.keys.filter { range.contains($0) }.sorted()
            for (index, place) in places.enumerated() {
                let end = index + 1 < places.count ? places[index + 1].rawValue &- 1 : group.end.rawValue
                service.characteristics.append(characteristic(place, end: AttributeHandle(rawValue: end)))
            }
            return service
        }
    }

    private func characteristic(_ handle: AttributeHandle, end: AttributeHandle) -> RecordedCharacteristic {
        let declaration = declarations[handle] ?? (0, .none, BluetoothUUID(0))
        let value = declaration.value
        var found = RecordedCharacteristic(
            handle: handle, valueHandle: value, uuid: declaration.uuid, properties: declaration.properties)
        found.value = values[value] ?? updates[value]?.first?.value
        found.mayBeLonger = open.contains(value)
        found.updates = updates[value] ?? []
        found.readNeedsEncryption = readRefused.contains(value)
        found.writeNeedsEncryption = writeRefused.contains(value)
        found.descriptors =
            types.filter { $0.key > value && $0.key <= end && !Self.structural.contains($0.value) }
            .sorted { $0.key < $1.key }
            .map { RecordedDescriptor(handle: $0.key, uuid: $0.value, value: values[$0.key]) }
        return found
    }

    private func missing(_ services: [RecordedService]) -> [String] {
        var missing: [String] = []
        if services.isEmpty {
            missing.append("no discovery of services: the client knew them already, or the capture began later")
        }
        // Generic Access and Generic Attribute are the systems' own business.
        for service in services where !service.isOfSystem {
            if service.characteristics.isEmpty, service.end > service.handle {
                missing.append("the characteristics of service \(service.uuid) weren't discovered")
            }
            for one in service.characteristics { missing += self.missing(one, "\(service.uuid)/\(one.uuid)") }
        }
        let known = Set(
            services.flatMap { service in
                service.characteristics.flatMap { [$0.valueHandle] + $0.descriptors.map(\.handle) }
            })
        let strange = Set(actions.map(\.handle)).union(updates.keys).subtracting(known).sorted()
        if !strange.isEmpty {
            let names = strange.map(\.description).joined(separator: ", ")
            missing.append("what the attributes \(names) are, which were used")
        }
        if droppedUpdates > 0 { missing.append("\(droppedUpdates) further notifications, which were left out") }
        if faults > 0 { missing.append("\(faults) PDUs that can't be read") }
        return missing
    }

    private func missing(_ one: RecordedCharacteristic, _ name: String) -> [String] {
        var missing: [String] = []
        if one.value == nil, one.properties & 0x02 != 0 { missing.append("the value of \(name) wasn't read") }
        if one.mayBeLonger { missing.append("the value of \(name) may be longer than what was read") }
        // Who notifies has a descriptor at least.
        if one.descriptors.isEmpty, one.properties & 0x30 != 0 {
            missing.append("the descriptors of \(name) weren't discovered")
        }
        return missing
    }
}
