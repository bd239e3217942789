import BLEWire

/// Services as definitions, laid out into attributes. [Vol 3, Part G, 3]
extension GATTDatabase {
    /// Adds a service behind the last one.
    mutating func addService(_ definition: GATTServiceDefinition) -> Result<GATTServiceLayout, HostError> {
        let plan = ServicePlan(definition)
        if let fault = plan.fault { return .failure(.invalidParameters(fault)) }
        guard let start = freeHandles(plan.count) else { return .failure(.att(.insufficientResources)) }
        var rows: [GATTAttribute] = []
        rows.reserveCapacity(plan.count)
        var next = Int(start.rawValue)
        func takeHandle() -> AttributeHandle {
            defer { next += 1 }
            return AttributeHandle(rawValue: UInt16(next))
        }
        let end = AttributeHandle(rawValue: UInt16(next + plan.count - 1))
        rows.append(
            GATTAttribute(
                handle: takeHandle(),
                type: definition.isPrimary ? GATTType.primaryService : GATTType.secondaryService,
                permissions: .read, content: .stored(definition.uuid.attLittleEndian), groupEnd: end))
        for included in definition.includes {
            guard let value = includeValue(of: included) else {
                return .failure(.invalidParameters("no service begins at \(included)"))
            }
            rows.append(
                GATTAttribute(
                    handle: takeHandle(), type: GATTType.include, permissions: .read, content: .stored(value)))
        }
        var values: [AttributeHandle] = []
        for characteristic in plan.characteristics {
            let declaration = takeHandle()
            let value = takeHandle()
            values.append(value)
            let last = AttributeHandle(rawValue: value.rawValue + UInt16(characteristic.descriptors.count))
            rows.append(
                GATTAttribute(
                    handle: declaration, type: GATTType.characteristic, permissions: .read,
                    content: .stored(
                        [characteristic.properties] + value.octets + characteristic.uuid.attLittleEndian),
                    groupEnd: last, properties: characteristic.properties))
            rows.append(
                GATTAttribute(
                    handle: value, type: characteristic.uuid, permissions: characteristic.permissions,
                    content: characteristic.content, properties: characteristic.properties))
            for descriptor in characteristic.descriptors {
                rows.append(
                    GATTAttribute(
                        handle: takeHandle(), type: descriptor.uuid, permissions: descriptor.permissions,
                        content: descriptor.content, properties: characteristic.properties))
            }
        }
        insert(rows)
        return .success(GATTServiceLayout(handles: start...end, characteristics: values))
    }

    /// The value of an include declaration: the range of the service, and its UUID where that has 16 bits.
    /// [Vol 3, Part G, 3.2]
    private func includeValue(of handle: AttributeHandle) -> [UInt8]? {
        guard let index = index(of: handle), attributes[index].isService,
            case .stored(let uuid) = attributes[index].content
        else { return nil }
        return handle.octets + attributes[index].groupEnd.octets + (uuid.count == 2 ? uuid : [])
    }
}

/// What a definition comes to: the rows that it names and those that its properties ask for.
private struct ServicePlan {
    struct Characteristic {
        var uuid: BluetoothUUID
        var properties: UInt8
        var permissions: AttributePermissions
        var content: GATTAttribute.Content
        var descriptors: [Descriptor]
    }
    struct Descriptor {
        var uuid: BluetoothUUID
        var permissions: AttributePermissions
        var content: GATTAttribute.Content
    }

    var characteristics: [Characteristic] = []
    var count: Int
    /// Why the definition can't be published.
    var fault: String?

    init(_ definition: GATTServiceDefinition) {
        count = 1 + definition.includes.count
        for characteristic in definition.characteristics {
            var descriptors = Self.ownDescriptors(of: characteristic)
            for descriptor in characteristic.descriptors {
                if descriptor.value.count > gattMaximumValueLength {
                    fault = "descriptor \(descriptor.uuid) is too long"
                }
                if descriptors.contains(where: { $0.uuid == descriptor.uuid }) { continue }
                descriptors.append(
                    Descriptor(
                        uuid: descriptor.uuid, permissions: descriptor.permissions,
                        content: .stored(descriptor.value)))
            }
            if let value = characteristic.value, value.count > gattMaximumValueLength {
                fault = "the value of \(characteristic.uuid) is too long"
            }
            characteristics.append(
                Characteristic(
                    uuid: characteristic.uuid, properties: characteristic.properties,
                    permissions: characteristic.permissions,
                    content: Self.content(of: characteristic, in: definition.uuid), descriptors: descriptors))
            count += 2 + descriptors.count
        }
    }

    /// The extended properties say that reliable writes are possible, since our prepare queue makes them so.
    /// [Vol 3, Part G, 3.3.3.1]
    private static func ownDescriptors(of characteristic: GATTServiceDefinition.Characteristic) -> [Descriptor] {
        var own: [Descriptor] = []
        if characteristic.properties & GATTProperties.extended != 0 {
            own.append(Descriptor(uuid: GATTType.extendedProperties, permissions: .read, content: .stored([1, 0])))
        }
        if characteristic.properties & (GATTProperties.notify | GATTProperties.indicate) != 0 {
            own.append(
                Descriptor(
                    uuid: GATTType.clientConfiguration, permissions: characteristic.configurationPermissions,
                    content: .clientConfiguration))
        }
        return own
    }

    private static func content(
        of characteristic: GATTServiceDefinition.Characteristic, in service: BluetoothUUID
    ) -> GATTAttribute.Content {
        switch characteristic.uuid {
        case GATTType.databaseHash where service == GATTType.genericAttribute: .databaseHash
        case GATTType.clientSupportedFeatures where service == GATTType.genericAttribute: .clientSupportedFeatures
        case GATTType.serviceChanged where service == GATTType.genericAttribute: .indicatedOnly
        default: characteristic.value.map { .stored($0) } ?? .application
        }
    }
}

extension AttributeHandle {
    /// The two octets of the handle as ATT sends them.
    var octets: [UInt8] { [UInt8(truncatingIfNeeded: rawValue), UInt8(truncatingIfNeeded: rawValue >> 8)] }
}
