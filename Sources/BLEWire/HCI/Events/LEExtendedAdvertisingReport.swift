/// HCI_LE_Extended_Advertising_Report: what an extended scan has heard.
/// [Vol 4, Part E, 7.7.65.13]
package struct LEExtendedAdvertisingReport: LEMetaEventPDU {
    package static let name: StaticString = "HCI_LE_Extended_Advertising_Report"
    package static let section = SpecSection(4, "E", "7.7.65.13")
    package static var subeventCode: LESubeventCode? { .extendedAdvertisingReport }

    package var reports: [Report] = []

    package init() {}
    package init(reports: [Report]) { self.reports = reports }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        var count = UInt8(clamping: reports.count)
        try v.u8("Num_Reports", &count, in: 0x01...0x0A)
        try v.list("Report", &reports, count: Int(count))
    }

    /// The whole packet, through an entry of its own since it is the most frequent event of a scan.
    package func packet() -> [UInt8] { HCIFraming.event(self) }

    /// The packet for one report whose data is a part of `octets`, without a detour. `report` has everything but the
    /// data, of which 229 octets are taken at most.
    package static func packet(_ report: Report, data: Range<Int>, of octets: [UInt8]) -> [UInt8] {
        let data = data.clamped(to: 0..<octets.count).prefix(229)
        var packet: [UInt8] = []
        packet.reserveCapacity(29 + data.count)
        packet.append(H4Indicator.event.rawValue)
        packet.append(HCIEventCode.leMeta.rawValue)
        packet.append(UInt8(truncatingIfNeeded: 26 + data.count))
        packet.append(LESubeventCode.extendedAdvertisingReport.rawValue)
        packet.append(1)
        packet.append(UInt8(truncatingIfNeeded: report.type.rawValue))
        packet.append(UInt8(truncatingIfNeeded: report.type.rawValue >> 8))
        append(report.address, to: &packet)
        packet.append(report.primaryPHY.rawValue)
        packet.append(report.secondaryPHY.rawValue)
        packet.append(report.setIdentifier)
        packet.append(UInt8(bitPattern: report.transmitPower))
        packet.append(UInt8(bitPattern: report.rssi))
        packet.append(UInt8(truncatingIfNeeded: report.periodicInterval))
        packet.append(UInt8(truncatingIfNeeded: report.periodicInterval >> 8))
        append(report.target, to: &packet)
        packet.append(UInt8(truncatingIfNeeded: data.count))
        packet.append(contentsOf: octets[data])
        return packet
    }

    private static func append(_ address: DeviceAddress, to packet: inout [UInt8]) {
        packet.append(address.kind.rawValue)
        for shift in stride(from: UInt64(0), to: 48, by: 8) {
            packet.append(UInt8(truncatingIfNeeded: address.bits >> shift))
        }
    }

    /// One advertisement, or a part of one. [Vol 4, Part E, 7.7.65.13]
    package struct Report: FieldStructure, Equatable {
        package var type = LEExtendedReportType()
        /// Type 0xFF: the advertiser didn't say.
        package var address = DeviceAddress(0)
        package var primaryPHY = LEPHY.le1M
        package var secondaryPHY = LEPHY.none
        /// 0xFF = none.
        package var setIdentifier: UInt8 = 0xFF
        /// dBm; 127 = not available.
        package var transmitPower: Int8 = 127
        /// dBm; 127 = not available.
        package var rssi: Int8 = 127
        /// Units of 1.25 ms; 0 = no periodic advertising.
        package var periodicInterval: UInt16 = 0
        /// Whom a directed advertisement looks for.
        package var target = DeviceAddress(0)
        /// AD structures, or a part of them.
        package var data: [UInt8] = []

        package init() {}

        @inline(__always)
        package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
            try v.field("Event_Type", &type)
            try v.address("Address_Type", "Address", &address)
            try v.field("Primary_PHY", &primaryPHY)
            try v.field("Secondary_PHY", &secondaryPHY)
            try v.u8("Advertising_SID", &setIdentifier)
            try v.i8("TX_Power", &transmitPower)
            try v.i8("RSSI", &rssi)
            try v.u16("Periodic_Advertising_Interval", &periodicInterval)
            try v.address("Direct_Address_Type", "Direct_Address", &target)
            try v.counted8("Data", &data, limit: 229)
        }
    }
}
