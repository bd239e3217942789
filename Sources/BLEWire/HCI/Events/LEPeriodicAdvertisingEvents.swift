// LE events of a scanner for periodic advertising. [Vol 4, Part E, 7.7.65.14]

/// HCI_LE_Periodic_Advertising_Sync_Established [v1]: a periodic advertiser is followed from now on, or isn't.
/// [Vol 4, Part E, 7.7.65.14]
package struct LEPeriodicAdvertisingSyncEstablished: LEMetaEventPDU {
    package static let name: StaticString = "HCI_LE_Periodic_Advertising_Sync_Established [v1]"
    package static let section = SpecSection(4, "E", "7.7.65.14")
    package static var subeventCode: LESubeventCode? { .periodicAdvertisingSyncEstablished }

    package var status: HCIStatus = HCIStatus.success
    /// Names the periodic advertising train.
    package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)
    /// Advertising SID.
    package var setIdentifier: UInt8 = 0
    package var advertiser: DeviceAddress = DeviceAddress(0)
    package var phy: LEPHY = LEPHY.le1M
    /// Units of 1.25 ms.
    package var interval: UInt16 = 0x0050
    package var clockAccuracy: UInt8 = 0

    package init() {}
    package init(
        status: HCIStatus = HCIStatus.success, handle: ConnectionHandle = ConnectionHandle(rawValue: 0),
        setIdentifier: UInt8 = 0, advertiser: DeviceAddress = DeviceAddress(0), phy: LEPHY = LEPHY.le1M,
        interval: UInt16 = 0x0050, clockAccuracy: UInt8 = 0
    ) {
        self.status = status
        self.handle = handle
        self.setIdentifier = setIdentifier
        self.advertiser = advertiser
        self.phy = phy
        self.interval = interval
        self.clockAccuracy = clockAccuracy
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("Status", &status)
        try v.field("Sync_Handle", &handle, in: 0...0x0EFF)
        try v.u8("Advertising_SID", &setIdentifier)
        try v.address("Advertiser_Address_Type", "Advertiser_Address", &advertiser)
        try v.field("Advertiser_PHY", &phy)
        try v.u16("Periodic_Advertising_Interval", &interval)
        try v.u8("Advertiser_Clock_Accuracy", &clockAccuracy)
    }
}

/// HCI_LE_Periodic_Advertising_Report [v1]: data of a periodic advertiser, or a part of it.
/// [Vol 4, Part E, 7.7.65.15]
package struct LEPeriodicAdvertisingReport: LEMetaEventPDU {
    package static let name: StaticString = "HCI_LE_Periodic_Advertising_Report [v1]"
    package static let section = SpecSection(4, "E", "7.7.65.15")
    package static var subeventCode: LESubeventCode? { .periodicAdvertisingReport }

    /// Names the periodic advertising train.
    package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)
    /// dBm; 127 = not available.
    package var transmitPower: Int8 = 127
    package var rssi: Int8 = 127
    /// 0xFF = no constant tone extension.
    package var cteType: UInt8 = 0xFF
    /// 0 complete, 1 more will come, 2 cut and no more will come.
    package var dataStatus: UInt8 = 0
    package var data: [UInt8] = []

    package init() {}
    package init(
        handle: ConnectionHandle = ConnectionHandle(rawValue: 0), transmitPower: Int8 = 127, rssi: Int8 = 127,
        cteType: UInt8 = 0xFF, dataStatus: UInt8 = 0, data: [UInt8] = []
    ) {
        self.handle = handle
        self.transmitPower = transmitPower
        self.rssi = rssi
        self.cteType = cteType
        self.dataStatus = dataStatus
        self.data = data
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("Sync_Handle", &handle, in: 0...0x0EFF)
        try v.i8("TX_Power", &transmitPower)
        try v.i8("RSSI", &rssi)
        try v.u8("CTE_Type", &cteType)
        try v.u8("Data_Status", &dataStatus, in: 0...2)
        try v.counted8("Data", &data, limit: 247)
    }
}

/// HCI_LE_Periodic_Advertising_Sync_Lost: a periodic advertiser wasn't heard for the time-out.
/// [Vol 4, Part E, 7.7.65.16]
package struct LEPeriodicAdvertisingSyncLost: LEMetaEventPDU {
    package static let name: StaticString = "HCI_LE_Periodic_Advertising_Sync_Lost"
    package static let section = SpecSection(4, "E", "7.7.65.16")
    package static var subeventCode: LESubeventCode? { .periodicAdvertisingSyncLost }

    /// Names the periodic advertising train.
    package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)

    package init() {}
    package init(handle: ConnectionHandle = ConnectionHandle(rawValue: 0)) {
        self.handle = handle
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("Sync_Handle", &handle, in: 0...0x0EFF)
    }
}
