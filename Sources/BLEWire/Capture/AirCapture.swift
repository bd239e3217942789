/// A link layer packet as a capture of link type 256 holds it: what the radio knew, then the packet from its access
/// address on, not whitened. [Vol 6, Part B, 2.1]
package struct AirCapture: Equatable, Sendable {
    /// Who sends to whom, where that is known from the packet's place.
    package enum Direction: Sendable { case advertising, centralToPeripheral, peripheralToCentral }

    /// The link layer's channel index: 37, 38 and 39 are the primary advertising channels. [Vol 6, Part B, 1.4.1]
    package var channel: UInt8
    package var phy: PhysicalLayer
    /// dBm.
    package var rssi: Int8
    package var accessAddress: UInt32
    package var direction: Direction
    /// Header and payload.
    package var pdu: [UInt8]
    /// The register after the PDU: sent least significant octet first.
    package var crc: UInt32
    package var isCRCValid: Bool

    package init(
        channel: UInt8, phy: PhysicalLayer, rssi: Int8, accessAddress: UInt32, direction: Direction, pdu: [UInt8],
        crc: UInt32, isCRCValid: Bool
    ) {
        self.channel = channel
        self.phy = phy
        self.rssi = rssi
        self.accessAddress = accessAddress
        self.direction = direction
        self.pdu = pdu
        self.crc = crc
        self.isCRCValid = isCRCValid
    }

    /// The channel by its frequency: 0 is 2402 MHz, each further one 2 MHz more. [Vol 6, Part B, 1.4.1]
    package static func radioChannel(_ index: UInt8) -> UInt8 {
        switch index {
        case 37: 0
        case 38: 12
        case 39: 39
        case 0...10: index + 1
        default: min(index, 36) + 2
        }
    }

    /// Bits of the flags of the radio's header.
    private enum Flag {
        static let isDewhitened: UInt16 = 0x0001
        static let hasSignalPower: UInt16 = 0x0002
        static let hasReferenceAddress: UInt16 = 0x0010
        static let isCRCChecked: UInt16 = 0x0400
        static let isCRCValid: UInt16 = 0x0800
        static let directionShift: UInt16 = 7
        static let phyShift: UInt16 = 14
    }

    private var flags: UInt16 {
        var flags = Flag.isDewhitened | Flag.hasSignalPower | Flag.hasReferenceAddress | Flag.isCRCChecked
        if isCRCValid { flags |= Flag.isCRCValid }
        switch direction {
        // Packets of advertising beside the primary channels have a type of their own.
        case .advertising: if channel < 37 { flags |= 1 << Flag.directionShift }
        case .centralToPeripheral: flags |= 2 << Flag.directionShift
        case .peripheralToCentral: flags |= 3 << Flag.directionShift
        }
        switch phy {
        case .le1M: break
        case .le2M: flags |= 1 << Flag.phyShift
        case .codedS8, .codedS2: flags |= 2 << Flag.phyShift
        }
        return flags
    }

    /// The packet of a record.
    package func packet() -> [UInt8] {
        var octets: [UInt8] = []
        octets.reserveCapacity(18 + pdu.count)
        octets.append(Self.radioChannel(channel))
        octets.append(UInt8(bitPattern: rssi))
        // Noise power and count of wrong bits in the access address: not known, and not flagged as valid.
        octets.append(0)
        octets.append(0)
        CaptureOctets.appendLittleEndian(accessAddress, to: &octets)
        CaptureOctets.appendLittleEndian(flags, to: &octets)
        CaptureOctets.appendLittleEndian(accessAddress, to: &octets)
        // The coding indicator: 0 is S=8, 1 is S=2. [Vol 6, Part B, 2.2.3]
        if phy.isCoded { octets.append(phy == .codedS2 ? 1 : 0) }
        octets.append(contentsOf: pdu)
        for shift in [UInt32(0), 8, 16] { octets.append(UInt8(truncatingIfNeeded: crc >> shift)) }
        return octets
    }
}
