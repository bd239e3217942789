// HCI LE commands of an advertiser for periodic advertising. [Vol 4, Part E, 7.8.61]

/// HCI_LE_Set_Periodic_Advertising_Parameters [v1]: sets how often a set sends periodically.
/// [Vol 4, Part E, 7.8.61]
package struct LESetPeriodicAdvertisingParameters: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Set_Periodic_Advertising_Parameters [v1]"
    package static let section = SpecSection(4, "E", "7.8.61")
    package static var opcode: HCIOpcode { .leSetPeriodicAdvertisingParameters }
    package static var supportedBit: Int? { 37 * 8 + 2 }
    package typealias ReturnParameters = HCIStatusReturn

    /// Names the advertising set.
    package var handle: UInt8 = 0
    /// Units of 1.25 ms.
    package var intervalMinimum: UInt16 = 0x0050
    package var intervalMaximum: UInt16 = 0x0050
    /// Bit 6: the transmit power is included.
    package var properties: UInt16 = 0

    package init() {}
    package init(
        handle: UInt8 = 0, intervalMinimum: UInt16 = 0x0050, intervalMaximum: UInt16 = 0x0050, properties: UInt16 = 0
    ) {
        self.handle = handle
        self.intervalMinimum = intervalMinimum
        self.intervalMaximum = intervalMaximum
        self.properties = properties
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u8("Advertising_Handle", &handle, in: 0...0xEF)
        try v.u16("Periodic_Advertising_Interval_Min", &intervalMinimum, in: 0x0006...0xFFFF)
        try v.u16("Periodic_Advertising_Interval_Max", &intervalMaximum, in: 0x0006...0xFFFF)
        try v.u16("Periodic_Advertising_Properties", &properties)
    }
}

/// HCI_LE_Set_Periodic_Advertising_Data: sets the periodic data of a set, whole or in fragments.
/// [Vol 4, Part E, 7.8.62]
package struct LESetPeriodicAdvertisingData: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Set_Periodic_Advertising_Data"
    package static let section = SpecSection(4, "E", "7.8.62")
    package static var opcode: HCIOpcode { .leSetPeriodicAdvertisingData }
    package static var supportedBit: Int? { 37 * 8 + 3 }
    package typealias ReturnParameters = HCIStatusReturn

    /// Names the advertising set.
    package var handle: UInt8 = 0
    package var operation: LEAdvertisingDataOperation = LEAdvertisingDataOperation.complete
    /// 252 octets at most.
    package var data: [UInt8] = []

    package init() {}
    package init(
        handle: UInt8 = 0, operation: LEAdvertisingDataOperation = LEAdvertisingDataOperation.complete,
        data: [UInt8] = []
    ) {
        self.handle = handle
        self.operation = operation
        self.data = data
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u8("Advertising_Handle", &handle, in: 0...0xEF)
        try v.field("Operation", &operation, in: 0...4)
        try v.counted8("Advertising_Data", &data, limit: 252)
    }
}

/// HCI_LE_Set_Periodic_Advertising_Enable: starts or stops the periodic advertising of a set.
/// [Vol 4, Part E, 7.8.63]
package struct LESetPeriodicAdvertisingEnable: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Set_Periodic_Advertising_Enable"
    package static let section = SpecSection(4, "E", "7.8.63")
    package static var opcode: HCIOpcode { .leSetPeriodicAdvertisingEnable }
    package static var supportedBit: Int? { 37 * 8 + 4 }
    package typealias ReturnParameters = HCIStatusReturn

    /// Bit 0: on; bit 1: with an ADI.
    package var enable: UInt8 = 0
    /// Names the advertising set.
    package var handle: UInt8 = 0

    package init() {}
    package init(enable: UInt8 = 0, handle: UInt8 = 0) {
        self.enable = enable
        self.handle = handle
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u8("Enable", &enable)
        try v.u8("Advertising_Handle", &handle, in: 0...0xEF)
    }
}
