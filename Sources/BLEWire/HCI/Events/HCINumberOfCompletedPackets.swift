/// HCI_Number_Of_Completed_Packets: gives the host credits back.
/// [Vol 4, Part E, 7.7.19]
package struct HCINumberOfCompletedPackets: HCIEventPDU {
    package static let name: StaticString = "HCI_Number_Of_Completed_Packets"
    package static let section = SpecSection(4, "E", "7.7.19")
    package static var eventCode: HCIEventCode { .numberOfCompletedPackets }

    package var completed: [HCICompletedPackets] = []

    package init() {}
    package init(completed: [HCICompletedPackets]) { self.completed = completed }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        var count = UInt8(clamping: completed.count)
        try v.u8("Num_Handles", &count)
        try v.list("Completed", &completed, count: Int(count))
    }

    /// The packet for one link, without a detour: the most frequent event on a busy link.
    package static func packet(handle: ConnectionHandle, count: UInt16) -> [UInt8] {
        [
            H4Indicator.event.rawValue, HCIEventCode.numberOfCompletedPackets.rawValue, 5, 1,
            UInt8(truncatingIfNeeded: handle.rawValue), UInt8(truncatingIfNeeded: handle.rawValue >> 8),
            UInt8(truncatingIfNeeded: count), UInt8(truncatingIfNeeded: count >> 8),
        ]
    }
}
