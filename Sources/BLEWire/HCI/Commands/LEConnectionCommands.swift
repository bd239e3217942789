// HCI LE commands that make links, legacy form. [Vol 4, Part E, 7.8.12]

/// HCI_LE_Create_Connection: looks for an advertiser and connects.
/// [Vol 4, Part E, 7.8.12]
package struct LECreateConnection: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Create_Connection"
    package static let section = SpecSection(4, "E", "7.8.12")
    package static var opcode: HCIOpcode { .leCreateConnection }
    package static var supportedBit: Int? { 26 * 8 + 4 }
    package static var completion: HCICompletion { .status }
    package typealias ReturnParameters = HCIStatusReturn

    /// Units of 0.625 ms.
    package var scanInterval: UInt16 = 0x0060
    package var scanWindow: UInt16 = 0x0060
    package var usesAcceptList: Bool = false
    package var peer: DeviceAddress = DeviceAddress(0)
    package var ownAddressType: LEOwnAddressType = LEOwnAddressType(rawValue: 0)
    /// Units of 1.25 ms.
    package var intervalMinimum: UInt16 = 24
    package var intervalMaximum: UInt16 = 24
    /// Connection events that the peripheral may leave out.
    package var latency: UInt16 = 0
    /// Units of 10 ms.
    package var supervisionTimeout: UInt16 = 72
    /// Units of 0.625 ms.
    package var minimumCELength: UInt16 = 0
    package var maximumCELength: UInt16 = 0

    package init() {}
    package init(
        scanInterval: UInt16 = 0x0060, scanWindow: UInt16 = 0x0060, usesAcceptList: Bool = false,
        peer: DeviceAddress = DeviceAddress(0), ownAddressType: LEOwnAddressType = LEOwnAddressType(rawValue: 0),
        intervalMinimum: UInt16 = 24, intervalMaximum: UInt16 = 24, latency: UInt16 = 0,
        supervisionTimeout: UInt16 = 72, minimumCELength: UInt16 = 0, maximumCELength: UInt16 = 0
    ) {
        self.scanInterval = scanInterval
        self.scanWindow = scanWindow
        self.usesAcceptList = usesAcceptList
        self.peer = peer
        self.ownAddressType = ownAddressType
        self.intervalMinimum = intervalMinimum
        self.intervalMaximum = intervalMaximum
        self.latency = latency
        self.supervisionTimeout = supervisionTimeout
        self.minimumCELength = minimumCELength
        self.maximumCELength = maximumCELength
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u16("LE_Scan_Interval", &scanInterval, in: 0x0004...0x4000)
        try v.u16("LE_Scan_Window", &scanWindow, in: 0x0004...0x4000)
        try v.flag("Initiator_Filter_Policy", &usesAcceptList)
        try v.address("Peer_Address_Type", "Peer_Address", &peer, kinds: 0...3)
        try v.field("Own_Address_Type", &ownAddressType, in: 0...3)
        try v.u16("Connection_Interval_Min", &intervalMinimum, in: 0x0006...0x0C80)
        try v.u16("Connection_Interval_Max", &intervalMaximum, in: 0x0006...0x0C80)
        try v.u16("Max_Latency", &latency, in: 0...0x01F3)
        try v.u16("Supervision_Timeout", &supervisionTimeout, in: 0x000A...0x0C80)
        try v.u16("Min_CE_Length", &minimumCELength)
        try v.u16("Max_CE_Length", &maximumCELength)
    }
}

/// HCI_LE_Create_Connection_Cancel: gives up the connection that is being made.
/// [Vol 4, Part E, 7.8.13]
package struct LECreateConnectionCancel: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Create_Connection_Cancel"
    package static let section = SpecSection(4, "E", "7.8.13")
    package static var opcode: HCIOpcode { .leCreateConnectionCancel }
    package static var supportedBit: Int? { 26 * 8 + 5 }
    package typealias ReturnParameters = HCIStatusReturn

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {}
}
