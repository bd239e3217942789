/// The data of a signalling command. [Vol 3, Part A, 4]
package protocol L2CAPSignallingPDU: WirePDU {
    static var code: L2CAPSignallingCode { get }
}

extension L2CAPSignallingPDU {
    /// A whole PDU of the signalling channel: basic header, code, identifier, length, data.
    package func pdu(identifier: UInt8) -> [UInt8] {
        var writer = WireWriter(unchecked: 24)
        for _ in 0..<L2CAPSignallingPacket.headerLength { writer.append(0) }
        try? encode(into: &writer)
        return L2CAPSignallingPacket.finish(writer.finish(), code: Self.code, identifier: identifier)
    }
}

/// A channel in a list of channels. [Vol 3, Part A, 4.25]
package struct L2CAPChannelElement: FieldStructure, Equatable {
    package var channel = ChannelIdentifier(rawValue: 0)

    package init() {}
    package init(_ channel: ChannelIdentifier) { self.channel = channel }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("CID", &channel)
    }
}

/// What arrives on the signalling channel: one command with its identifier. [Vol 3, Part A, 4]
package struct L2CAPSignallingPacket: Equatable, Sendable {
    /// The least that every LE device can receive on the signalling channel. [Vol 3, Part A, 4]
    package static let minimumMTU = 23
    /// Octets of basic header, code, identifier and length.
    static let headerLength = L2CAPHeader.length + 4

    package var identifier: UInt8
    package var signal: L2CAPSignal

    package init(identifier: UInt8, signal: L2CAPSignal) {
        self.identifier = identifier
        self.signal = signal
    }

    /// Reads what the basic header enclosed. Throws where not even code, identifier and length are there or the length
    /// isn't that of the data: LE allows one command in a PDU.
    package init(decoding span: RawSpan) throws(WireError) {
        var reader = WireReader(span)
        var code = L2CAPSignallingCode(rawValue: 0)
        var length: UInt16 = 0
        identifier = 0
        try reader.field("Code", &code)
        try reader.u8("Identifier", &identifier, in: 1...0xFF)
        try reader.u16("Data Length", &length)
        guard reader.remaining >= Int(length) else {
            throw .truncated(field: "Data", offset: 4, needed: Int(length), available: reader.remaining)
        }
        guard reader.remaining == Int(length) else {
            throw .trailing(offset: 4 + Int(length), count: reader.remaining - Int(length))
        }
        signal = L2CAPSignal(code, data: span.extracting(droppingFirst: 4))
    }

    package init(decoding octets: [UInt8]) throws(WireError) {
        try unsafe self.init(decoding: octets.span.bytes)
    }

    /// A whole PDU of the signalling channel.
    package func pdu() -> [UInt8] {
        var writer = WireWriter(unchecked: 24)
        for _ in 0..<Self.headerLength { writer.append(0) }
        try? signal.encode(into: &writer)
        return Self.finish(writer.finish(), code: signal.code, identifier: identifier)
    }

    /// Writes the headers in front of the data.
    static func finish(_ octets: consuming [UInt8], code: L2CAPSignallingCode, identifier: UInt8) -> [UInt8] {
        let length = UInt16(clamping: octets.count - headerLength)
        L2CAPHeader.write(payloadLength: octets.count - L2CAPHeader.length, channel: .signalling, into: &octets)
        octets[4] = code.rawValue
        octets[5] = identifier
        octets[6] = UInt8(truncatingIfNeeded: length)
        octets[7] = UInt8(truncatingIfNeeded: length >> 8)
        return octets
    }
}
