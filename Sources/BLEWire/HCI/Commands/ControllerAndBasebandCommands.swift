// HCI commands of the group Controller & Baseband: masks, reset, LE host support. [Vol 4, Part E, 7.3]

/// HCI_Set_Event_Mask: chooses the events that the controller may send.
/// [Vol 4, Part E, 7.3.1]
package struct HCISetEventMask: HCICommandPDU {
    package static let name: StaticString = "HCI_Set_Event_Mask"
    package static let section = SpecSection(4, "E", "7.3.1")
    package static var opcode: HCIOpcode { .setEventMask }
    package static var supportedBit: Int? { 5 * 8 + 6 }
    package typealias ReturnParameters = HCIStatusReturn

    package var mask: HCIEventMask = HCIEventMask.standard

    package init() {}
    package init(mask: HCIEventMask = HCIEventMask.standard) {
        self.mask = mask
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("Event_Mask", &mask)
    }
}

/// HCI_Reset: puts controller and link layer into the state of standby.
/// [Vol 4, Part E, 7.3.2]
package struct HCIReset: HCICommandPDU {
    package static let name: StaticString = "HCI_Reset"
    package static let section = SpecSection(4, "E", "7.3.2")
    package static var opcode: HCIOpcode { .reset }
    package static var supportedBit: Int? { 5 * 8 + 7 }
    package typealias ReturnParameters = HCIStatusReturn

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {}
}

/// HCI_Set_Event_Mask_Page_2: chooses among the events of the second page.
/// [Vol 4, Part E, 7.3.69]
package struct HCISetEventMaskPage2: HCICommandPDU {
    package static let name: StaticString = "HCI_Set_Event_Mask_Page_2"
    package static let section = SpecSection(4, "E", "7.3.69")
    package static var opcode: HCIOpcode { .setEventMaskPage2 }
    package static var supportedBit: Int? { 22 * 8 + 2 }
    package typealias ReturnParameters = HCIStatusReturn

    package var mask: HCIEventMaskPage2 = HCIEventMaskPage2(rawValue: 0)

    package init() {}
    package init(mask: HCIEventMaskPage2 = HCIEventMaskPage2(rawValue: 0)) {
        self.mask = mask
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("Event_Mask_Page_2", &mask)
    }
}

/// HCI_Read_Transmit_Power_Level: reads a link's transmit power.
/// [Vol 4, Part E, 7.3.35]
package struct HCIReadTransmitPowerLevel: HCICommandPDU {
    package static let name: StaticString = "HCI_Read_Transmit_Power_Level"
    package static let section = SpecSection(4, "E", "7.3.35")
    package static var opcode: HCIOpcode { .readTransmitPowerLevel }
    package static var supportedBit: Int? { 10 * 8 + 2 }

    package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)
    /// 0 the current level, 1 the maximum.
    package var type: UInt8 = 0

    package init() {}
    package init(handle: ConnectionHandle = ConnectionHandle(rawValue: 0), type: UInt8 = 0) {
        self.handle = handle
        self.type = type
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.handle(&handle)
        try v.u8("Type", &type, in: 0...1)
    }

    /// What HCI_Read_Transmit_Power_Level returns. [Vol 4, Part E, 7.3.35]
    package struct ReturnParameters: WirePDU {
        package static let name: StaticString = "HCI_Read_Transmit_Power_Level return parameters"
        package static let section = SpecSection(4, "E", "7.3.35")

        package var status: HCIStatus = HCIStatus.success
        package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)
        /// dBm.
        package var transmitPower: Int8 = 0

        package init() {}
        package init(
            status: HCIStatus = HCIStatus.success, handle: ConnectionHandle = ConnectionHandle(rawValue: 0),
            transmitPower: Int8 = 0
        ) {
            self.status = status
            self.handle = handle
            self.transmitPower = transmitPower
        }

        package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
            guard try v.returnStatus(&status) else { return }
            try v.handle(&handle)
            try v.i8("TX_Power_Level", &transmitPower)
        }
    }
}

/// HCI_Read_LE_Host_Support: reads whether the host supports LE.
/// [Vol 4, Part E, 7.3.78]
package struct HCIReadLEHostSupport: HCICommandPDU {
    package static let name: StaticString = "HCI_Read_LE_Host_Support"
    package static let section = SpecSection(4, "E", "7.3.78")
    package static var opcode: HCIOpcode { .readLEHostSupport }
    package static var supportedBit: Int? { 24 * 8 + 5 }

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {}

    /// What HCI_Read_LE_Host_Support returns. [Vol 4, Part E, 7.3.78]
    package struct ReturnParameters: WirePDU {
        package static let name: StaticString = "HCI_Read_LE_Host_Support return parameters"
        package static let section = SpecSection(4, "E", "7.3.78")

        package var status: HCIStatus = HCIStatus.success
        package var isSupported: Bool = false
        package var unused: UInt8 = 0

        package init() {}
        package init(status: HCIStatus = HCIStatus.success, isSupported: Bool = false, unused: UInt8 = 0) {
            self.status = status
            self.isSupported = isSupported
            self.unused = unused
        }

        package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
            guard try v.returnStatus(&status) else { return }
            try v.flag("LE_Supported_Host", &isSupported)
            try v.u8("Unused", &unused)
        }
    }
}

/// HCI_Write_LE_Host_Support: says whether the host supports LE.
/// [Vol 4, Part E, 7.3.79]
package struct HCIWriteLEHostSupport: HCICommandPDU {
    package static let name: StaticString = "HCI_Write_LE_Host_Support"
    package static let section = SpecSection(4, "E", "7.3.79")
    package static var opcode: HCIOpcode { .writeLEHostSupport }
    package static var supportedBit: Int? { 24 * 8 + 6 }
    package typealias ReturnParameters = HCIStatusReturn

    package var isSupported: Bool = false
    package var unused: UInt8 = 0

    package init() {}
    package init(isSupported: Bool = false, unused: UInt8 = 0) {
        self.isSupported = isSupported
        self.unused = unused
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.flag("LE_Supported_Host", &isSupported)
        try v.u8("Unused", &unused)
    }
}
