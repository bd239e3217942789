/// The parameters of an HCI command. [Vol 4, Part E, 5.4.1]
package protocol HCICommandPDU: WirePDU {
    /// What the controller returns in the Command Complete event.
    associatedtype ReturnParameters: WirePDU

    static var opcode: HCIOpcode { get }
    /// The command's bit in the answer to HCI_Read_Local_Supported_Commands, counted from octet 0, bit 0; nil where
    /// it has none. [Vol 4, Part E, 6.27]
    static var supportedBit: Int? { get }
    static var completion: HCICompletion { get }
}

/// How the controller answers a command. [Vol 4, Part E, 4.4]
package enum HCICompletion: Sendable {
    /// By a Command Complete event with return parameters.
    case complete
    /// By a Command Status event; the result comes in an event of its own.
    case status
    /// Not at all, unless it fails.
    case nothing
}

extension HCICommandPDU {
    package static var completion: HCICompletion { .complete }

    /// The whole packet with its H4 indicator. A value outside its limits is sent as it is: the controller judges it.
    /// [Vol 4, Part A, 2]
    package func packet() -> [UInt8] { HCIFraming.command(self) }

    /// The Command Complete event for this command, as a whole packet. [Vol 4, Part E, 7.7.14]
    package static func completed(_ values: ReturnParameters, allowedCommands: UInt8 = 1) -> [UInt8] {
        HCIFraming.commandComplete(opcode, values, allowedCommands: allowedCommands)
    }

    /// The Command Status event for this command, as a whole packet. [Vol 4, Part E, 7.7.15]
    package static func accepted(_ status: HCIStatus = .success, allowedCommands: UInt8 = 1) -> [UInt8] {
        HCICommandStatus(status: status, allowedCommands: allowedCommands, opcode: opcode).packet()
    }
}

/// The return parameters of commands that return a status only. [Vol 4, Part E, 7.7.14]
package struct HCIStatusReturn: WirePDU {
    package static let name: StaticString = "Status"
    package static let section = SpecSection(4, "E", "7.7.14")

    package var status = HCIStatus.success

    package init() {}
    package init(status: HCIStatus = .success) { self.status = status }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("Status", &status)
    }
}

/// The return parameters of commands that return a status and the link. [Vol 4, Part E, 7.7.14]
package struct HCIHandleReturn: WirePDU {
    package static let name: StaticString = "Status, Connection_Handle"
    package static let section = SpecSection(4, "E", "7.7.14")

    package var status = HCIStatus.success
    package var handle = ConnectionHandle(rawValue: 0)

    package init() {}
    package init(status: HCIStatus = .success, handle: ConnectionHandle) {
        self.status = status
        self.handle = handle
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        guard try v.returnStatus(&status) else { return }
        try v.handle(&handle)
    }
}
