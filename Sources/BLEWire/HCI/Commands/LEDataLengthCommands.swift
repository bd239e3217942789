// HCI LE commands for the length of data PDUs. [Vol 4, Part E, 7.8.33]

/// HCI_LE_Set_Data_Length: says how long PDUs of a link may be.
/// [Vol 4, Part E, 7.8.33]
package struct LESetDataLength: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Set_Data_Length"
    package static let section = SpecSection(4, "E", "7.8.33")
    package static var opcode: HCIOpcode { .leSetDataLength }
    package static var supportedBit: Int? { 33 * 8 + 6 }
    package typealias ReturnParameters = HCIHandleReturn

    package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)
    package var transmitOctets: UInt16 = 27
    /// Microseconds.
    package var transmitTime: UInt16 = 328

    package init() {}
    package init(
        handle: ConnectionHandle = ConnectionHandle(rawValue: 0), transmitOctets: UInt16 = 27,
        transmitTime: UInt16 = 328
    ) {
        self.handle = handle
        self.transmitOctets = transmitOctets
        self.transmitTime = transmitTime
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.handle(&handle)
        try v.u16("TX_Octets", &transmitOctets, in: 0x001B...0x00FB)
        try v.u16("TX_Time", &transmitTime, in: 0x0148...0x4290)
    }
}

/// HCI_LE_Read_Suggested_Default_Data_Length: reads what new links begin to ask for.
/// [Vol 4, Part E, 7.8.34]
package struct LEReadSuggestedDefaultDataLength: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Read_Suggested_Default_Data_Length"
    package static let section = SpecSection(4, "E", "7.8.34")
    package static var opcode: HCIOpcode { .leReadSuggestedDefaultDataLength }
    package static var supportedBit: Int? { 33 * 8 + 7 }

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {}

    /// What HCI_LE_Read_Suggested_Default_Data_Length returns. [Vol 4, Part E, 7.8.34]
    package struct ReturnParameters: WirePDU {
        package static let name: StaticString = "HCI_LE_Read_Suggested_Default_Data_Length return parameters"
        package static let section = SpecSection(4, "E", "7.8.34")

        package var status: HCIStatus = HCIStatus.success
        package var maxTransmitOctets: UInt16 = 27
        /// Microseconds.
        package var maxTransmitTime: UInt16 = 328

        package init() {}
        package init(
            status: HCIStatus = HCIStatus.success, maxTransmitOctets: UInt16 = 27, maxTransmitTime: UInt16 = 328
        ) {
            self.status = status
            self.maxTransmitOctets = maxTransmitOctets
            self.maxTransmitTime = maxTransmitTime
        }

        package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
            guard try v.returnStatus(&status) else { return }
            try v.u16("Suggested_Max_TX_Octets", &maxTransmitOctets)
            try v.u16("Suggested_Max_TX_Time", &maxTransmitTime)
        }
    }
}

/// HCI_LE_Write_Suggested_Default_Data_Length: sets what new links begin to ask for.
/// [Vol 4, Part E, 7.8.35]
package struct LEWriteSuggestedDefaultDataLength: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Write_Suggested_Default_Data_Length"
    package static let section = SpecSection(4, "E", "7.8.35")
    package static var opcode: HCIOpcode { .leWriteSuggestedDefaultDataLength }
    package static var supportedBit: Int? { 34 * 8 + 0 }
    package typealias ReturnParameters = HCIStatusReturn

    package var maxTransmitOctets: UInt16 = 27
    /// Microseconds.
    package var maxTransmitTime: UInt16 = 328

    package init() {}
    package init(maxTransmitOctets: UInt16 = 27, maxTransmitTime: UInt16 = 328) {
        self.maxTransmitOctets = maxTransmitOctets
        self.maxTransmitTime = maxTransmitTime
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u16("Suggested_Max_TX_Octets", &maxTransmitOctets, in: 0x001B...0x00FB)
        try v.u16("Suggested_Max_TX_Time", &maxTransmitTime, in: 0x0148...0x4290)
    }
}

/// HCI_LE_Read_Maximum_Data_Length: reads the longest PDUs that the controller can do.
/// [Vol 4, Part E, 7.8.46]
package struct LEReadMaximumDataLength: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Read_Maximum_Data_Length"
    package static let section = SpecSection(4, "E", "7.8.46")
    package static var opcode: HCIOpcode { .leReadMaximumDataLength }
    package static var supportedBit: Int? { 35 * 8 + 3 }

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {}

    /// What HCI_LE_Read_Maximum_Data_Length returns. [Vol 4, Part E, 7.8.46]
    package struct ReturnParameters: WirePDU {
        package static let name: StaticString = "HCI_LE_Read_Maximum_Data_Length return parameters"
        package static let section = SpecSection(4, "E", "7.8.46")

        package var status: HCIStatus = HCIStatus.success
        package var maxTransmitOctets: UInt16 = 27
        /// Microseconds.
        package var maxTransmitTime: UInt16 = 328
        package var maxReceiveOctets: UInt16 = 27
        package var maxReceiveTime: UInt16 = 328

        package init() {}
        package init(
            status: HCIStatus = HCIStatus.success, maxTransmitOctets: UInt16 = 27, maxTransmitTime: UInt16 = 328,
            maxReceiveOctets: UInt16 = 27, maxReceiveTime: UInt16 = 328
        ) {
            self.status = status
            self.maxTransmitOctets = maxTransmitOctets
            self.maxTransmitTime = maxTransmitTime
            self.maxReceiveOctets = maxReceiveOctets
            self.maxReceiveTime = maxReceiveTime
        }

        package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
            guard try v.returnStatus(&status) else { return }
            try v.u16("Supported_Max_TX_Octets", &maxTransmitOctets)
            try v.u16("Supported_Max_TX_Time", &maxTransmitTime)
            try v.u16("Supported_Max_RX_Octets", &maxReceiveOctets)
            try v.u16("Supported_Max_RX_Time", &maxReceiveTime)
        }
    }
}
