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

    // The verbs of fixed size are inlined into the PDUs that use them; what goes wrong is not, so that little code is
    // added for each field.

    @inline(never)
    private func truncated(_ name: StaticString, _ count: Int) -> WireError {
        .truncated(field: name.description, offset: offset, needed: count, available: remaining)
    }

    @inline(never)
    private func outOfRange(_ name: StaticString, _ width: Int, _ value: UInt64) -> WireError {
        .outOfRange(field: name.description, offset: offset &- width, value: value)
    }

    @inline(never)
    private func tooLong(_ name: StaticString, _ count: Int, _ limit: Int) -> WireError {
        .tooLong(field: name.description, count: count, limit: limit)
    }

    @inline(__always)
    private mutating func take(_ name: StaticString, _ count: Int) throws(WireError) -> Int {
        guard count <= remaining else { throw truncated(name, count) }
        let start = offset
        offset &+= count
        return start
    }

    /// The caller has taken the octets.
    @inline(__always)
    private func unchecked<T: FixedWidthInteger & BitwiseCopyable>(_ start: Int, as type: T.Type) -> T {
        unsafe T(littleEndian: span.unsafeLoadUnaligned(fromUncheckedByteOffset: start, as: T.self))
    }

    @inline(__always)
    private mutating func load<T: FixedWidthInteger & BitwiseCopyable>(
        _ name: StaticString, as type: T.Type
    ) throws(WireError) -> T {
        unchecked(try take(name, MemoryLayout<T>.size), as: T.self)
    }

    @inline(__always)
    private func check<T: FixedWidthInteger>(
        _ name: StaticString, _ value: T, _ range: ClosedRange<T>
    ) throws(WireError) {
        if value < range.lowerBound || value > range.upperBound {
            throw outOfRange(name, MemoryLayout<T>.size, UInt64(truncatingIfNeeded: value))
        }
    }

    @inline(__always)
    package mutating func u8(
        _ name: StaticString, _ value: inout UInt8, in range: ClosedRange<UInt8>
    ) throws(WireError) {
        value = try load(name, as: UInt8.self)
        try check(name, value, range)
    }

    @inline(__always)
    package mutating func u16(
        _ name: StaticString, _ value: inout UInt16, in range: ClosedRange<UInt16>
    ) throws(WireError) {
        value = try load(name, as: UInt16.self)
        try check(name, value, range)
    }

    package mutating func u24(
        _ name: StaticString, _ value: inout UInt32, in range: ClosedRange<UInt32>
    ) throws(WireError) {
        let start = try take(name, 3)
        value = UInt32(unchecked(start, as: UInt16.self)) | UInt32(unchecked(start &+ 2, as: UInt8.self)) << 16
        if value < range.lowerBound || value > range.upperBound { throw outOfRange(name, 3, UInt64(value)) }
    }

    package mutating func u32(
        _ name: StaticString, _ value: inout UInt32, in range: ClosedRange<UInt32>
    ) throws(WireError) {
        value = try load(name, as: UInt32.self)
        try check(name, value, range)
    }

    package mutating func u40(_ name: StaticString, _ value: inout UInt64) throws(WireError) {
        let start = try take(name, 5)
        value = UInt64(unchecked(start, as: UInt32.self)) | UInt64(unchecked(start &+ 4, as: UInt8.self)) << 32
    }

    @inline(__always)
    package mutating func u48(_ name: StaticString, _ value: inout UInt64) throws(WireError) {
        let start = try take(name, 6)
        value = UInt64(unchecked(start, as: UInt32.self)) | UInt64(unchecked(start &+ 4, as: UInt16.self)) << 32
    }

    package mutating func u64(_ name: StaticString, _ value: inout UInt64) throws(WireError) {
        value = try load(name, as: UInt64.self)
    }

    package mutating func u128(_ name: StaticString, _ value: inout UInt128) throws(WireError) {
        value = try load(name, as: UInt128.self)
    }

    @inline(__always)
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
        guard count <= limit else { throw tooLong(name, count, limit) }
        let start = try take(name, count)
        value = copy(start, count)
    }

    package mutating func counted8(_ name: StaticString, _ value: inout [UInt8], limit: Int) throws(WireError) {
        let count = Int(try load(name, as: UInt8.self))
        guard count <= limit else { throw tooLong(name, count, limit) }
        let start = try take(name, count)
        value = copy(start, count)
    }

    package mutating func counted16(_ name: StaticString, _ value: inout [UInt8], limit: Int) throws(WireError) {
        let count = Int(try load(name, as: UInt16.self))
        guard count <= limit else { throw tooLong(name, count, limit) }
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
        guard count > 0 else {
            value = []
            return
        }
        // One element is what most lists have: its array is made in one go.
        var first = Element()
        try first.visitFields(&self)
        value = [first]
        if count == 1 { return }
        // Each element has an octet at least: a count that lies reserves no more than there can be.
        value.reserveCapacity(min(count, remaining &+ 1))
        for _ in 1..<count {
            var element = Element()
            try element.visitFields(&self)
            value.append(element)
        }
    }

    package mutating func reserved(octets count: Int) throws(WireError) {
        _ = try take("Reserved", count)
    }

    private func copy(_ start: Int, _ count: Int) -> [UInt8] {
        if count == 0 { return [] }
        return unsafe span.extracting(start..<(start &+ count)).withUnsafeBytes { unsafe [UInt8]($0) }
    }
}
