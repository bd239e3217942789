// LE events for advertisers and the end of scanning. [Vol 4, Part E, 7.7.65.17]

/// HCI_LE_Scan_Timeout: the duration of an extended scan is over.
/// [Vol 4, Part E, 7.7.65.17]
package struct LEScanTimeout: LEMetaEventPDU {
    package static let name: StaticString = "HCI_LE_Scan_Timeout"
    package static let section = SpecSection(4, "E", "7.7.65.17")
    package static var subeventCode: LESubeventCode? { .scanTimeout }

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {}
}

/// HCI_LE_Advertising_Set_Terminated: a set has stopped: a link was made, or its time is over.
/// [Vol 4, Part E, 7.7.65.18]
package struct LEAdvertisingSetTerminated: LEMetaEventPDU {
    package static let name: StaticString = "HCI_LE_Advertising_Set_Terminated"
    package static let section = SpecSection(4, "E", "7.7.65.18")
    package static var subeventCode: LESubeventCode? { .advertisingSetTerminated }

    package var status: HCIStatus = HCIStatus.success
    package var advertisingHandle: UInt8 = 0
    package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)
    package var completedEvents: UInt8 = 0

    package init() {}
    package init(
        status: HCIStatus = HCIStatus.success, advertisingHandle: UInt8 = 0,
        handle: ConnectionHandle = ConnectionHandle(rawValue: 0), completedEvents: UInt8 = 0
    ) {
        self.status = status
        self.advertisingHandle = advertisingHandle
        self.handle = handle
        self.completedEvents = completedEvents
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("Status", &status)
        try v.u8("Advertising_Handle", &advertisingHandle)
        try v.handle(&handle)
        try v.u8("Num_Completed_Extended_Advertising_Events", &completedEvents)
    }
}

/// HCI_LE_Scan_Request_Received: a scanner asked for the scan response of a set.
/// [Vol 4, Part E, 7.7.65.19]
package struct LEScanRequestReceived: LEMetaEventPDU {
    package static let name: StaticString = "HCI_LE_Scan_Request_Received"
    package static let section = SpecSection(4, "E", "7.7.65.19")
    package static var subeventCode: LESubeventCode? { .scanRequestReceived }

    package var advertisingHandle: UInt8 = 0
    package var scanner: DeviceAddress = DeviceAddress(0)

    package init() {}
    package init(advertisingHandle: UInt8 = 0, scanner: DeviceAddress = DeviceAddress(0)) {
        self.advertisingHandle = advertisingHandle
        self.scanner = scanner
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u8("Advertising_Handle", &advertisingHandle)
        try v.address("Scanner_Address_Type", "Scanner_Address", &scanner)
    }
}
