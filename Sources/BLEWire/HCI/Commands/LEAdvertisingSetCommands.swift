// HCI LE commands for extended advertising: the sets and their data. [Vol 4, Part E, 7.8.52]

/// HCI_LE_Set_Advertising_Set_Random_Address: sets the random address of a set.
/// [Vol 4, Part E, 7.8.52]
package struct LESetAdvertisingSetRandomAddress: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Set_Advertising_Set_Random_Address"
    package static let section = SpecSection(4, "E", "7.8.52")
    package static var opcode: HCIOpcode { .leSetAdvertisingSetRandomAddress }
    package static var supportedBit: Int? { 36 * 8 + 1 }
    package typealias ReturnParameters = HCIStatusReturn

    /// Names the advertising set.
    package var handle: UInt8 = 0
    package var address: DeviceAddress = DeviceAddress(0, .randomDevice)

    package init() {}
    package init(handle: UInt8 = 0, address: DeviceAddress = DeviceAddress(0, .randomDevice)) {
        self.handle = handle
        self.address = address
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u8("Advertising_Handle", &handle, in: 0...0xEF)
        try v.address("Random_Address", &address)
    }
}

/// HCI_LE_Set_Extended_Advertising_Data: sets the AD structures of a set, whole or in fragments.
/// [Vol 4, Part E, 7.8.54]
package struct LESetExtendedAdvertisingData: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Set_Extended_Advertising_Data"
    package static let section = SpecSection(4, "E", "7.8.54")
    package static var opcode: HCIOpcode { .leSetExtendedAdvertisingData }
    package static var supportedBit: Int? { 36 * 8 + 3 }
    package typealias ReturnParameters = HCIStatusReturn

    /// Names the advertising set.
    package var handle: UInt8 = 0
    package var operation: LEAdvertisingDataOperation = LEAdvertisingDataOperation.complete
    /// 1: the controller should not fragment.
    package var fragmentPreference: UInt8 = 1
    /// 251 octets at most.
    package var data: [UInt8] = []

    package init() {}
    package init(
        handle: UInt8 = 0, operation: LEAdvertisingDataOperation = LEAdvertisingDataOperation.complete,
        fragmentPreference: UInt8 = 1, data: [UInt8] = []
    ) {
        self.handle = handle
        self.operation = operation
        self.fragmentPreference = fragmentPreference
        self.data = data
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u8("Advertising_Handle", &handle, in: 0...0xEF)
        try v.field("Operation", &operation, in: 0...4)
        try v.u8("Fragment_Preference", &fragmentPreference, in: 0...1)
        try v.counted8("Advertising_Data", &data, limit: 251)
    }
}

/// HCI_LE_Set_Extended_Scan_Response_Data: sets the scan response of a set, whole or in fragments.
/// [Vol 4, Part E, 7.8.55]
package struct LESetExtendedScanResponseData: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Set_Extended_Scan_Response_Data"
    package static let section = SpecSection(4, "E", "7.8.55")
    package static var opcode: HCIOpcode { .leSetExtendedScanResponseData }
    package static var supportedBit: Int? { 36 * 8 + 4 }
    package typealias ReturnParameters = HCIStatusReturn

    /// Names the advertising set.
    package var handle: UInt8 = 0
    package var operation: LEAdvertisingDataOperation = LEAdvertisingDataOperation.complete
    /// 1: the controller should not fragment.
    package var fragmentPreference: UInt8 = 1
    /// 251 octets at most.
    package var data: [UInt8] = []

    package init() {}
    package init(
        handle: UInt8 = 0, operation: LEAdvertisingDataOperation = LEAdvertisingDataOperation.complete,
        fragmentPreference: UInt8 = 1, data: [UInt8] = []
    ) {
        self.handle = handle
        self.operation = operation
        self.fragmentPreference = fragmentPreference
        self.data = data
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u8("Advertising_Handle", &handle, in: 0...0xEF)
        try v.field("Operation", &operation, in: 0...4)
        try v.u8("Fragment_Preference", &fragmentPreference, in: 0...1)
        try v.counted8("Scan_Response_Data", &data, limit: 251)
    }
}

/// HCI_LE_Read_Maximum_Advertising_Data_Length: reads how long the data of a set may be.
/// [Vol 4, Part E, 7.8.57]
package struct LEReadMaximumAdvertisingDataLength: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Read_Maximum_Advertising_Data_Length"
    package static let section = SpecSection(4, "E", "7.8.57")
    package static var opcode: HCIOpcode { .leReadMaximumAdvertisingDataLength }
    package static var supportedBit: Int? { 36 * 8 + 6 }

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {}

    /// What HCI_LE_Read_Maximum_Advertising_Data_Length returns. [Vol 4, Part E, 7.8.57]
    package struct ReturnParameters: WirePDU {
        package static let name: StaticString = "HCI_LE_Read_Maximum_Advertising_Data_Length return parameters"
        package static let section = SpecSection(4, "E", "7.8.57")

        package var status: HCIStatus = HCIStatus.success
        package var length: UInt16 = 31

        package init() {}
        package init(status: HCIStatus = HCIStatus.success, length: UInt16 = 31) {
            self.status = status
            self.length = length
        }

        package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
            guard try v.returnStatus(&status) else { return }
            try v.u16("Max_Advertising_Data_Length", &length)
        }
    }
}

/// HCI_LE_Read_Number_of_Supported_Advertising_Sets: reads how many sets there can be.
/// [Vol 4, Part E, 7.8.58]
package struct LEReadNumberOfSupportedAdvertisingSets: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Read_Number_of_Supported_Advertising_Sets"
    package static let section = SpecSection(4, "E", "7.8.58")
    package static var opcode: HCIOpcode { .leReadNumberOfSupportedAdvertisingSets }
    package static var supportedBit: Int? { 36 * 8 + 7 }

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {}

    /// What HCI_LE_Read_Number_of_Supported_Advertising_Sets returns. [Vol 4, Part E, 7.8.58]
    package struct ReturnParameters: WirePDU {
        package static let name: StaticString = "HCI_LE_Read_Number_of_Supported_Advertising_Sets return parameters"
        package static let section = SpecSection(4, "E", "7.8.58")

        package var status: HCIStatus = HCIStatus.success
        package var count: UInt8 = 1

        package init() {}
        package init(status: HCIStatus = HCIStatus.success, count: UInt8 = 1) {
            self.status = status
            self.count = count
        }

        package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
            guard try v.returnStatus(&status) else { return }
            try v.u8("Num_Supported_Advertising_Sets", &count)
        }
    }
}

/// HCI_LE_Remove_Advertising_Set: removes a set.
/// [Vol 4, Part E, 7.8.59]
package struct LERemoveAdvertisingSet: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Remove_Advertising_Set"
    package static let section = SpecSection(4, "E", "7.8.59")
    package static var opcode: HCIOpcode { .leRemoveAdvertisingSet }
    package static var supportedBit: Int? { 37 * 8 + 0 }
    package typealias ReturnParameters = HCIStatusReturn

    /// Names the advertising set.
    package var handle: UInt8 = 0

    package init() {}
    package init(handle: UInt8 = 0) {
        self.handle = handle
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u8("Advertising_Handle", &handle, in: 0...0xEF)
    }
}

/// HCI_LE_Clear_Advertising_Sets: removes all sets.
/// [Vol 4, Part E, 7.8.60]
package struct LEClearAdvertisingSets: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Clear_Advertising_Sets"
    package static let section = SpecSection(4, "E", "7.8.60")
    package static var opcode: HCIOpcode { .leClearAdvertisingSets }
    package static var supportedBit: Int? { 37 * 8 + 1 }
    package typealias ReturnParameters = HCIStatusReturn

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {}
}
