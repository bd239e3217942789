import BLEWire

// Descriptors, and what a device does with what it is asked.
extension DeviceReader {
    func descriptor(
        _ node: DocumentNode, of characteristic: DeviceCharacteristic
    ) throws(DocumentError) -> DeviceDescriptor {
        var reader = try MappingReader(node, "a descriptor, with a uuid and a value")
        let name = try reader.require("uuid")
        let uuid = try name.uuid()
        if DeviceDescriptor.ofSystem.contains(uuid) {
            throw DocumentError(
                name.position, "the system makes \(uuid) by itself, where the properties ask for it",
                expected: "another descriptor")
        }
        var descriptor = DeviceDescriptor(uuid, octets: [])
        if uuid == 0x2904, let format = reader.take("format") {
            descriptor.octets = try presentation(format, &reader, of: characteristic)
        } else {
            descriptor.octets = try fixed(try reader.require("value"))
        }
        if uuid == 0x2901, String(validating: descriptor.octets, as: UTF8.self) == nil {
            throw DocumentError(node.position, "a user description that isn't UTF-8", expected: "a text")
        }
        if uuid == 0x2904, descriptor.octets.count != 7 {
            throw DocumentError(
                node.position, "a presentation format of \(descriptor.octets.count) octets", expected: "7")
        }
        try reader.finish()
        return descriptor
    }

    /// A presentation format from its fields. [Vol 3, Part G, 3.3.3.5]
    private func presentation(
        _ format: DocumentNode, _ reader: inout MappingReader, of characteristic: DeviceCharacteristic
    ) throws(DocumentError) -> [UInt8] {
        let code = try format.word(of: Self.presentationFormats)
        let exponent = try reader.take("exponent")?.whole(in: -128...127) ?? 0
        let unit = try reader.take("unit")?.uuid() ?? 0x2700
        let space = try reader.take("namespace")?.whole(in: 0...255) ?? 1
        let description = try reader.take("description")?.whole(in: 0...0xFFFF) ?? 0
        return [code, UInt8(bitPattern: Int8(exponent))] + unit.littleEndian.prefix(2)
            + [UInt8(space), UInt8(description & 0xFF), UInt8(description >> 8)]
    }

    static let presentationFormats: [(String, UInt8)] = [
        ("boolean", 0x01), ("u2", 0x02), ("u4", 0x03), ("u8", 0x04), ("u12", 0x05), ("u16", 0x06), ("u24", 0x07),
        ("u32", 0x08), ("u48", 0x09), ("u64", 0x0A), ("u128", 0x0B), ("i8", 0x0C), ("i12", 0x0D), ("i16", 0x0E),
        ("i24", 0x0F), ("i32", 0x10), ("i48", 0x11), ("i64", 0x12), ("i128", 0x13), ("f32", 0x14), ("f64", 0x15),
        ("sfloat", 0x16), ("float", 0x17), ("duint16", 0x18), ("utf8", 0x19), ("utf16", 0x1A), ("struct", 0x1B),
    ]

    func errorCode(_ node: DocumentNode) throws(DocumentError) -> UInt8 {
        let text = try node.text("an error")
        if let known = ErrorWords.all.first(where: { $0.0 == text }) { return known.1 }
        guard text.hasPrefix("0x"), let code = UInt8(text.dropFirst(2), radix: 16), code > 0 else {
            throw node.refuse(expected: "an ATT error such as unlikely-error, or its number, such as 0x80")
        }
        return code
    }

    func rule(_ node: DocumentNode) throws(DocumentError) -> WriteRule {
        var reader = try MappingReader(node, "a rule: match, then set, notify, error, delay, say or disconnect")
        var rule = WriteRule()
        if let node = reader.take("match") { rule.match = try match(node) }
        if let node = reader.take("error") { rule.error = try errorCode(node) }
        if let node = reader.take("delay") { rule.delay = try node.duration() }
        if let node = reader.take("set") { rule.sets = try changes(node) }
        if let node = reader.take("notify") { rule.notifies = try changes(node) }
        let setsOwn = rule.sets.contains { $0.characteristic == nil }
        rule.keeps = rule.error == nil && !setsOwn
        if let node = reader.take("keep") {
            rule.keeps = try node.flag()
            if rule.keeps, rule.error != nil || setsOwn {
                throw DocumentError(
                    node.position, "keep beside an error or a value of its own", expected: "one of these")
            }
        }
        rule.says = try reader.take("say")?.text()
        rule.disconnects = try reader.take("disconnect")?.flag() ?? false
        try reader.finish()
        return rule
    }

    private func match(_ node: DocumentNode) throws(DocumentError) -> WriteMatch {
        if case .scalar("any") = node.content { return .any }
        let kinds = ["equals", "begins", "octets", "number"]
        let expected = "any, or one of " + kinds.joined(separator: ", ")
        var reader = try MappingReader(node, expected)
        let present = reader.present(kinds)
        guard present.count == 1, let kind = present.first, let content = reader.take(kind) else {
            throw DocumentError(node.position, "\(present.count) ways to match", expected: expected)
        }
        let match: WriteMatch
        switch kind {
        case "equals": match = .equals(try fixed(content))
        case "begins": match = .begins(try fixed(content))
        case "octets":
            if case .scalar = content.content {
                let count = try content.whole(in: 0...512)
                match = .length(count...count)
            } else {
                let range = try range(content)
                guard range.lowerBound >= 0, range.upperBound <= 512 else { throw content.refuse(expected: "[0, 512]") }
                match = .length(Int(range.lowerBound)...Int(range.upperBound))
            }
        default:
            let type = try reader.require("type").word(of: NumberType.allCases.map { ($0.rawValue, $0) })
            let places = try reader.take("places")?.whole(in: 0...9) ?? 0
            let isBigEndian = try order(reader.take("order"))
            match = .number(type, places: places, isBigEndian: isBigEndian, try range(content))
        }
        try reader.finish()
        return match
    }

    /// One change, or a list of them; a change of the rule's own characteristic may be just the value.
    private func changes(_ node: DocumentNode) throws(DocumentError) -> [ValueChange] {
        var changes: [ValueChange] = []
        for node in node.oneOrMore() {
            var reader = try MappingReader(node, "a value, or a characteristic with a value")
            guard let content = reader.take("value") else {
                changes.append(ValueChange(nil, try still(node)))
                continue
            }
            var change = ValueChange(nil, try still(content))
            if let name = reader.take("characteristic") { change.characteristic = try reference(name) }
            if let delay = reader.take("after") { change.delay = try delay.duration() }
            try reader.finish()
            changes.append(change)
        }
        return changes
    }

    func fault(_ node: DocumentNode) throws(DocumentError) -> DeviceFault {
        var reader = try MappingReader(node, "a fault: on, and error, delay, silent or disconnect")
        let occasion = try reader.require("on").word(of: DeviceFault.words)
        var effects: [DeviceFault.Effect] = []
        if let node = reader.take("error") { effects.append(.error(try errorCode(node))) }
        if let node = reader.take("delay") { effects.append(.delay(try node.duration())) }
        if try reader.take("silent")?.flag() == true { effects.append(.silence) }
        if try reader.take("disconnect")?.flag() == true { effects.append(.disconnect) }
        guard effects.count == 1 else {
            throw DocumentError(
                node.position, "a fault with \(effects.count) effects",
                expected: "one of error, delay, silent, disconnect")
        }
        let needsAnswer = occasion == .notify || occasion == .subscribe
        switch effects[0] {
        case .error where needsAnswer, .delay where needsAnswer, .silence where occasion == .subscribe:
            throw DocumentError(
                node.position, "this can't happen there",
                expected: occasion == .notify ? "silent or disconnect" : "disconnect")
        default: break
        }
        var fault = DeviceFault(on: occasion, effects[0])
        fault.every = try reader.take("every")?.whole(in: 1...1_000_000) ?? 1
        fault.skip = try reader.take("skip")?.whole(in: 0...1_000_000) ?? 0
        if let node = reader.take("chance") {
            fault.chance = try node.decimal()
            guard (0...1).contains(fault.chance) else { throw node.refuse(expected: "a number from 0 to 1") }
        }
        try reader.finish()
        return fault
    }
}
