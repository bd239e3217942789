/// Puts packets together from the transfers of one USB endpoint. [Vol 4, Part B, 2]
///
/// *Role*: an endpoint carries one kind of packet, so that there is no indicator, and cuts a packet into as many transfers
/// as its size needs. Where a packet fills its last transfer, none that is shorter follows: the packet's own length counts.
///
/// *Limits*: holds one packet at most beyond what was fed last.
package struct USBAssembler: Sendable {
    private let indicator: H4Indicator
    private var buffer: [UInt8]

    package init(_ indicator: H4Indicator) {
        self.indicator = indicator
        buffer = [indicator.rawValue]
    }

    /// Octets that belong to a packet which isn't complete.
    package var pending: Int { buffer.count - 1 }

    /// Takes what a transfer brought, and appends the packets that are whole, indicator first.
    package mutating func feed(_ octets: [UInt8], into packets: inout [[UInt8]]) {
        buffer += octets
        while let length = H4Deframer.packetLength(buffer), length <= buffer.count {
            packets.append(Array(buffer[..<length]))
            buffer = [indicator.rawValue] + buffer[length...]
        }
    }
}
