// The parameters of an advertising set. [Vol 4, Part E, 7.8.53]

/// HCI_LE_Set_Extended_Advertising_Parameters [v1]: sets how a set advertises.
/// [Vol 4, Part E, 7.8.53]
package struct LESetExtendedAdvertisingParameters: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Set_Extended_Advertising_Parameters [v1]"
    package static let section = SpecSection(4, "E", "7.8.53")
    package static var opcode: HCIOpcode { .leSetExtendedAdvertisingParameters }
    package static var supportedBit: Int? { 36 * 8 + 2 }

    /// Names the advertising set.
    package var handle: UInt8 = 0
    package var properties: LEAdvertisingProperties = LEAdvertisingProperties(rawValue: 0)
    /// Units of 0.625 ms.
    package var intervalMinimum: UInt32 = 0x0800
    package var intervalMaximum: UInt32 = 0x0800
    /// Bits 0 to 2: channels 37 to 39.
    package var channelMap: UInt8 = 7
    package var ownAddressType: LEOwnAddressType = LEOwnAddressType(rawValue: 0)
    package var peer: DeviceAddress = DeviceAddress(0)
    package var filterPolicy: UInt8 = 0
    /// dBm; 127 = no preference.
    package var transmitPower: Int8 = 127
    package var primaryPHY: LEPHY = LEPHY.le1M
    package var secondaryMaxSkip: UInt8 = 0
    package var secondaryPHY: LEPHY = LEPHY.le1M
    package var setIdentifier: UInt8 = 0
    package var notifiesScanRequests: Bool = false

    package init() {}
    package init(
        handle: UInt8 = 0, properties: LEAdvertisingProperties = LEAdvertisingProperties(rawValue: 0),
        intervalMinimum: UInt32 = 0x0800, intervalMaximum: UInt32 = 0x0800, channelMap: UInt8 = 7,
        ownAddressType: LEOwnAddressType = LEOwnAddressType(rawValue: 0), peer: DeviceAddress = DeviceAddress(0),
        filterPolicy: UInt8 = 0, transmitPower: Int8 = 127, primaryPHY: LEPHY = LEPHY.le1M, secondaryMaxSkip: UInt8 = 0,
        secondaryPHY: LEPHY = LEPHY.le1M, setIdentifier: UInt8 = 0, notifiesScanRequests: Bool = false
    ) {
        self.handle = handle
        self.properties = properties
        self.intervalMinimum = intervalMinimum
        self.intervalMaximum = intervalMaximum
        self.channelMap = channelMap
        self.ownAddressType = ownAddressType
        self.peer = peer
        self.filterPolicy = filterPolicy
        self.transmitPower = transmitPower
        self.primaryPHY = primaryPHY
        self.secondaryMaxSkip = secondaryMaxSkip
        self.secondaryPHY = secondaryPHY
        self.setIdentifier = setIdentifier
        self.notifiesScanRequests = notifiesScanRequests
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u8("Advertising_Handle", &handle, in: 0...0xEF)
        try v.field("Advertising_Event_Properties", &properties, in: 0...0x7F)
        try v.u24("Primary_Advertising_Interval_Min", &intervalMinimum, in: 0x20...0xFF_FFFF)
        try v.u24("Primary_Advertising_Interval_Max", &intervalMaximum, in: 0x20...0xFF_FFFF)
        try v.u8("Primary_Advertising_Channel_Map", &channelMap, in: 1...7)
        try v.field("Own_Address_Type", &ownAddressType, in: 0...3)
        try v.address("Peer_Address_Type", "Peer_Address", &peer, kinds: 0...1)
        try v.u8("Advertising_Filter_Policy", &filterPolicy, in: 0...3)
        try v.i8("Advertising_TX_Power", &transmitPower)
        try v.field("Primary_Advertising_PHY", &primaryPHY, in: 1...3)
        try v.u8("Secondary_Advertising_Max_Skip", &secondaryMaxSkip)
        try v.field("Secondary_Advertising_PHY", &secondaryPHY, in: 1...3)
        try v.u8("Advertising_SID", &setIdentifier, in: 0...0x0F)
        try v.flag("Scan_Request_Notification_Enable", &notifiesScanRequests)
    }

    /// What HCI_LE_Set_Extended_Advertising_Parameters [v1] returns. [Vol 4, Part E, 7.8.53]
    package struct ReturnParameters: WirePDU {
        package static let name: StaticString = "HCI_LE_Set_Extended_Advertising_Parameters [v1] return parameters"
        package static let section = SpecSection(4, "E", "7.8.53")

        package var status: HCIStatus = HCIStatus.success
        /// dBm.
        package var selectedTransmitPower: Int8 = 0

        package init() {}
        package init(status: HCIStatus = HCIStatus.success, selectedTransmitPower: Int8 = 0) {
            self.status = status
            self.selectedTransmitPower = selectedTransmitPower
        }

        package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
            guard try v.returnStatus(&status) else { return }
            try v.i8("Selected_TX_Power", &selectedTransmitPower)
        }
    }
}
