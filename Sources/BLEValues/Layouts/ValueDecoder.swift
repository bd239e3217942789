import BLEWire

/// Takes fields off a value, one after another.
struct ValueDecoder {
    private(set) var decoded = DecodedValue()
    private(set) var rest: ArraySlice<UInt8>
    /// What conditions are about: the number in the flags that were last seen, and in the field before.
    private var flags: UInt64 = 0
    private var before: UInt64 = 0
    /// How many layouts are within one another here: what refers to itself ends.
    private let depth: Int

    init(_ value: ArraySlice<UInt8>, depth: Int = 0) {
        rest = value
        self.depth = depth
    }

    /// Takes all fields that are there, until one isn't there that should be. The first one is called `name`, where there
    /// is a name.
    mutating func decode(_ fields: [ValueField], as name: String? = nil) {
        for field in fields where field.conditions.allSatisfy(isMet) {
            if field.isOptional, rest.isEmpty { continue }
            guard decoded.problem == nil else { return }
            take(field, name ?? field.name)
        }
    }

    /// Tells what is left over.
    mutating func finish() {
        guard decoded.problem == nil, !rest.isEmpty else { return }
        decoded.problem =
            "\(rest.count) octet\(rest.count == 1 ? "" : "s") too many: \(Hex.string(rest, separator: " "))"
    }

    private func isMet(_ condition: ValueField.Condition) -> Bool {
        let number = Self.bits(condition.bits, of: condition.isOfFieldBefore ? before : flags)
        return (number == condition.value) == condition.isEqual
    }

    static func bits(_ range: ClosedRange<Int>, of number: UInt64) -> UInt64 {
        let shifted = number >> UInt64(range.lowerBound)
        return range.count > 63 ? shifted : shifted & (1 << UInt64(range.count) - 1)
    }

    private mutating func take(_ field: ValueField, _ name: String) {
        switch field.kind {
        case .number(let octets, let isSigned):
            guard let number = number(octets, of: field) else { return }
            show(number, octets, isSigned, field, name)
        case .numbers(let octets, let isSigned):
            repeat {
                guard let number = number(octets, of: field) else { return }
                show(number, octets, isSigned, field, name)
            } while rest.count >= octets
        case .medical(let octets):
            guard let bits = number(octets, of: field) else { return }
            let value = octets == 2 ? Decimal.shortFloat(UInt16(bits)) : Decimal.float(UInt32(bits))
            add(name, value, unit: field.unit)
        case .binary(let octets):
            guard let bits = number(octets, of: field) else { return }
            let number = octets == 4 ? Double(Float(bitPattern: UInt32(bits))) : Double(bitPattern: bits)
            let text = octets == 4 ? Float(bitPattern: UInt32(bits)).description : number.description
            add(name, number.isFinite ? .number(text) : .text(text), unit: field.unit)
        case .bits(let octets):
            guard let number = number(octets ?? max(1, min(rest.count, 8)), of: field) else { return }
            showBits(number, field, name)
        case .packed(let octets):
            guard let number = number(octets, of: field) else { return }
            for part in field.bits {
                let value = Self.bits(part.bits, of: number)
                let word = part.words[Int64(truncatingIfNeeded: value)]
                add(part.name, word.map { .text($0) } ?? .number(String(value)), unit: word == nil ? part.unit : "")
            }
        case .text(let octets):
            guard let octets = take(octets, of: field) else { return }
            showText(octets, name)
        case .terminatedText:
            let octets = rest.prefix { $0 != 0 }
            rest = rest.dropFirst(octets.count + 1)
            showText(octets, name)
        case .raw(let octets):
            guard let octets = take(octets, of: field) else { return }
            if !octets.isEmpty { add(name, .text(Hex.string(octets, separator: " "))) }
        case .hexadecimal(let octets):
            guard let number = number(octets, of: field) else { return }
            let digits = String(number, radix: 16, uppercase: true)
            add(name, .text("0x" + String(repeating: "0", count: max(0, 2 * octets - digits.count)) + digits))
        case .characteristic(let uuid):
            guard depth < 8, let layout = ValueLayout.of(uuid) else { return }
            inner(layout.fields, in: rest, as: layout.fields.count == 1 ? name : nil)
        case .structure:
            decode(field.fields)
        case .records:
            takeRecords(field)
        case .special(let kind):
            takeSpecial(kind, field, name)
        }
    }

    /// Fields with flags of their own.
    private mutating func inner(_ fields: [ValueField], in octets: ArraySlice<UInt8>, as name: String? = nil) {
        var inner = ValueDecoder(octets, depth: depth + 1)
        inner.decode(fields, as: name)
        decoded.fields += inner.decoded.fields
        decoded.problem = decoded.problem ?? inner.decoded.problem
        rest = rest.dropFirst(octets.count - inner.rest.count)
    }

    private mutating func takeRecords(_ field: ValueField) {
        while let size = rest.first, decoded.problem == nil {
            let record = rest.prefix(max(1, Int(size)))
            inner(field.fields, in: record)
            // What a record has behind the fields that are known is left alone: its size says where the next one begins.
            if record.count < Int(size) { complain("\(field.name) has \(size) octets, but there are \(record.count)") }
            if record.endIndex > rest.startIndex { rest = rest.dropFirst(record.endIndex - rest.startIndex) }
        }
    }

    mutating func add(_ name: String, _ value: DecodedField.Value, unit: String = "") {
        decoded.fields.append(DecodedField(name, value, unit: unit))
    }

    mutating func complain(_ problem: String) {
        decoded.problem = decoded.problem ?? problem
    }

    /// So many octets, or all; nil where there are fewer, and then that is told.
    mutating func take(_ count: Int?, of field: ValueField) -> ArraySlice<UInt8>? {
        let count = count ?? rest.count
        guard rest.count >= count else {
            complain(
                rest.isEmpty
                    ? "ends before \(field.name)"
                    : "\(field.name) has \(count) octets, but there \(rest.count == 1 ? "is 1" : "are \(rest.count)")")
            rest = []
            return nil
        }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// A number, little endian; nil where there are too few octets for it, and then that is told.
    mutating func number(_ octets: Int, of field: ValueField) -> UInt64? {
        guard let octets = take(octets, of: field) else { return nil }
        let number = octets.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        before = number
        if field.isFlags { flags = number }
        return number
    }
}
