import BLEWire

// Values and their parts.
extension DeviceReader {
    /// A value: one part, or a list of them.
    /// - Parameter isReply: what was written can be a part of it.
    func value(_ node: DocumentNode, isReply: Bool = false) throws(DocumentError) -> ValueTemplate {
        var template = ValueTemplate()
        for node in node.oneOrMore() { template.parts.append(try part(node, isReply: isReply)) }
        let length = template.parts.reduce(0) { $0 + $1.fixedSize }
        guard length <= 512 else {
            throw DocumentError(node.position, "a value of \(length) octets", expected: "at most 512")
        }
        return template
    }

    /// A value without a course: of an answer to a write, or of a step of a sequence.
    func still(_ node: DocumentNode, isReply: Bool = true) throws(DocumentError) -> ValueTemplate {
        let template = try value(node, isReply: isReply)
        guard !template.hasCourse else {
            throw DocumentError(
                node.position, "a course of numbers or texts",
                expected: "one in a characteristic's value, with \"every\"")
        }
        return template
    }

    /// A value that never changes.
    func fixed(_ node: DocumentNode) throws(DocumentError) -> [UInt8] {
        guard let octets = try value(node).fixedOctets else {
            throw DocumentError(node.position, "a value that changes", expected: "one that stays")
        }
        return octets
    }

    private func part(_ node: DocumentNode, isReply: Bool) throws(DocumentError) -> ValuePart {
        let expected = "a value such as {hex: 01 02}, {text: abc}, {u16: 500}, or a list of these"
        var reader = try MappingReader(node, expected)
        let kinds = ["hex", "text", "time", "written", "value-of"] + NumberType.allCases.map(\.rawValue)
        let present = reader.present(kinds)
        guard present.count == 1, let kind = present.first, let content = reader.take(kind) else {
            throw DocumentError(
                node.position, present.isEmpty ? "a part of no kind" : "a part of several kinds", expected: expected)
        }
        let part: ValuePart
        switch kind {
        case "hex": part = .octets(try content.octets())
        case "text": part = .text(try texts(content))
        case "time": part = .time(TimePattern(try content.text("a pattern such as HH:mm:ss")))
        case "value-of": part = .valueOf(try reference(content))
        case "written":
            guard isReply else {
                throw DocumentError(node.position, "what was written", expected: "this in the answers to a write only")
            }
            part = try written(content)
        default: part = .number(try number(content, kind, &reader))
        }
        try reader.finish()
        return part
    }

    private func written(_ node: DocumentNode) throws(DocumentError) -> ValuePart {
        if case .scalar("all") = node.content { return .written(from: 0, count: nil) }
        let expected = "all, or [FIRST, COUNT] of the octets"
        let numbers = try node.list(expected)
        guard numbers.count == 2 else { throw node.refuse(expected: expected) }
        return .written(from: try numbers[0].whole(in: 0...511), count: try numbers[1].whole(in: 1...512))
    }

    private func texts(_ node: DocumentNode) throws(DocumentError) -> TextSource {
        if case .scalar(let text) = node.content { return TextSource([text]) }
        var reader = try MappingReader(node, "a text, or a sequence of texts")
        var texts: [String] = []
        let list = try reader.require("sequence")
        for node in try list.list("a list of texts") { texts.append(try node.text()) }
        guard !texts.isEmpty else { throw list.refuse(expected: "at least one text") }
        let end = try reader.take("then")?.word(of: [("repeat", SequenceEnd.repeats), ("stay", .stays)])
        try reader.finish()
        return TextSource(texts, end: end ?? .repeats)
    }

    private func number(
        _ node: DocumentNode, _ name: String, _ reader: inout MappingReader
    ) throws(DocumentError) -> NumberPart {
        guard let type = NumberType(rawValue: name) else { throw node.refuse(expected: "a type of numbers") }
        var part = NumberPart(type, source: NumberSource(.fixed(0)))
        part.places = try reader.take("places")?.whole(in: 0...9) ?? 0
        part.isBigEndian = try order(reader.take("order"))
        part.unit = try reader.take("unit")?.text() ?? ""
        part.source = try source(node)
        for extreme in part.source.extremes where type.octets(extreme, places: part.places) == nil {
            throw DocumentError(
                node.position,
                "\(extreme) has no room in \(name)" + (part.places > 0 ? " of \(part.places) places" : ""),
                expected: "a number that has")
        }
        // Whole numbers above this lose octets on their way through a binary fraction.
        if part.source.extremes.contains(where: { abs($0) > 9_007_199_254_740_992 }), type.size == 8, type != .f64 {
            throw DocumentError(node.position, "a number above 2^53", expected: "its octets, as hex")
        }
        return part
    }

    func order(_ node: DocumentNode?) throws(DocumentError) -> Bool {
        try node?.word(of: [("little", false), ("big", true)]) ?? false
    }

    private func source(_ node: DocumentNode) throws(DocumentError) -> NumberSource {
        if case .scalar = node.content { return NumberSource(.fixed(try node.decimal())) }
        let kinds = ["around", "sequence", "ramp", "walk", "follow"]
        let expected = "a number, or one of " + kinds.joined(separator: ", ")
        var reader = try MappingReader(node, expected)
        let present = reader.present(kinds)
        guard present.count == 1, let kind = present.first, let content = reader.take(kind) else {
            throw DocumentError(node.position, "\(present.count) courses of a number", expected: expected)
        }
        var source = NumberSource(.fixed(0))
        switch kind {
        case "around": source.course = .fixed(try content.decimal())
        case "sequence":
            let numbers = try decimals(content)
            let end = try reader.take("then")?.word(of: [("repeat", SequenceEnd.repeats), ("stay", .stays)])
            source.course = .sequence(numbers, end ?? .repeats)
        case "ramp": source.course = try ramp(content, &reader)
        case "walk":
            let by = try reader.require("by").decimal()
            let limits = try range(try reader.require("within"))
            let from = try content.decimal()
            guard limits.contains(from) else { throw content.refuse(expected: "a number within the limits") }
            source.course = .walk(from: from, by: abs(by), within: limits)
        default:
            let from = try reader.require("from").decimal()
            let share = try reader.require("by")
            let by = try share.decimal()
            guard by > 0, by <= 1 else { throw share.refuse(expected: "a part: more than 0, at most 1") }
            source.course = .follow(try reference(content), from: from, by: by)
        }
        if let noise = reader.take("noise") {
            source.noise = try noise.decimal()
            guard source.noise >= 0 else { throw noise.refuse(expected: "a number from 0 on") }
        }
        try reader.finish()
        return source
    }

    private func ramp(
        _ node: DocumentNode, _ reader: inout MappingReader
    ) throws(DocumentError) -> NumberSource.Course {
        let ends = try decimals(node)
        guard ends.count == 2, ends[0] != ends[1] else { throw node.refuse(expected: "two numbers, [FROM, TO]") }
        let step = try reader.take("step")?.decimal() ?? 1
        guard step > 0, abs(ends[1] - ends[0]) / step <= 1e9 else {
            throw DocumentError(node.position, "a step of \(step)", expected: "one that gets there in 1000000000 steps")
        }
        let end = try reader.take("then")?.word(of: [
            ("repeat", SequenceEnd.repeats), ("stay", .stays), ("turn", .turns),
        ])
        return .ramp(from: ends[0], to: ends[1], step: step, end ?? .repeats)
    }

    private func decimals(_ node: DocumentNode) throws(DocumentError) -> [Double] {
        var numbers: [Double] = []
        for node in try node.list("a list of numbers") { numbers.append(try node.decimal()) }
        guard !numbers.isEmpty else { throw node.refuse(expected: "at least one number") }
        return numbers
    }

    func range(_ node: DocumentNode) throws(DocumentError) -> ClosedRange<Double> {
        let ends = try decimals(node)
        guard ends.count == 2, ends[0] <= ends[1] else { throw node.refuse(expected: "two numbers, [LEAST, MOST]") }
        return ends[0]...ends[1]
    }
}

extension ValuePart {
    /// How many octets it has at least.
    fileprivate var fixedSize: Int {
        switch self {
        case .octets(let octets): octets.count
        case .text(let source): source.texts.map(\.utf8.count).max() ?? 0
        case .number(let part): part.type.size
        case .time(let pattern): pattern.text.utf8.count
        case .written, .valueOf: 0
        }
    }
}

extension NumberSource {
    /// The least and the greatest number that can come of it. One that follows another is cut to what has room.
    fileprivate var extremes: [Double] {
        switch course {
        case .fixed(let number): [number - noise, number + noise]
        case .sequence(let numbers, _): [(numbers.min() ?? 0) - noise, (numbers.max() ?? 0) + noise]
        case .ramp(let from, let to, _, _): [min(from, to) - noise, max(from, to) + noise]
        case .walk(_, _, let limits): [limits.lowerBound - noise, limits.upperBound + noise]
        case .follow(_, let from, _): [from]
        }
    }
}
