/// How long packets take on the air. [Vol 6, Part B, 2.1], [Vol 6, Part B, 2.2]
package enum AirTime {
    /// The space between two packets of one event. [Vol 6, Part B, 4.1.1]
    package static let interFrameSpace = Delay.microseconds(150)
    /// T_MAFS: the least space before an auxiliary packet. [Vol 6, Part B, 4.1.2]
    package static let auxiliaryFrameSpace = Delay.microseconds(300)

    /// The time of a packet whose PDU has `payload` octets behind its header of two octets.
    package static func packet(payload: Int, on phy: PhysicalLayer) -> Delay {
        .microseconds(microseconds(payload: payload, on: phy))
    }

    /// The same in microseconds.
    package static func microseconds(payload: Int, on phy: PhysicalLayer) -> Int64 {
        let count = Int64(payload)
        switch phy {
        // Preamble 1, access address 4, header 2 and CRC 3 octets, 8 µs each.
        case .le1M: return (count + 10) * 8
        // The preamble has 2 octets; 4 µs each.
        case .le2M: return (count + 11) * 4
        // Preamble 80 µs, access address 256, coding indicator 16, TERM1 24; then 8 or 2 symbols a bit, and TERM2.
        case .codedS8: return 376 + (count + 5) * 64 + 24
        case .codedS2: return 376 + (count + 5) * 16 + 6
        }
    }

    /// The longest payload that keeps within `time` microseconds, a MIC included as the limits count it.
    /// [Vol 6, Part B, 4.5.10]
    package static func longestPayload(within time: Int, on phy: PhysicalLayer) -> Int {
        let octets =
            switch phy {
            case .le1M: time / 8 - 10
            case .le2M: time / 4 - 11
            case .codedS8: (time - 400) / 64 - 5
            case .codedS2: (time - 382) / 16 - 5
            }
        return max(0, octets - 4)
    }

    /// Microseconds that a PDU of `payload` octets with a MIC takes: how the length procedure counts time.
    /// [Vol 6, Part B, 4.5.10]
    package static func limit(payload: Int, on phy: PhysicalLayer) -> Int {
        Int(microseconds(payload: payload + 4, on: phy))
    }
}
