/// The parameters of an HCI event. [Vol 4, Part E, 5.4.4]
package protocol HCIEventPDU: WirePDU {
    static var eventCode: HCIEventCode { get }
    /// Set for the events inside of LE Meta.
    static var subeventCode: LESubeventCode? { get }
}

/// The parameters of an LE event, behind the subevent code. [Vol 4, Part E, 7.7.65]
package protocol LEMetaEventPDU: HCIEventPDU {}

extension HCIEventPDU {
    package static var subeventCode: LESubeventCode? { nil }

    /// The whole packet with its H4 indicator. Values outside their limits are written as they are.
    /// [Vol 4, Part A, 2]
    package func packet() -> [UInt8] { HCIFraming.event(self) }
}

extension LEMetaEventPDU {
    package static var eventCode: HCIEventCode { .leMeta }
}
