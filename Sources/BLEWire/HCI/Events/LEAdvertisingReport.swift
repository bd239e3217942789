/// HCI_LE_Advertising_Report: what a legacy scan has heard.
/// [Vol 4, Part E, 7.7.65.2]
package struct LEAdvertisingReport: LEMetaEventPDU {
    package static let name: StaticString = "HCI_LE_Advertising_Report"
    package static let section = SpecSection(4, "E", "7.7.65.2")
    package static var subeventCode: LESubeventCode? { .advertisingReport }

    package var reports: [Report] = []

    package init() {}
    package init(reports: [Report]) { self.reports = reports }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        var count = UInt8(clamping: reports.count)
        try v.u8("Num_Reports", &count, in: 0x01...0x19)
        try v.list("Report", &reports, count: Int(count))
    }

    /// The whole packet, through an entry of its own since it is the most frequent event of a scan.
    package func packet() -> [UInt8] { HCIFraming.event(self) }

    /// The packet for one report whose data is a part of `octets`, without a detour: the most frequent event of a
    /// scan.
    package static func packet(
        type: LEAdvertisingReportType, address: DeviceAddress, data: Range<Int>, of octets: [UInt8], rssi: Int8
    ) -> [UInt8] {
        let data = data.clamped(to: 0..<octets.count).prefix(31)
        var packet: [UInt8] = []
        packet.reserveCapacity(15 + data.count)
        packet.append(H4Indicator.event.rawValue)
        packet.append(HCIEventCode.leMeta.rawValue)
        packet.append(UInt8(truncatingIfNeeded: 12 + data.count))
        packet.append(LESubeventCode.advertisingReport.rawValue)
        packet.append(1)
        packet.append(type.rawValue)
        packet.append(address.kind.rawValue)
        for shift in stride(from: UInt64(0), to: 48, by: 8) {
            packet.append(UInt8(truncatingIfNeeded: address.bits >> shift))
        }
        packet.append(UInt8(truncatingIfNeeded: data.count))
        packet.append(contentsOf: octets[data])
        packet.append(UInt8(bitPattern: rssi))
        return packet
    }

    /// One PDU that was heard. [Vol 4, Part E, 7.7.65.2]
    package struct Report: FieldStructure, Equatable {
        package var type = LEAdvertisingReportType.connectableAndScannable
        package var address = DeviceAddress(0)
        /// AD structures as on the air.
        package var data: [UInt8] = []
        /// dBm; 127 = not available.
        package var rssi: Int8 = 127

        package init() {}
        package init(type: LEAdvertisingReportType, address: DeviceAddress, data: [UInt8], rssi: Int8) {
            self.type = type
            self.address = address
            self.data = data
            self.rssi = rssi
        }

        @inline(__always)
        package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
            try v.field("Event_Type", &type, in: 0...4)
            try v.address("Address_Type", "Address", &address, kinds: 0...3)
            try v.counted8("Data", &data, limit: 31)
            try v.i8("RSSI", &rssi)
        }
    }
}

/// HCI_LE_Directed_Advertising_Report: a directed advertisement to a private address that was not resolved.
/// [Vol 4, Part E, 7.7.65.11]
package struct LEDirectedAdvertisingReport: LEMetaEventPDU {
    package static let name: StaticString = "HCI_LE_Directed_Advertising_Report"
    package static let section = SpecSection(4, "E", "7.7.65.11")
    package static var subeventCode: LESubeventCode? { .directedAdvertisingReport }

    package var reports: [Report] = []

    package init() {}
    package init(reports: [Report]) { self.reports = reports }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        var count = UInt8(clamping: reports.count)
        try v.u8("Num_Reports", &count, in: 0x01...0x19)
        try v.list("Report", &reports, count: Int(count))
    }

    /// One PDU that was heard. [Vol 4, Part E, 7.7.65.11]
    package struct Report: FieldStructure, Equatable {
        package var type = LEAdvertisingReportType.directed
        package var address = DeviceAddress(0)
        /// Whom the advertiser looks for.
        package var target = DeviceAddress(0, .randomDevice)
        package var rssi: Int8 = 127

        package init() {}

        package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
            try v.field("Event_Type", &type, in: 1...1)
            try v.address("Address_Type", "Address", &address, kinds: 0...3)
            try v.address("Direct_Address_Type", "Direct_Address", &target)
            try v.i8("RSSI", &rssi)
        }
    }
}
