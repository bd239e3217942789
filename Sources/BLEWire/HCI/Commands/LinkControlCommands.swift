// HCI commands of the group Link Control that concern LE links. [Vol 4, Part E, 7.1]

/// HCI_Disconnect: ends a link.
/// [Vol 4, Part E, 7.1.6]
package struct HCIDisconnect: HCICommandPDU {
    package static let name: StaticString = "HCI_Disconnect"
    package static let section = SpecSection(4, "E", "7.1.6")
    package static var opcode: HCIOpcode { .disconnect }
    package static var supportedBit: Int? { 0 * 8 + 5 }
    package static var completion: HCICompletion { .status }
    package typealias ReturnParameters = HCIStatusReturn

    package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)
    package var reason: HCIStatus = HCIStatus.remoteUserTerminated

    package init() {}
    package init(
        handle: ConnectionHandle = ConnectionHandle(rawValue: 0), reason: HCIStatus = HCIStatus.remoteUserTerminated
    ) {
        self.handle = handle
        self.reason = reason
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.handle(&handle)
        try v.field("Reason", &reason)
    }
}

/// HCI_Read_Remote_Version_Information: asks the peer for its version.
/// [Vol 4, Part E, 7.1.23]
package struct HCIReadRemoteVersionInformation: HCICommandPDU {
    package static let name: StaticString = "HCI_Read_Remote_Version_Information"
    package static let section = SpecSection(4, "E", "7.1.23")
    package static var opcode: HCIOpcode { .readRemoteVersionInformation }
    package static var supportedBit: Int? { 2 * 8 + 7 }
    package static var completion: HCICompletion { .status }
    package typealias ReturnParameters = HCIStatusReturn

    package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)

    package init() {}
    package init(handle: ConnectionHandle = ConnectionHandle(rawValue: 0)) {
        self.handle = handle
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.handle(&handle)
    }
}
