/// Appends fields to octets.
package struct WireWriter: FieldVisitor, ~Copyable {
    package private(set) var bytes: [UInt8]

    /// A writer that goes on behind what `bytes` holds.
    package init(appendingTo bytes: consuming [UInt8] = []) {
        self.bytes = bytes
    }

    package consuming func finish() -> [UInt8] { bytes }

    package func hasMore(ifWriting: Bool) -> Bool { ifWriting }

    @inline(__always)
    private func check<T: FixedWidthInteger>(
        _ name: StaticString, _ value: T, _ range: ClosedRange<T>
    ) throws(WireError) {
        if !range.contains(value) {
            throw .outOfRange(field: name.description, offset: bytes.count, value: UInt64(truncatingIfNeeded: value))
        }
    }

    @inline(__always)
    private mutating func append<T: FixedWidthInteger>(_ value: T, octets count: Int) {
        var rest = value
        for _ in 0..<count {
            bytes.append(UInt8(truncatingIfNeeded: rest))
            rest = count == 1 ? 0 : rest >> 8
        }
    }

    package mutating func u8(
        _ name: StaticString, _ value: inout UInt8, in range: ClosedRange<UInt8>
    ) throws(WireError) {
        try check(name, value, range)
        bytes.append(value)
    }

    package mutating func u16(
        _ name: StaticString, _ value: inout UInt16, in range: ClosedRange<UInt16>
    ) throws(WireError) {
        try check(name, value, range)
        append(value, octets: 2)
    }

    package mutating func u24(
        _ name: StaticString, _ value: inout UInt32, in range: ClosedRange<UInt32>
    ) throws(WireError) {
        guard value <= 0xFF_FFFF else {
            throw .outOfRange(field: name.description, offset: bytes.count, value: UInt64(value))
        }
        try check(name, value, range)
        append(value, octets: 3)
    }

    package mutating func u32(
        _ name: StaticString, _ value: inout UInt32, in range: ClosedRange<UInt32>
    ) throws(WireError) {
        try check(name, value, range)
        append(value, octets: 4)
    }

    package mutating func u40(_ name: StaticString, _ value: inout UInt64) throws(WireError) {
        guard value < 1 << 40 else { throw .outOfRange(field: name.description, offset: bytes.count, value: value) }
        append(value, octets: 5)
    }

    package mutating func u48(_ name: StaticString, _ value: inout UInt64) throws(WireError) {
        guard value < 1 << 48 else { throw .outOfRange(field: name.description, offset: bytes.count, value: value) }
        append(value, octets: 6)
    }

    package mutating func u64(_ name: StaticString, _ value: inout UInt64) throws(WireError) {
        append(value, octets: 8)
    }

    package mutating func u128(_ name: StaticString, _ value: inout UInt128) throws(WireError) {
        append(value, octets: 16)
    }

    package mutating func i8(
        _ name: StaticString, _ value: inout Int8, in range: ClosedRange<Int8>
    ) throws(WireError) {
        try check(name, value, range)
        bytes.append(UInt8(bitPattern: value))
    }

    package mutating func octets(_ name: StaticString, _ value: inout [UInt8], count: Int) throws(WireError) {
        guard value.count == count else { throw .tooLong(field: name.description, count: value.count, limit: count) }
        bytes.append(contentsOf: value)
    }

    package mutating func rest(_ name: StaticString, _ value: inout [UInt8], limit: Int) throws(WireError) {
        guard value.count <= limit else { throw .tooLong(field: name.description, count: value.count, limit: limit) }
        bytes.append(contentsOf: value)
    }

    package mutating func counted8(_ name: StaticString, _ value: inout [UInt8], limit: Int) throws(WireError) {
        guard value.count <= min(limit, 0xFF) else {
            throw .tooLong(field: name.description, count: value.count, limit: min(limit, 0xFF))
        }
        bytes.append(UInt8(truncatingIfNeeded: value.count))
        bytes.append(contentsOf: value)
    }

    package mutating func counted16(_ name: StaticString, _ value: inout [UInt8], limit: Int) throws(WireError) {
        guard value.count <= min(limit, 0xFFFF) else {
            throw .tooLong(field: name.description, count: value.count, limit: min(limit, 0xFFFF))
        }
        append(UInt16(truncatingIfNeeded: value.count), octets: 2)
        bytes.append(contentsOf: value)
    }

    package mutating func list<Element: FieldStructure>(
        _ name: StaticString, _ value: inout [Element]
    ) throws(WireError) {
        for index in value.indices { try value[index].visitFields(&self) }
    }

    package mutating func list<Element: FieldStructure>(
        _ name: StaticString, _ value: inout [Element], count: Int
    ) throws(WireError) {
        guard value.count == count else { throw .tooLong(field: name.description, count: value.count, limit: count) }
        try list(name, &value)
    }

    package mutating func reserved(octets count: Int) throws(WireError) {
        for _ in 0..<count { bytes.append(0) }
    }
}
