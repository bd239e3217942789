/// HCI_LE_Set_Extended_Scan_Parameters: sets how to scan on each PHY.
/// [Vol 4, Part E, 7.8.64]
package struct LESetExtendedScanParameters: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Set_Extended_Scan_Parameters"
    package static let section = SpecSection(4, "E", "7.8.64")
    package static var opcode: HCIOpcode { .leSetExtendedScanParameters }
    package static var supportedBit: Int? { 37 * 8 + 5 }
    package typealias ReturnParameters = HCIStatusReturn

    package var ownAddressType = LEOwnAddressType.publicDevice
    package var filterPolicy: UInt8 = 0
    /// Bit 0: 1M, bit 2: Coded.
    package var scanningPHYs: UInt8 = 1
    /// One for each PHY, the lowest bit's first.
    package var settings: [Settings] = [Settings()]

    package init() {}
    package init(
        ownAddressType: LEOwnAddressType = .publicDevice, filterPolicy: UInt8 = 0, scanningPHYs: UInt8 = 1,
        settings: [Settings] = [Settings()]
    ) {
        self.ownAddressType = ownAddressType
        self.filterPolicy = filterPolicy
        self.scanningPHYs = scanningPHYs
        self.settings = settings
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("Own_Address_Type", &ownAddressType, in: 0...3)
        try v.u8("Scanning_Filter_Policy", &filterPolicy, in: 0...3)
        try v.u8("Scanning_PHYs", &scanningPHYs)
        try v.list("Scanning_PHY", &settings, count: scanningPHYs.nonzeroBitCount)
    }

    /// How to scan on one PHY. [Vol 4, Part E, 7.8.64]
    package struct Settings: FieldStructure, Equatable {
        package var isActive = false
        /// Units of 0.625 ms.
        package var interval: UInt16 = 0x0010
        package var window: UInt16 = 0x0010

        package init() {}
        package init(isActive: Bool, interval: UInt16, window: UInt16) {
            self.isActive = isActive
            self.interval = interval
            self.window = window
        }

        package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
            try v.flag("Scan_Type", &isActive)
            try v.u16("Scan_Interval", &interval, in: 0x0004...0xFFFF)
            try v.u16("Scan_Window", &window, in: 0x0004...0xFFFF)
        }
    }
}
