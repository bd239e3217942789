/// HCI_Read_Local_Supported_Commands: reads which commands the controller supports.
/// [Vol 4, Part E, 7.4.2]
package struct HCIReadLocalSupportedCommands: HCICommandPDU {
    package static let name: StaticString = "HCI_Read_Local_Supported_Commands"
    package static let section = SpecSection(4, "E", "7.4.2")
    package static var opcode: HCIOpcode { .readLocalSupportedCommands }
    package static var supportedBit: Int? { nil }

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {}

    /// What HCI_Read_Local_Supported_Commands returns. [Vol 4, Part E, 7.4.2]
    package struct ReturnParameters: WirePDU {
        package static let name: StaticString = "HCI_Read_Local_Supported_Commands return parameters"
        package static let section = SpecSection(4, "E", "7.4.2")

        package var status = HCIStatus.success
        package var commands = HCISupportedCommands()

        package init() {}
        package init(status: HCIStatus = .success, commands: HCISupportedCommands) {
            self.status = status
            self.commands = commands
        }

        package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
            guard try v.returnStatus(&status) else { return }
            try v.octets("Supported_Commands", &commands.octets, count: 64)
        }
    }
}

/// Which commands a controller supports: a bit for each. [Vol 4, Part E, 6.27]
package struct HCISupportedCommands: Hashable, Sendable {
    /// 64 octets.
    package var octets = [UInt8](repeating: 0, count: 64)

    package init() {}
    package init(_ commands: [any HCICommandPDU.Type]) {
        for command in commands { insert(command) }
    }

    package func contains(_ command: any HCICommandPDU.Type) -> Bool {
        guard let bit = command.supportedBit, bit / 8 < octets.count else { return false }
        return octets[bit / 8] & 1 << (bit % 8) != 0
    }

    /// Sets the bit of the command; a command without one changes nothing.
    package mutating func insert(_ command: any HCICommandPDU.Type) {
        guard let bit = command.supportedBit, bit / 8 < octets.count else { return }
        octets[bit / 8] |= 1 << (bit % 8)
    }

    package mutating func remove(_ command: any HCICommandPDU.Type) {
        guard let bit = command.supportedBit, bit / 8 < octets.count else { return }
        octets[bit / 8] &= ~(1 << (bit % 8))
    }
}
