/// Reads fields from octets that it borrows.
///
/// This is the one file that needs the experimental feature `Lifetimes`: a reader that stores a `RawSpan` can't
/// escape it.
package struct WireReader: FieldVisitor, ~Copyable, ~Escapable {
    private let span: RawSpan
    /// Octets read so far.
    package private(set) var offset = 0

    @_lifetime(copy span)
    package init(_ span: RawSpan) {
        self.span = span
    }

    /// Octets that are left.
    package var remaining: Int { span.byteCount &- offset }

    package func hasMore(ifWriting: Bool) -> Bool { remaining > 0 }

    /// Fails when octets are left over.
    package func end() throws(WireError) {
        if remaining > 0 { throw .trailing(offset: offset, count: remaining) }
    }

    @inline(__always)
    private mutating func take(_ name: StaticString, _ count: Int) throws(WireError) -> Int {
        guard count <= remaining else {
            throw .truncated(field: name.description, offset: offset, needed: count, available: remaining)
        }
        let start = offset
        offset &+= count
        return start
    }

    @inline(__always)
    private mutating func load<T: FixedWidthInteger & BitwiseCopyable>(
        _ name: StaticString, as type: T.Type
    ) throws(WireError) -> T {
        let start = try take(name, MemoryLayout<T>.size)
        return unsafe T(littleEndian: span.unsafeLoadUnaligned(fromUncheckedByteOffset: start, as: T.self))
    }

    @inline(__always)
    private func check<T: FixedWidthInteger>(
        _ name: StaticString, _ value: T, _ range: ClosedRange<T>
    ) throws(WireError) {
        if !range.contains(value) {
            throw .outOfRange(
                field: name.description, offset: offset - MemoryLayout<T>.size, value: UInt64(truncatingIfNeeded: value)
            )
        }
    }

    package mutating func u8(
        _ name: StaticString, _ value: inout UInt8, in range: ClosedRange<UInt8>
    ) throws(WireError) {
        value = try load(name, as: UInt8.self)
        try check(name, value, range)
    }

    package mutating func u16(
        _ name: StaticString, _ value: inout UInt16, in range: ClosedRange<UInt16>
    ) throws(WireError) {
        value = try load(name, as: UInt16.self)
        try check(name, value, range)
    }

    package mutating func u24(
        _ name: StaticString, _ value: inout UInt32, in range: ClosedRange<UInt32>
    ) throws(WireError) {
        value = UInt32(try partial(name, 3))
        if !range.contains(value) {
            throw .outOfRange(field: name.description, offset: offset - 3, value: UInt64(value))
        }
    }

    package mutating func u32(
        _ name: StaticString, _ value: inout UInt32, in range: ClosedRange<UInt32>
    ) throws(WireError) {
        value = try load(name, as: UInt32.self)
        try check(name, value, range)
    }

    package mutating func u40(_ name: StaticString, _ value: inout UInt64) throws(WireError) {
        value = try partial(name, 5)
    }

    package mutating func u48(_ name: StaticString, _ value: inout UInt64) throws(WireError) {
        value = try partial(name, 6)
    }

    package mutating func u64(_ name: StaticString, _ value: inout UInt64) throws(WireError) {
        value = try load(name, as: UInt64.self)
    }

    package mutating func u128(_ name: StaticString, _ value: inout UInt128) throws(WireError) {
        value = try load(name, as: UInt128.self)
    }

    package mutating func i8(
        _ name: StaticString, _ value: inout Int8, in range: ClosedRange<Int8>
    ) throws(WireError) {
        value = try load(name, as: Int8.self)
        try check(name, value, range)
    }

    package mutating func octets(_ name: StaticString, _ value: inout [UInt8], count: Int) throws(WireError) {
        let start = try take(name, count)
        value = copy(start, count)
    }

    package mutating func rest(_ name: StaticString, _ value: inout [UInt8], limit: Int) throws(WireError) {
        let count = remaining
        guard count <= limit else { throw .tooLong(field: name.description, count: count, limit: limit) }
        let start = try take(name, count)
        value = copy(start, count)
    }

    package mutating func counted8(_ name: StaticString, _ value: inout [UInt8], limit: Int) throws(WireError) {
        let count = Int(try load(name, as: UInt8.self))
        guard count <= limit else { throw .tooLong(field: name.description, count: count, limit: limit) }
        let start = try take(name, count)
        value = copy(start, count)
    }

    package mutating func counted16(_ name: StaticString, _ value: inout [UInt8], limit: Int) throws(WireError) {
        let count = Int(try load(name, as: UInt16.self))
        guard count <= limit else { throw .tooLong(field: name.description, count: count, limit: limit) }
        let start = try take(name, count)
        value = copy(start, count)
    }

    package mutating func list<Element: FieldStructure>(
        _ name: StaticString, _ value: inout [Element]
    ) throws(WireError) {
        value.removeAll(keepingCapacity: true)
        while remaining > 0 {
            let before = offset
            var element = Element()
            try element.visitFields(&self)
            precondition(offset > before, "a list element without octets")
            value.append(element)
        }
    }

    package mutating func list<Element: FieldStructure>(
        _ name: StaticString, _ value: inout [Element], count: Int
    ) throws(WireError) {
        value.removeAll(keepingCapacity: true)
        for _ in 0..<count {
            var element = Element()
            try element.visitFields(&self)
            value.append(element)
        }
    }

    package mutating func reserved(octets count: Int) throws(WireError) {
        _ = try take("Reserved", count)
    }

    private mutating func partial(_ name: StaticString, _ count: Int) throws(WireError) -> UInt64 {
        let start = try take(name, count)
        var value: UInt64 = 0
        for index in (0..<count).reversed() {
            value = value << 8 | UInt64(unsafe span.unsafeLoad(fromUncheckedByteOffset: start &+ index, as: UInt8.self))
        }
        return value
    }

    private func copy(_ start: Int, _ count: Int) -> [UInt8] {
        if count == 0 { return [] }
        return unsafe span.extracting(start..<(start &+ count)).withUnsafeBytes { unsafe [UInt8]($0) }
    }
}
