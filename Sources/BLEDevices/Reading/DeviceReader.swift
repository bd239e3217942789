import BLEWire

extension DeviceDescription {
    /// Reads a device file's tree, and says where the first thing is that can't be.
    package init(_ node: DocumentNode) throws(DocumentError) {
        var reader = try DeviceReader(node)
        self = try reader.read()
    }
}

/// One reading of a device file: first what the attributes are called, then everything.
struct DeviceReader {
    private let root: DocumentNode
    /// Numbers of characteristics by their id, their UUID, and `SERVICE/CHARACTERISTIC`.
    private var characteristics: [String: [AttributeIndex]] = [:]
    private var services: [String: [Int]] = [:]

    /// Takes down the names.
    init(_ root: DocumentNode) throws(DocumentError) {
        self.root = root
        var top = try MappingReader(root, "a device file: keys such as advertisement and services")
        guard let list = top.take("services") else { return }
        var index = 0
        for (number, node) in try list.list("a list of services").enumerated() {
            var service = try MappingReader(node, "a service, with a uuid")
            let uuid = try service.require("uuid").uuid()
            let id = try service.take("id")?.text()
            services[uuid.description, default: []].append(number)
            if let id { services[id, default: []].append(number) }
            for node in try service.take("characteristics")?.list("a list of characteristics") ?? [] {
                var characteristic = try MappingReader(node, "a characteristic, with a uuid and properties")
                let own = try characteristic.require("uuid").uuid()
                var names = [own.description, "\(uuid)/\(own)"]
                if let node = characteristic.take("id") {
                    let id = try node.text()
                    guard !id.isEmpty, characteristics[id] == nil else {
                        throw DocumentError(node.position, node.kind, expected: "a name that nothing else here has")
                    }
                    names.append(id)
                }
                for name in names { characteristics[name, default: []].append(index) }
                index += 1
            }
        }
    }

    mutating func read() throws(DocumentError) -> DeviceDescription {
        var top = try MappingReader(root, "a device file")
        var device = DeviceDescription()
        device.title = try top.take("device")?.text() ?? ""
        if let seed = top.take("seed") { device.seed = UInt64(try seed.whole(in: 0...Int.max)) }
        if let node = top.take("advertisement") { device.advertisement = try advertisement(node) }
        for node in try top.take("services")?.list() ?? [] {
            device.services.append(try service(node, number: device.services.count))
        }
        try top.finish()
        return device
    }

    /// The one characteristic that a file calls so.
    func reference(_ node: DocumentNode) throws(DocumentError) -> AttributeIndex {
        try only(node, characteristics, "the id or UUID of a characteristic of this file")
    }

    private func only(
        _ node: DocumentNode, _ names: [String: [Int]], _ expected: String
    ) throws(DocumentError) -> Int {
        let text = try node.text(expected)
        let isID = names[text] != nil
        let found = names[isID ? text : text.uppercased()] ?? []
        guard let first = found.first else { throw node.refuse(expected: expected) }
        guard found.count == 1 else {
            throw DocumentError(node.position, "\(found.count) are called \(node.kind)", expected: "an id of its own")
        }
        return first
    }

    private func service(_ node: DocumentNode, number: Int) throws(DocumentError) -> DeviceService {
        var reader = try MappingReader(node, "a service")
        let name = try reader.require("uuid")
        var service = DeviceService(try name.uuid())
        if service.uuid == 0x1800 || service.uuid == 0x1801 {
            throw DocumentError(
                name.position, "the system has the service \(service.uuid) by itself", expected: "another service")
        }
        service.id = try reader.take("id")?.text()
        service.isPrimary = try reader.take("primary")?.flag() ?? true
        for node in reader.take("includes")?.oneOrMore() ?? [] {
            let included = try only(node, services, "the id or UUID of a service of this file")
            guard included < number else {
                throw DocumentError(
                    node.position, "the service \(node.kind) comes later", expected: "one that stands before this one")
            }
            service.includes.append(included)
        }
        for node in try reader.take("characteristics")?.list() ?? [] {
            service.characteristics.append(try characteristic(node))
        }
        try reader.finish()
        return service
    }

    func set<Words: OptionSet>(
        _ node: DocumentNode, _ words: [(String, Words)]
    ) throws(DocumentError) -> Words where Words.Element == Words {
        var result = Words()
        for node in node.oneOrMore() { result.formUnion(try node.word(of: words)) }
        return result
    }

    private func characteristic(_ node: DocumentNode) throws(DocumentError) -> DeviceCharacteristic {
        var reader = try MappingReader(node, "a characteristic")
        let uuid = try reader.require("uuid").uuid()
        let properties = reader.take("properties")
        var characteristic = DeviceCharacteristic(
            uuid,
            properties: try properties.map { node throws(DocumentError) in
                try set(node, CharacteristicProperties.words)
            } ?? .read)
        if let node = properties, !characteristic.properties.isDisjoint(with: [.broadcast, .extended]) {
            throw DocumentError(
                node.position, "a peripheral manager publishes neither broadcast nor extended", expected: "others")
        }
        characteristic.id = try reader.take("id")?.text()
        if let node = reader.take("permissions") {
            characteristic.permissions = try set(node, DevicePermissions.words)
        }
        if let node = reader.take("encryption") {
            characteristic.encryption = try encryption(node, characteristic.properties)
        }
        if let node = reader.take("value") { characteristic.value = try value(node) }
        for node in try reader.take("descriptors")?.list("a list of descriptors") ?? [] {
            characteristic.descriptors.append(try descriptor(node, of: characteristic))
        }
        try readTime(&reader, &characteristic)
        if characteristic.value.hasCourse, characteristic.period == nil {
            throw DocumentError(reader.position, "a value that goes on", expected: "\"every\", to say how often")
        }
        for node in try reader.take("writes")?.list("a list of rules") ?? [] {
            characteristic.writes.append(try rule(node))
        }
        for node in try reader.take("faults")?.list("a list of faults") ?? [] {
            characteristic.faults.append(try fault(node))
        }
        try reader.finish()
        return characteristic
    }

    private func encryption(
        _ node: DocumentNode, _ properties: CharacteristicProperties
    ) throws(DocumentError) -> EncryptedAccess {
        let encryption: EncryptedAccess = try set(node, EncryptedAccess.words)
        let promised: [(EncryptedAccess, CharacteristicProperties, String)] = [
            (.read, .read, "read"), (.write, [.write, .writeWithoutResponse, .signedWrite], "write"),
            (.notify, .notify, "notify"), (.indicate, .indicate, "indicate"),
        ]
        for (access, property, word) in promised
        where encryption.contains(access) && properties.isDisjoint(with: property) {
            throw DocumentError(
                node.position, "encryption for \(word), which the properties don't have", expected: "what they have")
        }
        return encryption
    }

    private func readTime(
        _ reader: inout MappingReader, _ characteristic: inout DeviceCharacteristic
    ) throws(DocumentError) {
        if let node = reader.take("every") {
            let period = try node.duration()
            guard period >= .milliseconds(1) else { throw node.refuse(expected: "at least 1 ms") }
            characteristic.period = period
        }
        if let node = reader.take("sequence") {
            guard characteristic.period == nil else {
                throw DocumentError(node.position, "a sequence beside \"every\"", expected: "one of the two")
            }
            characteristic.sequence = try sequence(node)
        }
        if let node = reader.take("runs") {
            characteristic.runs = try node.word(of: [("subscribed", .subscribed), ("always", .always)])
        }
    }

    private func sequence(_ node: DocumentNode) throws(DocumentError) -> ValueSequence {
        var reader = try MappingReader(node, "steps")
        var sequence = ValueSequence([])
        let steps = try reader.require("steps")
        for node in try steps.list("a list of steps") {
            var step = try MappingReader(node, "a step, with after and value")
            sequence.steps.append(
                .init(
                    after: try step.require("after").duration(), try still(try step.require("value"), isReply: false)))
            try step.finish()
        }
        if let node = reader.take("then") {
            sequence.end = try node.word(of: [("repeat", .repeats), ("stay", .stays)])
        }
        try reader.finish()
        guard sequence.steps.contains(where: { $0.delay > .zero }) else {
            throw DocumentError(steps.position, "a sequence that takes no time", expected: "a step with a time")
        }
        return sequence
    }
}
