// Events about commands and about the controller as a whole. [Vol 4, Part E, 7.7]

/// HCI_Command_Status: the controller has begun with a command, or refuses it.
/// [Vol 4, Part E, 7.7.15]
package struct HCICommandStatus: HCIEventPDU {
    package static let name: StaticString = "HCI_Command_Status"
    package static let section = SpecSection(4, "E", "7.7.15")
    package static var eventCode: HCIEventCode { .commandStatus }

    package var status: HCIStatus = HCIStatus.success
    /// How many commands the host may send now.
    package var allowedCommands: UInt8 = 1
    package var opcode: HCIOpcode = HCIOpcode.nop

    package init() {}
    package init(status: HCIStatus = HCIStatus.success, allowedCommands: UInt8 = 1, opcode: HCIOpcode = HCIOpcode.nop) {
        self.status = status
        self.allowedCommands = allowedCommands
        self.opcode = opcode
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("Status", &status)
        try v.u8("Num_HCI_Command_Packets", &allowedCommands)
        try v.field("Command_Opcode", &opcode)
    }
}

/// HCI_Hardware_Error: the controller has failed.
/// [Vol 4, Part E, 7.7.16]
package struct HCIHardwareError: HCIEventPDU {
    package static let name: StaticString = "HCI_Hardware_Error"
    package static let section = SpecSection(4, "E", "7.7.16")
    package static var eventCode: HCIEventCode { .hardwareError }

    /// The maker's code; 0: lost synchronisation on the UART. [Vol 4, Part A, 4]
    package var code: UInt8 = 0

    package init() {}
    package init(code: UInt8 = 0) {
        self.code = code
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u8("Hardware_Code", &code)
    }
}

/// HCI_Data_Buffer_Overflow: the host sent more data packets than it had credits for.
/// [Vol 4, Part E, 7.7.26]
package struct HCIDataBufferOverflow: HCIEventPDU {
    package static let name: StaticString = "HCI_Data_Buffer_Overflow"
    package static let section = SpecSection(4, "E", "7.7.26")
    package static var eventCode: HCIEventCode { .dataBufferOverflow }

    /// 1 is ACL.
    package var linkType: UInt8 = 1

    package init() {}
    package init(linkType: UInt8 = 1) {
        self.linkType = linkType
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u8("Link_Type", &linkType)
    }
}
