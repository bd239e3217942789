import BLEWire

extension DeviceDescription {
    /// The tree of a device file that describes this device.
    package var document: DocumentNode { DeviceWriter(self).document }

    /// The text of that file.
    /// - Parameter notes: lines for its head, for a person.
    package func yaml(notes: [String] = []) -> String {
        notes.map { "# " + $0 + "\n" }.joined() + document.yaml
    }
}

/// Writes a device as the tree that `DeviceReader` reads.
struct DeviceWriter {
    private let device: DeviceDescription
    /// What each characteristic is called where one names it.
    private let names: [String]
    private let serviceNames: [String]

    init(_ device: DeviceDescription) {
        self.device = device
        let paths = device.services.flatMap { service in
            service.characteristics.map { ($0.uuid.description, "\(service.uuid)/\($0.uuid)") }
        }
        names = device.characteristics.enumerated().map { index, characteristic in
            if let id = characteristic.id { return id }
            let (uuid, path) = paths[index]
            if paths.count(where: { $0.0 == uuid }) == 1 { return uuid }
            return paths.count(where: { $0.1 == path }) == 1 ? path : "characteristic-\(index + 1)"
        }
        serviceNames = device.services.enumerated().map { index, service in
            let isOnly = device.services.count { $0.uuid == service.uuid } == 1
            return service.id ?? (isOnly ? service.uuid.description : "service-\(index + 1)")
        }
    }

    func name(of index: AttributeIndex) -> String { names.indices.contains(index) ? names[index] : "" }

    var document: DocumentNode {
        var index = -1
        let services = device.services.enumerated().map { number, service in
            let characteristics = service.characteristics.map { characteristic in
                index += 1
                return self.characteristic(characteristic, index)
            }
            let name = serviceNames[number]
            return DocumentNode.object([
                ("uuid", .text(service.uuid.description)),
                ("id", name == service.uuid.description ? nil : .text(name)),
                ("primary", service.isPrimary ? nil : .text("no")),
                (
                    "includes",
                    service.includes.isEmpty
                        ? nil : .list(service.includes.map { .text(serviceNames[$0]) }, isInline: true)
                ),
                ("characteristics", characteristics.isEmpty ? nil : .list(characteristics)),
            ])
        }
        return .object([
            ("device", device.title.isEmpty ? nil : .text(device.title)),
            ("seed", device.seed == 1 ? nil : .text(String(device.seed))),
            ("advertisement", advertisement),
            ("services", services.isEmpty ? nil : .list(services)),
        ])
    }

    private var advertisement: DocumentNode? {
        let advertisement = device.advertisement
        if advertisement.isSilent { return .text("none") }
        guard advertisement != DeviceAdvertisement() else { return nil }
        let manufacturer = advertisement.manufacturerData.map { data in
            DocumentNode.object([
                ("company", .text(Hex.prefixed(data.prefix(2).reversed().reduce(UInt16(0)) { $0 << 8 | UInt16($1) }))),
                ("value", part(.octets(Array(data.dropFirst(2))))),
            ])
        }
        let services = advertisement.serviceData.map { data in
            DocumentNode.object([
                ("service", .text(data.service.description)), ("value", part(.octets(data.octets))),
            ])
        }
        let beacon = DocumentNode.object([
            ("connectable", advertisement.isConnectable ? .text("yes") : nil), ("manufacturer-data", manufacturer),
            ("service-data", services.isEmpty ? nil : .list(services)),
        ])
        return .object([
            ("name", advertisement.name.map(DocumentNode.text)),
            (
                "services",
                advertisement.services.isEmpty
                    ? nil : .list(advertisement.services.map { .text($0.description) }, isInline: true)
            ),
            ("beacon", advertisement.isBeyondCoreBluetooth ? beacon : nil),
        ])
    }

    private func words<Words: OptionSet>(_ set: Words, _ words: [(String, Words)]) -> DocumentNode
    where Words.Element == Words {
        .list(words.filter { set.contains($0.1) }.map { .text($0.0) }, isInline: true)
    }

    private func characteristic(_ characteristic: DeviceCharacteristic, _ index: AttributeIndex) -> DocumentNode {
        let needsID = names[index].hasPrefix("characteristic-")
        let properties = characteristic.properties
        return .object([
            ("uuid", .text(characteristic.uuid.description)),
            ("id", characteristic.id.map(DocumentNode.text) ?? (needsID ? .text(names[index]) : nil)),
            ("properties", words(properties, CharacteristicProperties.words)),
            (
                "permissions",
                characteristic.permissions == DevicePermissions(properties)
                    ? nil : words(characteristic.permissions, DevicePermissions.words)
            ),
            (
                "encryption",
                characteristic.encryption.isEmpty ? nil : words(characteristic.encryption, EncryptedAccess.words)
            ),
            ("value", value(characteristic.value)),
            ("every", characteristic.period.map(duration)),
            ("sequence", characteristic.sequence.map(sequence)),
            ("runs", characteristic.runs == .always ? .text("always") : nil),
            (
                "descriptors",
                characteristic.descriptors.isEmpty ? nil : .list(characteristic.descriptors.map(descriptor))
            ),
            ("writes", characteristic.writes.isEmpty ? nil : .list(characteristic.writes.map(rule))),
            ("faults", characteristic.faults.isEmpty ? nil : .list(characteristic.faults.map(fault))),
        ])
    }

    private func descriptor(_ descriptor: DeviceDescriptor) -> DocumentNode {
        let text = String(validating: descriptor.octets, as: UTF8.self)
        let isText = descriptor.uuid == 0x2901 && text != nil
        return .object([
            ("uuid", .text(descriptor.uuid.description)),
            ("value", part(isText ? .text(TextSource([text ?? ""])) : .octets(descriptor.octets))),
        ])
    }

    private func sequence(_ sequence: ValueSequence) -> DocumentNode {
        .object([
            (
                "steps",
                .list(
                    sequence.steps.map { step in
                        .object([("after", duration(step.delay)), ("value", value(step.value) ?? part(.octets([])))])
                    })
            ),
            ("then", sequence.end == .repeats ? nil : .text("stay")),
        ])
    }

    private func rule(_ rule: WriteRule) -> DocumentNode {
        let couldKeep = rule.error == nil && !rule.sets.contains { $0.characteristic == nil }
        return .object([
            ("match", rule.match == .any ? .text("any") : match(rule.match)),
            ("error", rule.error.map { .text(ErrorWords.text($0)) }),
            ("delay", rule.delay == .zero ? nil : duration(rule.delay)),
            ("keep", couldKeep && !rule.keeps ? .text("no") : nil),
            ("set", rule.sets.isEmpty ? nil : .list(rule.sets.map(change))),
            ("notify", rule.notifies.isEmpty ? nil : .list(rule.notifies.map(change))),
            ("say", rule.says.map(DocumentNode.text)),
            ("disconnect", rule.disconnects ? .text("yes") : nil),
        ])
    }

    private func change(_ change: ValueChange) -> DocumentNode {
        .object([
            ("characteristic", change.characteristic.map { .text(names[$0]) }),
            ("value", value(change.value) ?? part(.octets([]))),
            ("after", change.delay == .zero ? nil : duration(change.delay)),
        ])
    }

    private func match(_ match: WriteMatch) -> DocumentNode? {
        switch match {
        case .any: nil
        case .equals(let octets): .object([("equals", part(.octets(octets)))], isInline: true)
        case .begins(let octets): .object([("begins", part(.octets(octets)))], isInline: true)
        case .length(let range):
            .object(
                [
                    (
                        "octets",
                        range.count == 1
                            ? .text(String(range.lowerBound))
                            : numbers([Double(range.lowerBound), Double(range.upperBound)])
                    )
                ], isInline: true)
        case .number(let type, let places, let isBigEndian, let range):
            .object(
                [
                    ("number", numbers([range.lowerBound, range.upperBound])), ("type", .text(type.rawValue)),
                    ("places", places == 0 ? nil : .text(String(places))), ("order", isBigEndian ? .text("big") : nil),
                ], isInline: true)
        }
    }

    private func fault(_ fault: DeviceFault) -> DocumentNode {
        let occasion = DeviceFault.words.first { $0.1 == fault.occasion }?.0 ?? ""
        let effect: (String, DocumentNode) =
            switch fault.effect {
            case .error(let code): ("error", .text(ErrorWords.text(code)))
            case .delay(let delay): ("delay", duration(delay))
            case .silence: ("silent", .text("yes"))
            case .disconnect: ("disconnect", .text("yes"))
            }
        return .object([
            ("on", .text(occasion)), effect, ("every", fault.every == 1 ? nil : .text(String(fault.every))),
            ("skip", fault.skip == 0 ? nil : .text(String(fault.skip))),
            ("chance", fault.chance == 1 ? nil : number(fault.chance)),
        ])
    }
}
