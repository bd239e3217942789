/// The extended header of a PDU of extended or periodic advertising, behind its length. [Vol 6, Part B, 2.3.4]
///
/// A field is there where its flag is set. Addresses are bare: TxAdd and RxAdd of the PDU's header say their kinds.
package struct LLExtendedHeader: WirePDU {
    package static let name: StaticString = "Extended Header"
    package static let section = SpecSection(6, "B", "2.3.4")

    /// Which fields there are. [Vol 6, Part B, 2.3.4.3]
    package struct Flags: WireCode, OptionSet {
        package var rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package static let advertiser = Flags(rawValue: 1 << 0)
        package static let target = Flags(rawValue: 1 << 1)
        package static let cteInfo = Flags(rawValue: 1 << 2)
        package static let dataInfo = Flags(rawValue: 1 << 3)
        package static let pointer = Flags(rawValue: 1 << 4)
        package static let syncInfo = Flags(rawValue: 1 << 5)
        package static let transmitPower = Flags(rawValue: 1 << 6)
    }

    package var flags: Flags = []
    /// AdvA
    package var advertiser: UInt64 = 0
    /// TargetA
    package var target: UInt64 = 0
    package var cteInfo: UInt8 = 0
    /// ADI: the Advertising DID in bits 0 to 11, the Advertising SID in bits 12 to 15. [Vol 6, Part B, 2.3.4.4]
    package var dataInfo: UInt16 = 0
    package var pointer = AuxiliaryPointer()
    package var syncInfo = SyncInfo()
    /// TxPower, in dBm.
    package var transmitPower: Int8 = 0
    /// Additional Controller Advertising Data.
    package var controllerData: [UInt8] = []

    package init() {}

    /// Nothing is there: such a header has no flags either.
    package var isEmpty: Bool { flags.isEmpty && controllerData.isEmpty }
    /// The octets that its fields take, the flags included, ACAD not.
    package static func length(_ flags: Flags) -> Int {
        let sizes: [(Flags, Int)] = [
            (.advertiser, 6), (.target, 6), (.cteInfo, 1), (.dataInfo, 2), (.pointer, 3), (.syncInfo, 18),
            (.transmitPower, 1),
        ]
        return flags.isEmpty ? 0 : sizes.reduce(1) { $0 + (flags.contains($1.0) ? $1.1 : 0) }
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("Extended Header Flags", &flags)
        if flags.contains(.advertiser) { try v.u48("AdvA", &advertiser) }
        if flags.contains(.target) { try v.u48("TargetA", &target) }
        if flags.contains(.cteInfo) { try v.u8("CTEInfo", &cteInfo) }
        if flags.contains(.dataInfo) { try v.u16("ADI", &dataInfo) }
        if flags.contains(.pointer) { try v.u24("AuxPtr", &pointer.bits) }
        if flags.contains(.syncInfo) { try syncInfo.visitFields(&v) }
        if flags.contains(.transmitPower) { try v.i8("TxPower", &transmitPower) }
        try v.rest("ACAD", &controllerData, limit: 62)
    }
}

/// Where and when an auxiliary packet follows. [Vol 6, Part B, 2.3.4.5]
package struct AuxiliaryPointer: Hashable, Sendable {
    /// The channel index in bits 0 to 5, CA bit 6, the unit of the offset bit 7, the offset in bits 8 to 20, the PHY in
    /// bits 21 to 23.
    package var bits: UInt32 = 0

    package init(bits: UInt32 = 0) { self.bits = bits }

    /// A packet that begins `offset` after the start of the one that points to it. It is named by the unit at or before
    /// its start: 30 µs, or 300 µs from 245.7 ms on.
    package init(channel: UInt8, offset: Delay, phy: PHYSet) {
        let isLong = offset > .microseconds(245_700)
        let count = UInt32(clamping: offset / .microseconds(isLong ? 300 : 30))
        let number: UInt32 = phy == .le2M ? 1 : phy == .leCoded ? 2 : 0
        bits = UInt32(channel & 0x3F) | (isLong ? 0x80 : 0) | min(count, 0x1FFF) << 8 | number << 21
    }

    package var channel: UInt8 { UInt8(bits & 0x3F) }
    package var unit: Delay { .microseconds(bits & 0x80 == 0 ? 30 : 300) }
    /// The packet begins within one unit from here on.
    package var offset: Delay { unit * Int64(bits >> 8 & 0x1FFF) }
    /// Nil for a number that names none.
    package var phy: PHYSet? {
        switch bits >> 21 & 7 {
        case 0: .le1M
        case 1: .le2M
        case 2: .leCoded
        default: nil
        }
    }
}

/// How to follow a periodic advertiser. [Vol 6, Part B, 2.3.4.6]
package struct SyncInfo: FieldStructure, Hashable {
    /// The offset in bits 0 to 12, its unit in bit 13 (30 or 300 µs), Offset Adjust in bit 14 (2.4576 s more).
    package var packetOffset: UInt16 = 0
    /// Units of 1.25 ms.
    package var interval: UInt16 = 0
    /// The channel map in bits 0 to 36, the clock accuracy in bits 37 to 39.
    package var channelMapAndAccuracy: UInt64 = 0
    package var accessAddress: UInt32 = 0
    package var crcInit: UInt32 = 0
    /// paEventCounter of the packet that the offset leads to.
    package var eventCounter: UInt16 = 0

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u16("Sync Packet Offset", &packetOffset)
        try v.u16("Interval", &interval)
        try v.u40("ChM and SCA", &channelMapAndAccuracy)
        try v.u32("AA", &accessAddress)
        try v.u24("CRCInit", &crcInit)
        try v.u16("Periodic Event Counter", &eventCounter)
    }

    /// The time from the start of the packet with this field to the start of the AUX_SYNC_IND.
    package var offset: Delay {
        get {
            let unit = Delay.microseconds(packetOffset & 0x2000 == 0 ? 30 : 300)
            let adjust = Delay.microseconds(packetOffset & 0x4000 == 0 ? 0 : 2_457_600)
            return unit * Int64(packetOffset & 0x1FFF) + adjust
        }
        set {
            let isAdjusted = newValue >= .microseconds(2_457_600)
            let rest = isAdjusted ? newValue + .microseconds(-2_457_600) : newValue
            let isLong = rest > .microseconds(245_700)
            let count = UInt16(clamping: rest / .microseconds(isLong ? 300 : 30))
            packetOffset = min(count, 0x1FFF) | (isLong ? 0x2000 : 0) | (isAdjusted ? 0x4000 : 0)
        }
    }
    package var channelMap: ChannelMap { ChannelMap(bits: channelMapAndAccuracy) }
    package var clockAccuracy: UInt8 { UInt8(truncatingIfNeeded: channelMapAndAccuracy >> 37) & 7 }
}
