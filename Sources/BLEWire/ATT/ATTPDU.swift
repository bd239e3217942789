/// A PDU of the Attribute Protocol. `visitFields` walks what follows the opcode. [Vol 3, Part F, 3.4]
package protocol ATTPDU: WirePDU {
    static var opcode: ATTOpcode { get }
}

extension ATTPDU {
    /// The whole PDU, opcode first. For cold users; hot ones go through `ATTPacket`.
    package func pdu() throws(WireError) -> [UInt8] {
        try encodedBehindOpcode(reserving: 0)
    }

    /// The whole PDU in a buffer that has room for `count` octets behind the opcode.
    @inline(__always)
    func encodedBehindOpcode(reserving count: Int) throws(WireError) -> [UInt8] {
        var writer = WireWriter(reserving: count &+ 1)
        writer.append(Self.opcode.rawValue)
        try encode(into: &writer)
        return writer.finish()
    }

    /// Reads the fields behind the opcode up to the end of the PDU.
    @inline(__always)
    init(behindOpcode reader: inout WireReader) throws(WireError) {
        self.init()
        try visitFields(&reader)
        try reader.end()
    }
}

extension FieldVisitor where Self: ~Copyable, Self: ~Escapable {
    /// A UUID of 2 octets, or of 16 where more octets follow. [Vol 3, Part F, 3.2.1]
    @inline(__always)
    mutating func attUUID(_ name: StaticString, _ uuid: inout BluetoothUUID) throws(WireError) {
        let isShort = uuid.width == .bits16
        var low = UInt16(truncatingIfNeeded: isShort ? uuid.full >> 96 : uuid.full)
        try u16(name, &low)
        guard hasMore(ifWriting: !isShort) else {
            uuid = BluetoothUUID(low)
            return
        }
        var middle = UInt64(truncatingIfNeeded: uuid.full >> 16) & 0xFFFF_FFFF_FFFF
        var high = UInt64(truncatingIfNeeded: uuid.full >> 64)
        try u48(name, &middle)
        try u64(name, &high)
        uuid = BluetoothUUID(full: UInt128(high) << 64 | UInt128(middle) << 16 | UInt128(low))
    }
}
