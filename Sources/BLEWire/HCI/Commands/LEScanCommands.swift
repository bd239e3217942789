// HCI LE commands for scanning, legacy and extended. [Vol 4, Part E, 7.8.10]

/// HCI_LE_Set_Scan_Parameters: sets how to scan.
/// [Vol 4, Part E, 7.8.10]
package struct LESetScanParameters: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Set_Scan_Parameters"
    package static let section = SpecSection(4, "E", "7.8.10")
    package static var opcode: HCIOpcode { .leSetScanParameters }
    package static var supportedBit: Int? { 26 * 8 + 2 }
    package typealias ReturnParameters = HCIStatusReturn

    package var isActive: Bool = false
    /// Units of 0.625 ms.
    package var interval: UInt16 = 0x0010
    package var window: UInt16 = 0x0010
    package var ownAddressType: LEOwnAddressType = LEOwnAddressType(rawValue: 0)
    package var filterPolicy: UInt8 = 0

    package init() {}
    package init(
        isActive: Bool = false, interval: UInt16 = 0x0010, window: UInt16 = 0x0010,
        ownAddressType: LEOwnAddressType = LEOwnAddressType(rawValue: 0), filterPolicy: UInt8 = 0
    ) {
        self.isActive = isActive
        self.interval = interval
        self.window = window
        self.ownAddressType = ownAddressType
        self.filterPolicy = filterPolicy
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.flag("LE_Scan_Type", &isActive)
        try v.u16("LE_Scan_Interval", &interval, in: 0x0004...0x4000)
        try v.u16("LE_Scan_Window", &window, in: 0x0004...0x4000)
        try v.field("Own_Address_Type", &ownAddressType, in: 0...3)
        try v.u8("Scanning_Filter_Policy", &filterPolicy, in: 0...3)
    }
}

/// HCI_LE_Set_Scan_Enable: starts or stops scanning.
/// [Vol 4, Part E, 7.8.11]
package struct LESetScanEnable: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Set_Scan_Enable"
    package static let section = SpecSection(4, "E", "7.8.11")
    package static var opcode: HCIOpcode { .leSetScanEnable }
    package static var supportedBit: Int? { 26 * 8 + 3 }
    package typealias ReturnParameters = HCIStatusReturn

    package var isEnabled: Bool = false
    package var filterDuplicates: Bool = false

    package init() {}
    package init(isEnabled: Bool = false, filterDuplicates: Bool = false) {
        self.isEnabled = isEnabled
        self.filterDuplicates = filterDuplicates
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.flag("LE_Scan_Enable", &isEnabled)
        try v.flag("Filter_Duplicates", &filterDuplicates)
    }
}

/// HCI_LE_Set_Extended_Scan_Enable: starts or stops extended scanning.
/// [Vol 4, Part E, 7.8.65]
package struct LESetExtendedScanEnable: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Set_Extended_Scan_Enable"
    package static let section = SpecSection(4, "E", "7.8.65")
    package static var opcode: HCIOpcode { .leSetExtendedScanEnable }
    package static var supportedBit: Int? { 37 * 8 + 6 }
    package typealias ReturnParameters = HCIStatusReturn

    package var isEnabled: Bool = false
    /// 2: filtered anew for each period.
    package var filterDuplicates: UInt8 = 0
    /// Units of 10 ms; 0 = until it is stopped.
    package var duration: UInt16 = 0
    /// Units of 1.28 s; 0 = scan continuously.
    package var period: UInt16 = 0

    package init() {}
    package init(isEnabled: Bool = false, filterDuplicates: UInt8 = 0, duration: UInt16 = 0, period: UInt16 = 0) {
        self.isEnabled = isEnabled
        self.filterDuplicates = filterDuplicates
        self.duration = duration
        self.period = period
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.flag("Enable", &isEnabled)
        try v.u8("Filter_Duplicates", &filterDuplicates, in: 0...2)
        try v.u16("Duration", &duration)
        try v.u16("Period", &period)
    }
}
