/// Appends fields to octets.
///
/// A checked writer refuses what the specification doesn't allow. An unchecked one never throws: it writes values
/// outside their ranges as they are, cuts what a field can't hold and fills what is missing with zeros. It serves
/// where the receiver is the judge: a controller answers a wrong command with its error code.
package struct WireWriter: FieldVisitor, ~Copyable {
    package private(set) var bytes: [UInt8]
    private let isChecked: Bool

    /// A writer that goes on behind what `bytes` holds.
    package init(appendingTo bytes: consuming [UInt8] = []) {
        self.bytes = bytes
        isChecked = true
    }

    /// A writer with room for so many octets.
    package init(reserving capacity: Int) {
        bytes = []
        bytes.reserveCapacity(capacity)
        isChecked = true
    }

    /// An unchecked writer with room for so many octets.
    package init(unchecked capacity: Int) {
        bytes = []
        bytes.reserveCapacity(capacity)
        isChecked = false
    }

    /// Appends an octet that is no field of the PDU, such as an opcode.
    @inline(__always)
    package mutating func append(_ octet: UInt8) { bytes.append(octet) }

    package consuming func finish() -> [UInt8] { bytes }

    package func hasMore(ifWriting: Bool) -> Bool { ifWriting }

    @inline(__always)
    private func check<T: FixedWidthInteger>(
        _ name: StaticString, _ value: T, _ range: ClosedRange<T>
    ) throws(WireError) {
        if isChecked, !range.contains(value) {
            throw .outOfRange(field: name.description, offset: bytes.count, value: UInt64(truncatingIfNeeded: value))
        }
    }

    /// Refuses a count that is too high, or cuts it.
    @inline(__always)
    private func limited(_ name: StaticString, _ count: Int, _ limit: Int) throws(WireError) -> Int {
        if count <= limit { return count }
        if isChecked { throw .tooLong(field: name.description, count: count, limit: limit) }
        return limit
    }

    @inline(__always)
    private mutating func append(_ octets: [UInt8], _ count: Int) {
        if count == octets.count {
            bytes.append(contentsOf: octets)
        } else {
            bytes.append(contentsOf: octets[..<count])
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
        try check(name, value, 0...0xFF_FFFF)
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
        try check(name, value, 0...0xFF_FFFF_FFFF)
        append(value, octets: 5)
    }

    package mutating func u48(_ name: StaticString, _ value: inout UInt64) throws(WireError) {
        try check(name, value, 0...0xFFFF_FFFF_FFFF)
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
        if value.count == count {
            bytes.append(contentsOf: value)
            return
        }
        if isChecked { throw .tooLong(field: name.description, count: value.count, limit: count) }
        append(value, min(count, value.count))
        try reserved(octets: max(0, count - value.count))
    }

    package mutating func rest(_ name: StaticString, _ value: inout [UInt8], limit: Int) throws(WireError) {
        append(value, try limited(name, value.count, limit))
    }

    package mutating func counted8(_ name: StaticString, _ value: inout [UInt8], limit: Int) throws(WireError) {
        let count = try limited(name, value.count, min(limit, 0xFF))
        bytes.append(UInt8(truncatingIfNeeded: count))
        append(value, count)
    }

    package mutating func counted16(_ name: StaticString, _ value: inout [UInt8], limit: Int) throws(WireError) {
        let count = try limited(name, value.count, min(limit, 0xFFFF))
        append(UInt16(truncatingIfNeeded: count), octets: 2)
        append(value, count)
    }

    package mutating func list<Element: FieldStructure>(
        _ name: StaticString, _ value: inout [Element]
    ) throws(WireError) {
        // Copies of the elements: writing through the array would copy the whole of it first.
        for element in value {
            var element = element
            try element.visitFields(&self)
        }
    }

    package mutating func list<Element: FieldStructure>(
        _ name: StaticString, _ value: inout [Element], count: Int
    ) throws(WireError) {
        if value.count != count, isChecked {
            throw .tooLong(field: name.description, count: value.count, limit: count)
        }
        for element in value.prefix(count) {
            var element = element
            try element.visitFields(&self)
        }
        for _ in value.count..<max(count, value.count) {
            var element = Element()
            try element.visitFields(&self)
        }
    }

    package mutating func reserved(octets count: Int) throws(WireError) {
        for _ in 0..<count { bytes.append(0) }
    }
}
