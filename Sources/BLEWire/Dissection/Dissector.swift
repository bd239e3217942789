/// Prints the fields of a PDU with their places: `[6..<12] Address: C0:11:22:33:44:55`.
///
/// It stops at a field that is wrong, by throwing what is wrong with it; the lines up to there stay.
package struct Dissector: FieldVisitor {
    private let octets: [UInt8]
    /// Where the PDU ends.
    private let end: Int
    /// Where the next field begins, counted from the start of `octets`.
    package private(set) var offset: Int
    package private(set) var lines: [String] = []
    private var indent: String

    /// Looks at the octets in `range`; offsets are printed as those in the whole.
    package init(_ octets: [UInt8], in range: Range<Int>, indent: String = "") {
        self.octets = octets
        let range = range.clamped(to: 0..<octets.count)
        offset = range.lowerBound
        end = range.upperBound
        self.indent = indent
    }

    package func hasMore(ifWriting: Bool) -> Bool { offset < end }

    package mutating func meaning(_ text: @autoclosure () -> String?) {
        if let text = text(), let line = lines.popLast() { lines.append("\(line) \(text)") }
    }

    private mutating func take(_ name: StaticString, _ count: Int) throws(WireError) -> Range<Int> {
        guard count <= end - offset else {
            throw .truncated(field: name.description, offset: offset, needed: count, available: end - offset)
        }
        defer { offset += count }
        return offset..<(offset + count)
    }

    private mutating func line(_ range: Range<Int>, _ name: StaticString, _ text: String) {
        lines.append("\(indent)[\(range.lowerBound)..<\(range.upperBound)] \(name): \(text)")
    }

    private func integer(_ range: Range<Int>) -> UInt64 {
        range.reversed().reduce(0) { $0 << 8 | UInt64(octets[$1]) }
    }

    private mutating func unsigned(
        _ name: StaticString, _ count: Int, in limits: ClosedRange<UInt64>
    ) throws(WireError) -> UInt64 {
        let range = try take(name, count)
        let value = integer(range)
        let digits = String(value, radix: 16, uppercase: true)
        let hex = String(repeating: "0", count: max(0, 2 * count - digits.count)) + digits
        line(range, name, count <= 4 ? "\(value) (0x\(hex))" : "0x\(hex)")
        guard limits.contains(value) else {
            throw .outOfRange(field: name.description, offset: range.lowerBound, value: value)
        }
        return value
    }

    package mutating func u8(
        _ name: StaticString, _ value: inout UInt8, in range: ClosedRange<UInt8>
    ) throws(WireError) {
        value = UInt8(
            truncatingIfNeeded: try unsigned(name, 1, in: UInt64(range.lowerBound)...UInt64(range.upperBound)))
    }
    package mutating func u16(
        _ name: StaticString, _ value: inout UInt16, in range: ClosedRange<UInt16>
    ) throws(WireError) {
        value = UInt16(
            truncatingIfNeeded: try unsigned(name, 2, in: UInt64(range.lowerBound)...UInt64(range.upperBound)))
    }
    package mutating func u24(
        _ name: StaticString, _ value: inout UInt32, in range: ClosedRange<UInt32>
    ) throws(WireError) {
        value = UInt32(
            truncatingIfNeeded: try unsigned(name, 3, in: UInt64(range.lowerBound)...UInt64(range.upperBound)))
    }
    package mutating func u32(
        _ name: StaticString, _ value: inout UInt32, in range: ClosedRange<UInt32>
    ) throws(WireError) {
        value = UInt32(
            truncatingIfNeeded: try unsigned(name, 4, in: UInt64(range.lowerBound)...UInt64(range.upperBound)))
    }
    package mutating func u40(_ name: StaticString, _ value: inout UInt64) throws(WireError) {
        value = try unsigned(name, 5, in: 0...UInt64.max)
    }
    package mutating func u48(_ name: StaticString, _ value: inout UInt64) throws(WireError) {
        let range = try take(name, 6)
        value = integer(range)
        line(range, name, Hex.string(octets[range].reversed(), separator: ":"))
    }
    package mutating func u64(_ name: StaticString, _ value: inout UInt64) throws(WireError) {
        value = try unsigned(name, 8, in: 0...UInt64.max)
    }
    package mutating func u128(_ name: StaticString, _ value: inout UInt128) throws(WireError) {
        let range = try take(name, 16)
        value = range.reversed().reduce(0) { $0 << 8 | UInt128(octets[$1]) }
        line(range, name, "0x" + Hex.string(octets[range].reversed()))
    }
    package mutating func i8(_ name: StaticString, _ value: inout Int8, in range: ClosedRange<Int8>) throws(WireError) {
        let place = try take(name, 1)
        value = Int8(bitPattern: octets[place.lowerBound])
        line(place, name, "\(value)")
        guard range.contains(value) else {
            throw .outOfRange(
                field: name.description, offset: place.lowerBound, value: UInt64(truncatingIfNeeded: value))
        }
    }

    package mutating func octets(_ name: StaticString, _ value: inout [UInt8], count: Int) throws(WireError) {
        let range = try take(name, count)
        value = Array(octets[range])
        line(range, name, value.isEmpty ? "none" : Hex.string(value, separator: " "))
    }

    package mutating func rest(_ name: StaticString, _ value: inout [UInt8], limit: Int) throws(WireError) {
        let count = end - offset
        guard count <= limit else { throw .tooLong(field: name.description, count: count, limit: limit) }
        try octets(name, &value, count: count)
    }

    package mutating func counted8(_ name: StaticString, _ value: inout [UInt8], limit: Int) throws(WireError) {
        try counted(name, &value, by: 1, limit: limit)
    }

    package mutating func counted16(_ name: StaticString, _ value: inout [UInt8], limit: Int) throws(WireError) {
        try counted(name, &value, by: 2, limit: limit)
    }

    private mutating func counted(
        _ name: StaticString, _ value: inout [UInt8], by width: Int, limit: Int
    ) throws(WireError) {
        let range = try take(name, width)
        let count = Int(integer(range))
        line(range, "Length", "\(count)")
        guard count <= limit else { throw .tooLong(field: name.description, count: count, limit: limit) }
        try octets(name, &value, count: count)
    }

    package mutating func list<Element: FieldStructure>(
        _ name: StaticString, _ value: inout [Element]
    ) throws(WireError) {
        value = []
        while offset < end {
            let before = offset
            try element(name, &value)
            precondition(offset > before, "a list element without octets")
        }
    }

    package mutating func list<Element: FieldStructure>(
        _ name: StaticString, _ value: inout [Element], count: Int
    ) throws(WireError) {
        value = []
        for _ in 0..<count { try element(name, &value) }
    }

    private mutating func element<Element: FieldStructure>(
        _ name: StaticString, _ value: inout [Element]
    ) throws(WireError) {
        lines.append("\(indent)\(name)[\(value.count)]")
        let outer = indent
        indent += "  "
        defer { indent = outer }
        var element = Element()
        try element.visitFields(&self)
        value.append(element)
    }

    package mutating func reserved(octets count: Int) throws(WireError) {
        let range = try take("Reserved", count)
        line(range, "Reserved", Hex.string(octets[range], separator: " "))
    }
}
