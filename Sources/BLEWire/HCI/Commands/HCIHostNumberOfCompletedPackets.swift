/// HCI_Host_Number_Of_Completed_Packets: gives the controller buffers of the host back. Not answered unless it is
/// wrong, and outside of command flow control.
/// [Vol 4, Part E, 7.3.40]
package struct HCIHostNumberOfCompletedPackets: HCICommandPDU {
    package static let name: StaticString = "HCI_Host_Number_Of_Completed_Packets"
    package static let section = SpecSection(4, "E", "7.3.40")
    package static var opcode: HCIOpcode { .hostNumberOfCompletedPackets }
    package static var supportedBit: Int? { 10 * 8 + 7 }
    package static var completion: HCICompletion { .nothing }
    package typealias ReturnParameters = HCIStatusReturn

    package var completed: [HCICompletedPackets] = []

    package init() {}
    package init(completed: [HCICompletedPackets]) { self.completed = completed }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        var count = UInt8(clamping: completed.count)
        try v.u8("Num_Handles", &count)
        try v.list("Completed", &completed, count: Int(count))
    }
}

/// How many packets of a link are done. [Vol 4, Part E, 7.7.19]
package struct HCICompletedPackets: FieldStructure, Equatable {
    package var handle = ConnectionHandle(rawValue: 0)
    package var count: UInt16 = 0

    package init() {}
    package init(handle: ConnectionHandle, count: UInt16) {
        self.handle = handle
        self.count = count
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.handle(&handle)
        try v.u16("Num_Completed_Packets", &count)
    }
}
