/// A whole packet of an uncoded PHY as its bits are sent. [Vol 6, Part B, 2.1]
package enum AirFrame {
    /// Preamble, access address, and the whitened PDU with its CRC, each octet least significant bit first.
    package static func octets(
        pdu: [UInt8], accessAddress: UInt32, crcInit: UInt32, channel: UInt8, phy: PhysicalLayer = .le1M
    ) -> [UInt8] {
        // The preamble alternates and ends so that the access address goes on alternating.
        let preamble: UInt8 = accessAddress & 1 == 0 ? 0xAA : 0x55
        var frame = [UInt8](repeating: preamble, count: phy == .le2M ? 2 : 1)
        for shift in [UInt32(0), 8, 16, 24] { frame.append(UInt8(truncatingIfNeeded: accessAddress >> shift)) }
        var body = pdu
        CRC24.append(to: &body, initial: crcInit)
        return frame + Whitening.apply(to: body, channel: channel)
    }
}
