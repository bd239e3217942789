// HCI LE commands for the Periodic Advertiser List. [Vol 4, Part E, 7.8.70]

/// HCI_LE_Add_Device_To_Periodic_Advertiser_List: adds an advertising set that may be followed.
/// [Vol 4, Part E, 7.8.70]
package struct LEAddDeviceToPeriodicAdvertiserList: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Add_Device_To_Periodic_Advertiser_List"
    package static let section = SpecSection(4, "E", "7.8.70")
    package static var opcode: HCIOpcode { .leAddDeviceToPeriodicAdvertiserList }
    package static var supportedBit: Int? { 38 * 8 + 3 }
    package typealias ReturnParameters = HCIStatusReturn

    package var advertiser: DeviceAddress = DeviceAddress(0)
    /// Advertising SID.
    package var setIdentifier: UInt8 = 0

    package init() {}
    package init(advertiser: DeviceAddress = DeviceAddress(0), setIdentifier: UInt8 = 0) {
        self.advertiser = advertiser
        self.setIdentifier = setIdentifier
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.address("Advertiser_Address_Type", "Advertiser_Address", &advertiser, kinds: 0...1)
        try v.u8("Advertising_SID", &setIdentifier, in: 0...0x0F)
    }
}

/// HCI_LE_Remove_Device_From_Periodic_Advertiser_List: removes an advertising set.
/// [Vol 4, Part E, 7.8.71]
package struct LERemoveDeviceFromPeriodicAdvertiserList: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Remove_Device_From_Periodic_Advertiser_List"
    package static let section = SpecSection(4, "E", "7.8.71")
    package static var opcode: HCIOpcode { .leRemoveDeviceFromPeriodicAdvertiserList }
    package static var supportedBit: Int? { 38 * 8 + 4 }
    package typealias ReturnParameters = HCIStatusReturn

    package var advertiser: DeviceAddress = DeviceAddress(0)
    /// Advertising SID.
    package var setIdentifier: UInt8 = 0

    package init() {}
    package init(advertiser: DeviceAddress = DeviceAddress(0), setIdentifier: UInt8 = 0) {
        self.advertiser = advertiser
        self.setIdentifier = setIdentifier
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.address("Advertiser_Address_Type", "Advertiser_Address", &advertiser, kinds: 0...1)
        try v.u8("Advertising_SID", &setIdentifier, in: 0...0x0F)
    }
}

/// HCI_LE_Clear_Periodic_Advertiser_List: empties the list.
/// [Vol 4, Part E, 7.8.72]
package struct LEClearPeriodicAdvertiserList: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Clear_Periodic_Advertiser_List"
    package static let section = SpecSection(4, "E", "7.8.72")
    package static var opcode: HCIOpcode { .leClearPeriodicAdvertiserList }
    package static var supportedBit: Int? { 38 * 8 + 5 }
    package typealias ReturnParameters = HCIStatusReturn

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {}
}

/// HCI_LE_Read_Periodic_Advertiser_List_Size: reads how many advertising sets the list holds.
/// [Vol 4, Part E, 7.8.73]
package struct LEReadPeriodicAdvertiserListSize: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Read_Periodic_Advertiser_List_Size"
    package static let section = SpecSection(4, "E", "7.8.73")
    package static var opcode: HCIOpcode { .leReadPeriodicAdvertiserListSize }
    package static var supportedBit: Int? { 38 * 8 + 6 }

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {}

    /// What HCI_LE_Read_Periodic_Advertiser_List_Size returns. [Vol 4, Part E, 7.8.73]
    package struct ReturnParameters: WirePDU {
        package static let name: StaticString = "HCI_LE_Read_Periodic_Advertiser_List_Size return parameters"
        package static let section = SpecSection(4, "E", "7.8.73")

        package var status: HCIStatus = HCIStatus.success
        package var size: UInt8 = 0

        package init() {}
        package init(status: HCIStatus = HCIStatus.success, size: UInt8 = 0) {
            self.status = status
            self.size = size
        }

        package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
            guard try v.returnStatus(&status) else { return }
            try v.u8("Periodic_Advertiser_List_Size", &size)
        }
    }
}
