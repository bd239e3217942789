/// A link layer packet as a capture of link type 256 holds it: what the radio knew, then the packet from its access
/// address on, not whitened. [Vol 6, Part B, 2.1]
package struct AirCapture: Equatable, Sendable {
    /// Who sends to whom, where that is known from the packet's place.
    package enum Direction: Sendable { case advertising, centralToPeripheral, peripheralToCentral, unknown }

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

    /// From a record of link type 256; nil where it isn't whole, or its packet was scrambled.
    package init?(record octets: [UInt8]) {
        guard octets.count >= 10 + 4 + 2 + 3 else { return nil }
        let flags = UInt16(CaptureOctets.littleEndian(octets, at: 8, count: 2))
        guard flags & Flag.isDewhitened != 0 else { return nil }
        let phy = PhysicalLayer(shifted: flags >> Flag.phyShift, isS2: octets[14] == 1)
        let start = phy.isCoded ? 15 : 14
        guard octets.count >= start + 2 + 3 else { return nil }
        accessAddress = UInt32(CaptureOctets.littleEndian(octets, at: 10, count: 4))
        pdu = Array(octets[start..<octets.count - 3])
        crc = UInt32(CaptureOctets.littleEndian(octets, at: octets.count - 3, count: 3))
        channel = Self.channelIndex(octets[0])
        self.phy = phy
        rssi = flags & Flag.hasSignalPower != 0 ? Int8(bitPattern: octets[1]) : 127
        isCRCValid = flags & Flag.isCRCChecked == 0 || flags & Flag.isCRCValid != 0
        direction =
            switch flags >> Flag.directionShift & 7 {
            case 2: .centralToPeripheral
            case 3: .peripheralToCentral
            default: accessAddress == AccessAddress.advertising ? .advertising : .unknown
            }
    }

    /// From a record of link type 251: the packet alone; nil where it isn't whole.
    package init?(linkLayer octets: [UInt8]) {
        guard octets.count >= 4 + 2 + 3 else { return nil }
        accessAddress = UInt32(CaptureOctets.littleEndian(octets, at: 0, count: 4))
        pdu = Array(octets[4..<octets.count - 3])
        crc = UInt32(CaptureOctets.littleEndian(octets, at: octets.count - 3, count: 3))
        channel = 37
        phy = .le1M
        rssi = 127
        isCRCValid = true
        direction = accessAddress == AccessAddress.advertising ? .advertising : .unknown
    }

    /// The link layer's channel index by the frequency's.
    static func channelIndex(_ radioChannel: UInt8) -> UInt8 {
        switch radioChannel {
        case 0: 37
        case 12: 38
        case 39...: 39
        case 1...11: radioChannel - 1
        default: radioChannel - 2
        }
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
        case .unknown: break
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

extension PhysicalLayer {
    /// From bits 14 and 15 of the flags.
    fileprivate init(shifted bits: UInt16, isS2: Bool) {
        switch bits {
        case 1: self = .le2M
        case 2: self = isS2 ? .codedS2 : .codedS8
        default: self = .le1M
        }
    }
}
