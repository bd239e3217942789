package import BLEWire

/// One packet on the air, for a capture (link type 256).
package struct AirPacket: Equatable, Sendable {
    /// Who sends, where that is known from the packet's place.
    package enum Direction: Sendable { case advertising, centralToPeripheral, peripheralToCentral }

    /// The start of the preamble.
    package var time: Instant
    /// The link layer's channel index: 37, 38 and 39 are the advertising channels. [Vol 6, Part B, 1.4.1]
    package var channel: UInt8
    package var phy: PhysicalLayer
    package var accessAddress: UInt32
    /// Header and payload, not whitened.
    package var pdu: [UInt8]
    /// As sent; it does not fit the PDU where `isCRCValid` is false.
    package var crc: UInt32
    package var isCRCValid: Bool
    /// In dBm, at the receiver it is meant for, or at one metre where there is none.
    package var rssi: Int8
    package var direction: Direction

    package init(
        time: Instant, channel: UInt8, phy: PhysicalLayer, accessAddress: UInt32, pdu: [UInt8], crc: UInt32,
        isCRCValid: Bool, rssi: Int8, direction: Direction
    ) {
        self.time = time
        self.channel = channel
        self.phy = phy
        self.accessAddress = accessAddress
        self.pdu = pdu
        self.crc = crc
        self.isCRCValid = isCRCValid
        self.rssi = rssi
        self.direction = direction
    }
}
