// HCI LE commands for the filter accept list. [Vol 4, Part E, 7.8.14]

/// HCI_LE_Read_Filter_Accept_List_Size: reads how many devices the list holds.
/// [Vol 4, Part E, 7.8.14]
package struct LEReadFilterAcceptListSize: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Read_Filter_Accept_List_Size"
    package static let section = SpecSection(4, "E", "7.8.14")
    package static var opcode: HCIOpcode { .leReadFilterAcceptListSize }
    package static var supportedBit: Int? { 26 * 8 + 6 }

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {}

    /// What HCI_LE_Read_Filter_Accept_List_Size returns. [Vol 4, Part E, 7.8.14]
    package struct ReturnParameters: WirePDU {
        package static let name: StaticString = "HCI_LE_Read_Filter_Accept_List_Size return parameters"
        package static let section = SpecSection(4, "E", "7.8.14")

        package var status: HCIStatus = HCIStatus.success
        package var size: UInt8 = 0

        package init() {}
        package init(status: HCIStatus = HCIStatus.success, size: UInt8 = 0) {
            self.status = status
            self.size = size
        }

        package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
            guard try v.returnStatus(&status) else { return }
            try v.u8("Filter_Accept_List_Size", &size)
        }
    }
}

/// HCI_LE_Clear_Filter_Accept_List: empties the list.
/// [Vol 4, Part E, 7.8.15]
package struct LEClearFilterAcceptList: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Clear_Filter_Accept_List"
    package static let section = SpecSection(4, "E", "7.8.15")
    package static var opcode: HCIOpcode { .leClearFilterAcceptList }
    package static var supportedBit: Int? { 26 * 8 + 7 }
    package typealias ReturnParameters = HCIStatusReturn

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {}
}

/// HCI_LE_Add_Device_To_Filter_Accept_List: adds a device; type 0xFF: those that advertise anonymously.
/// [Vol 4, Part E, 7.8.16]
package struct LEAddDeviceToFilterAcceptList: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Add_Device_To_Filter_Accept_List"
    package static let section = SpecSection(4, "E", "7.8.16")
    package static var opcode: HCIOpcode { .leAddDeviceToFilterAcceptList }
    package static var supportedBit: Int? { 27 * 8 + 0 }
    package typealias ReturnParameters = HCIStatusReturn

    package var address: DeviceAddress = DeviceAddress(0)

    package init() {}
    package init(address: DeviceAddress = DeviceAddress(0)) {
        self.address = address
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.address("Address_Type", "Address", &address)
    }
}

/// HCI_LE_Remove_Device_From_Filter_Accept_List: removes a device.
/// [Vol 4, Part E, 7.8.17]
package struct LERemoveDeviceFromFilterAcceptList: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Remove_Device_From_Filter_Accept_List"
    package static let section = SpecSection(4, "E", "7.8.17")
    package static var opcode: HCIOpcode { .leRemoveDeviceFromFilterAcceptList }
    package static var supportedBit: Int? { 27 * 8 + 1 }
    package typealias ReturnParameters = HCIStatusReturn

    package var address: DeviceAddress = DeviceAddress(0)

    package init() {}
    package init(address: DeviceAddress = DeviceAddress(0)) {
        self.address = address
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.address("Address_Type", "Address", &address)
    }
}
