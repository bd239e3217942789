/// The basic header in front of every L2CAP PDU. [Vol 3, Part A, 3.1]
package struct L2CAPHeader: WirePDU {
    package static let name: StaticString = "Basic L2CAP header"
    package static let section = SpecSection(3, "A", "3.1")
    /// Octets of it.
    package static let length = 4

    /// Octets that follow the header.
    package var payloadLength: UInt16 = 0
    package var channel = ChannelIdentifier.att

    package init() {}
    package init(payloadLength: UInt16, channel: ChannelIdentifier) {
        self.payloadLength = payloadLength
        self.channel = channel
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u16("PDU Length", &payloadLength)
        try v.field("Channel ID", &channel)
    }

    /// Reads the header at an index of octets that may go on behind it; nil where it isn't whole.
    @inline(__always)
    package init?(_ octets: [UInt8], at index: Int) {
        guard index >= 0, octets.count - index >= Self.length else { return nil }
        payloadLength = UInt16(octets[index]) | UInt16(octets[index + 1]) << 8
        channel = ChannelIdentifier(rawValue: UInt16(octets[index + 2]) | UInt16(octets[index + 3]) << 8)
    }

    /// A whole PDU. A payload above 65,535 octets is cut.
    package static func pdu(channel: ChannelIdentifier, payload: [UInt8]) -> [UInt8] {
        let count = min(payload.count, 0xFFFF)
        var pdu: [UInt8] = []
        pdu.reserveCapacity(length + count)
        pdu.append(UInt8(truncatingIfNeeded: count))
        pdu.append(UInt8(truncatingIfNeeded: count >> 8))
        pdu.append(UInt8(truncatingIfNeeded: channel.rawValue))
        pdu.append(UInt8(truncatingIfNeeded: channel.rawValue >> 8))
        pdu.append(contentsOf: count == payload.count ? payload[...] : payload[..<count])
        return pdu
    }

    /// Writes the header over the first four octets.
    static func write(payloadLength: Int, channel: ChannelIdentifier, into octets: inout [UInt8]) {
        let count = UInt16(clamping: payloadLength)
        octets[0] = UInt8(truncatingIfNeeded: count)
        octets[1] = UInt8(truncatingIfNeeded: count >> 8)
        octets[2] = UInt8(truncatingIfNeeded: channel.rawValue)
        octets[3] = UInt8(truncatingIfNeeded: channel.rawValue >> 8)
    }
}
