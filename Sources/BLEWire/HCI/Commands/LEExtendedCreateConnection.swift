/// HCI_LE_Extended_Create_Connection: looks for an advertiser on several PHYs and connects.
/// [Vol 4, Part E, 7.8.66]
package struct LEExtendedCreateConnection: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Extended_Create_Connection [v1]"
    package static let section = SpecSection(4, "E", "7.8.66")
    package static var opcode: HCIOpcode { .leExtendedCreateConnection }
    package static var supportedBit: Int? { 37 * 8 + 7 }
    package static var completion: HCICompletion { .status }
    package typealias ReturnParameters = HCIStatusReturn

    package var usesAcceptList = false
    package var ownAddressType = LEOwnAddressType.publicDevice
    package var peer = DeviceAddress(0)
    /// Bit 0: 1M, bit 1: 2M (parameters only, not scanned on), bit 2: Coded.
    package var initiatingPHYs: UInt8 = 1
    /// One for each PHY, the lowest bit's first.
    package var settings: [Settings] = [Settings()]

    package init() {}
    package init(
        usesAcceptList: Bool = false, ownAddressType: LEOwnAddressType = .publicDevice, peer: DeviceAddress,
        initiatingPHYs: UInt8 = 1, settings: [Settings] = [Settings()]
    ) {
        self.usesAcceptList = usesAcceptList
        self.ownAddressType = ownAddressType
        self.peer = peer
        self.initiatingPHYs = initiatingPHYs
        self.settings = settings
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.flag("Initiator_Filter_Policy", &usesAcceptList)
        try v.field("Own_Address_Type", &ownAddressType, in: 0...3)
        try v.address("Peer_Address_Type", "Peer_Address", &peer, kinds: 0...3)
        try v.u8("Initiating_PHYs", &initiatingPHYs)
        try v.list("Initiating_PHY", &settings, count: initiatingPHYs.nonzeroBitCount)
    }

    /// How to scan for the peer on one PHY, and the link's parameters if it is made there. [Vol 4, Part E, 7.8.66]
    package struct Settings: FieldStructure, Equatable {
        /// Units of 0.625 ms.
        package var scanInterval: UInt16 = 0x0060
        package var scanWindow: UInt16 = 0x0060
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

        package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
            try v.u16("Scan_Interval", &scanInterval, in: 0x0004...0xFFFF)
            try v.u16("Scan_Window", &scanWindow, in: 0x0004...0xFFFF)
            try v.u16("Connection_Interval_Min", &intervalMinimum, in: 0x0006...0x0C80)
            try v.u16("Connection_Interval_Max", &intervalMaximum, in: 0x0006...0x0C80)
            try v.u16("Max_Latency", &latency, in: 0...0x01F3)
            try v.u16("Supervision_Timeout", &supervisionTimeout, in: 0x000A...0x0C80)
            try v.u16("Min_CE_Length", &minimumCELength)
            try v.u16("Max_CE_Length", &maximumCELength)
        }
    }
}
