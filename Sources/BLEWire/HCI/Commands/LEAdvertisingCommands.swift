// HCI LE commands for legacy advertising. [Vol 4, Part E, 7.8.5]

/// HCI_LE_Set_Advertising_Parameters: sets how to advertise.
/// [Vol 4, Part E, 7.8.5]
package struct LESetAdvertisingParameters: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Set_Advertising_Parameters"
    package static let section = SpecSection(4, "E", "7.8.5")
    package static var opcode: HCIOpcode { .leSetAdvertisingParameters }
    package static var supportedBit: Int? { 25 * 8 + 5 }
    package typealias ReturnParameters = HCIStatusReturn

    /// Units of 0.625 ms.
    package var intervalMinimum: UInt16 = 0x0800
    package var intervalMaximum: UInt16 = 0x0800
    package var type: LEAdvertisingType = LEAdvertisingType(rawValue: 0)
    package var ownAddressType: LEOwnAddressType = LEOwnAddressType(rawValue: 0)
    package var peer: DeviceAddress = DeviceAddress(0)
    /// Bits 0 to 2: channels 37 to 39.
    package var channelMap: UInt8 = 7
    /// Bit 0: scan requests, bit 1: connection requests only from the accept list.
    package var filterPolicy: UInt8 = 0

    package init() {}
    package init(
        intervalMinimum: UInt16 = 0x0800, intervalMaximum: UInt16 = 0x0800,
        type: LEAdvertisingType = LEAdvertisingType(rawValue: 0),
        ownAddressType: LEOwnAddressType = LEOwnAddressType(rawValue: 0), peer: DeviceAddress = DeviceAddress(0),
        channelMap: UInt8 = 7, filterPolicy: UInt8 = 0
    ) {
        self.intervalMinimum = intervalMinimum
        self.intervalMaximum = intervalMaximum
        self.type = type
        self.ownAddressType = ownAddressType
        self.peer = peer
        self.channelMap = channelMap
        self.filterPolicy = filterPolicy
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u16("Advertising_Interval_Min", &intervalMinimum, in: 0x0020...0x4000)
        try v.u16("Advertising_Interval_Max", &intervalMaximum, in: 0x0020...0x4000)
        try v.field("Advertising_Type", &type, in: 0...4)
        try v.field("Own_Address_Type", &ownAddressType, in: 0...3)
        try v.address("Peer_Address_Type", "Peer_Address", &peer, kinds: 0...1)
        try v.u8("Advertising_Channel_Map", &channelMap, in: 1...7)
        try v.u8("Advertising_Filter_Policy", &filterPolicy, in: 0...3)
    }
}

/// HCI_LE_Read_Advertising_Physical_Channel_Tx_Power: reads the transmit power of advertising.
/// [Vol 4, Part E, 7.8.6]
package struct LEReadAdvertisingPhysicalChannelTxPower: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Read_Advertising_Physical_Channel_Tx_Power"
    package static let section = SpecSection(4, "E", "7.8.6")
    package static var opcode: HCIOpcode { .leReadAdvertisingPhysicalChannelTxPower }
    package static var supportedBit: Int? { 25 * 8 + 6 }

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {}

    /// What HCI_LE_Read_Advertising_Physical_Channel_Tx_Power returns. [Vol 4, Part E, 7.8.6]
    package struct ReturnParameters: WirePDU {
        package static let name: StaticString = "HCI_LE_Read_Advertising_Physical_Channel_Tx_Power return parameters"
        package static let section = SpecSection(4, "E", "7.8.6")

        package var status: HCIStatus = HCIStatus.success
        /// dBm.
        package var transmitPower: Int8 = 0

        package init() {}
        package init(status: HCIStatus = HCIStatus.success, transmitPower: Int8 = 0) {
            self.status = status
            self.transmitPower = transmitPower
        }

        package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
            guard try v.returnStatus(&status) else { return }
            try v.i8("TX_Power_Level", &transmitPower)
        }
    }
}

/// HCI_LE_Set_Advertising_Data: sets the AD structures of the advertisements.
/// [Vol 4, Part E, 7.8.7]
package struct LESetAdvertisingData: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Set_Advertising_Data"
    package static let section = SpecSection(4, "E", "7.8.7")
    package static var opcode: HCIOpcode { .leSetAdvertisingData }
    package static var supportedBit: Int? { 25 * 8 + 7 }
    package typealias ReturnParameters = HCIStatusReturn

    /// 31 octets at most.
    package var data: [UInt8] = []

    package init() {}
    package init(data: [UInt8] = []) {
        self.data = data
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.padded("Advertising_Data_Length", "Advertising_Data", &data, size: 31)
    }
}

/// HCI_LE_Set_Scan_Response_Data: sets the AD structures of the scan responses.
/// [Vol 4, Part E, 7.8.8]
package struct LESetScanResponseData: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Set_Scan_Response_Data"
    package static let section = SpecSection(4, "E", "7.8.8")
    package static var opcode: HCIOpcode { .leSetScanResponseData }
    package static var supportedBit: Int? { 26 * 8 + 0 }
    package typealias ReturnParameters = HCIStatusReturn

    /// 31 octets at most.
    package var data: [UInt8] = []

    package init() {}
    package init(data: [UInt8] = []) {
        self.data = data
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.padded("Scan_Response_Data_Length", "Scan_Response_Data", &data, size: 31)
    }
}

/// HCI_LE_Set_Advertising_Enable: starts or stops advertising.
/// [Vol 4, Part E, 7.8.9]
package struct LESetAdvertisingEnable: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Set_Advertising_Enable"
    package static let section = SpecSection(4, "E", "7.8.9")
    package static var opcode: HCIOpcode { .leSetAdvertisingEnable }
    package static var supportedBit: Int? { 26 * 8 + 1 }
    package typealias ReturnParameters = HCIStatusReturn

    package var isEnabled: Bool = false

    package init() {}
    package init(isEnabled: Bool = false) {
        self.isEnabled = isEnabled
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.flag("Advertising_Enable", &isEnabled)
    }
}
