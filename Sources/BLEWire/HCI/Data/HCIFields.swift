/// Fields that many HCI packets share. [Vol 4, Part E, 5.2]
extension FieldVisitor where Self: ~Copyable, Self: ~Escapable {
    /// A connection handle: 12 bits of 16. [Vol 4, Part E, 5.3.1]
    @inline(__always)
    package mutating func handle(_ value: inout ConnectionHandle) throws(WireError) {
        try field("Connection_Handle", &value, in: 0...0x0EFF)
    }

    /// An octet that is 0 or 1.
    @inline(__always)
    package mutating func flag(_ name: StaticString, _ value: inout Bool) throws(WireError) {
        var raw: UInt8 = value ? 1 : 0
        try u8(name, &raw, in: 0...1)
        value = raw != 0
    }

    /// An address behind its type.
    @inline(__always)
    package mutating func address(
        _ typeName: StaticString, _ name: StaticString, _ value: inout DeviceAddress,
        kinds: ClosedRange<UInt8> = 0...0xFF
    ) throws(WireError) {
        try field(typeName, &value.kind, in: kinds)
        try u48(name, &value.bits)
    }

    /// An address whose type is known from elsewhere.
    @inline(__always)
    package mutating func address(_ name: StaticString, _ value: inout DeviceAddress) throws(WireError) {
        try u48(name, &value.bits)
    }

    /// The status at the head of return parameters. Answers false where nothing follows it: a command that failed
    /// need not return the rest. [Vol 4, Part E, 7.7.14]
    @inline(__always)
    package mutating func returnStatus(_ value: inout HCIStatus) throws(WireError) -> Bool {
        try field("Status", &value)
        return value == .success || hasMore(ifWriting: true)
    }

    /// A count and a part of fixed size of which so many octets are significant, the rest being zero.
    package mutating func padded(
        _ countName: StaticString, _ name: StaticString, _ value: inout [UInt8], size: UInt8
    ) throws(WireError) {
        var count = UInt8(clamping: value.count)
        try u8(countName, &count, in: 0...size)
        var whole = value
        if whole.count < Int(size) { whole += [UInt8](repeating: 0, count: Int(size) - whole.count) }
        try octets(name, &whole, count: Int(size))
        value = Array(whole.prefix(Int(count)))
    }
}
