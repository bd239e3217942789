/// What walks the fields of a PDU in their order on the wire.
///
/// A PDU declares its fields once, in `visitFields`; the reader, the writer, the dissector and the generator
/// are visitors over that one declaration. Multi-octet integers are least significant octet first
/// [Vol 3, Part F, 3.3.1], [Vol 4, Part E, 5.2] unless the verb says otherwise.
package protocol FieldVisitor: ~Copyable, ~Escapable {
    mutating func u8(_ name: StaticString, _ value: inout UInt8, in range: ClosedRange<UInt8>) throws(WireError)
    mutating func u16(_ name: StaticString, _ value: inout UInt16, in range: ClosedRange<UInt16>) throws(WireError)
    mutating func u24(_ name: StaticString, _ value: inout UInt32, in range: ClosedRange<UInt32>) throws(WireError)
    mutating func u32(_ name: StaticString, _ value: inout UInt32, in range: ClosedRange<UInt32>) throws(WireError)
    /// A 40-bit field, such as a channel map.
    mutating func u40(_ name: StaticString, _ value: inout UInt64) throws(WireError)
    /// A 48-bit field, such as a device address.
    mutating func u48(_ name: StaticString, _ value: inout UInt64) throws(WireError)
    mutating func u64(_ name: StaticString, _ value: inout UInt64) throws(WireError)
    mutating func u128(_ name: StaticString, _ value: inout UInt128) throws(WireError)
    mutating func i8(_ name: StaticString, _ value: inout Int8, in range: ClosedRange<Int8>) throws(WireError)
    /// Exactly `count` octets.
    mutating func octets(_ name: StaticString, _ value: inout [UInt8], count: Int) throws(WireError)
    /// All octets up to the end of the PDU, `limit` at most.
    mutating func rest(_ name: StaticString, _ value: inout [UInt8], limit: Int) throws(WireError)
    /// Octets with a one-octet count before them.
    mutating func counted8(_ name: StaticString, _ value: inout [UInt8], limit: Int) throws(WireError)
    /// Octets with a two-octet count before them.
    mutating func counted16(_ name: StaticString, _ value: inout [UInt8], limit: Int) throws(WireError)
    /// Structures up to the end of the PDU.
    mutating func list<Element: FieldStructure>(_ name: StaticString, _ value: inout [Element]) throws(WireError)
    /// Exactly `count` structures. A writer writes those it is given.
    mutating func list<Element: FieldStructure>(
        _ name: StaticString, _ value: inout [Element], count: Int
    ) throws(WireError)
    /// Octets that are reserved for future use: written as zero, ignored when read [Vol 1, Part E, 1.1.3].
    mutating func reserved(octets count: Int) throws(WireError)

    /// What the value of the field before means, for those who print.
    mutating func meaning(_ text: @autoclosure () -> String?)

    /// Whether octets are left to be read. A writer, dissector or generator answers with `ifWriting`.
    func hasMore(ifWriting: Bool) -> Bool
}

/// Something with fields: a PDU, or a structure that is repeated inside of one.
package protocol FieldStructure: Sendable {
    init()
    /// Walks the fields in their order on the wire.
    mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ visitor: inout V) throws(WireError)
}

extension FieldVisitor where Self: ~Copyable, Self: ~Escapable {
    @inline(__always)
    package mutating func meaning(_ text: @autoclosure () -> String?) {}

    package mutating func u8(_ name: StaticString, _ value: inout UInt8) throws(WireError) {
        try u8(name, &value, in: 0...0xFF)
    }
    package mutating func u16(_ name: StaticString, _ value: inout UInt16) throws(WireError) {
        try u16(name, &value, in: 0...0xFFFF)
    }
    package mutating func u24(_ name: StaticString, _ value: inout UInt32) throws(WireError) {
        try u24(name, &value, in: 0...0xFF_FFFF)
    }
    package mutating func u32(_ name: StaticString, _ value: inout UInt32) throws(WireError) {
        try u32(name, &value, in: 0...0xFFFF_FFFF)
    }
    package mutating func i8(_ name: StaticString, _ value: inout Int8) throws(WireError) {
        try i8(name, &value, in: -128...127)
    }
    package mutating func rest(_ name: StaticString, _ value: inout [UInt8]) throws(WireError) {
        try rest(name, &value, limit: 0xFFFF)
    }

    /// An open enumeration or option set over one octet.
    package mutating func field<T: WireCode>(
        _ name: StaticString, _ value: inout T, in range: ClosedRange<UInt8> = 0...0xFF
    ) throws(WireError) where T.RawValue == UInt8 {
        var raw = value.rawValue
        try u8(name, &raw, in: range)
        value = T(rawValue: raw)
        let code = value
        meaning((code as? any NamedCode)?.codeName)
    }
    /// An open enumeration, option set or handle over two octets.
    package mutating func field<T: WireCode>(
        _ name: StaticString, _ value: inout T, in range: ClosedRange<UInt16> = 0...0xFFFF
    ) throws(WireError) where T.RawValue == UInt16 {
        var raw = value.rawValue
        try u16(name, &raw, in: range)
        value = T(rawValue: raw)
        let code = value
        meaning((code as? any NamedCode)?.codeName)
    }
    /// An option set over four octets.
    package mutating func field<T: WireCode>(_ name: StaticString, _ value: inout T) throws(WireError)
    where T.RawValue == UInt32 {
        var raw = value.rawValue
        try u32(name, &raw)
        value = T(rawValue: raw)
    }
    /// An option set over eight octets.
    package mutating func field<T: WireCode>(_ name: StaticString, _ value: inout T) throws(WireError)
    where T.RawValue == UInt64 {
        var raw = value.rawValue
        try u64(name, &raw)
        value = T(rawValue: raw)
    }
}

/// A value with a fixed size on the wire whose every bit pattern survives: open enumerations, option sets, handles.
package protocol WireCode: RawRepresentable, Hashable, Sendable where RawValue: FixedWidthInteger & Sendable {
    init(rawValue: RawValue)
}
