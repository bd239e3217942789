/// HCI_Command_Complete: the answer to a command, with what it returns.
/// [Vol 4, Part E, 7.7.14]
package struct HCICommandComplete: HCIEventPDU {
    package static let name: StaticString = "HCI_Command_Complete"
    package static let section = SpecSection(4, "E", "7.7.14")
    package static var eventCode: HCIEventCode { .commandComplete }

    /// How many commands the host may send now.
    package var allowedCommands: UInt8 = 1
    package var opcode = HCIOpcode.nop
    package var returnParameters: [UInt8] = []

    package init() {}
    package init(allowedCommands: UInt8 = 1, opcode: HCIOpcode, returnParameters: [UInt8]) {
        self.allowedCommands = allowedCommands
        self.opcode = opcode
        self.returnParameters = returnParameters
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u8("Num_HCI_Command_Packets", &allowedCommands)
        try v.field("Command_Opcode", &opcode)
        try v.rest("Return_Parameters", &returnParameters, limit: 252)
    }

    /// The first return parameter, which is a status for every command that exists. An answer without any is taken
    /// for success: so the Command Complete of no command is.
    package var status: HCIStatus { returnParameters.first.map(HCIStatus.init(rawValue:)) ?? .success }

    /// The return parameters of a command. Octets behind the last one are ignored: newer versions of a command may
    /// return more. [Vol 4, Part E, 5.4.4]
    package func returned<Command: HCICommandPDU>(
        by command: Command.Type
    ) throws(WireError) -> Command.ReturnParameters {
        let span = unsafe returnParameters.span.bytes
        var reader = WireReader(span)
        var values = Command.ReturnParameters()
        try values.visitFields(&reader)
        return values
    }
}
