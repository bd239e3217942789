// HCI LE commands of a scanner for periodic advertising. [Vol 4, Part E, 7.8.67]

/// HCI_LE_Periodic_Advertising_Create_Sync: looks for a periodic advertiser, and follows it once it was found.
/// [Vol 4, Part E, 7.8.67]
package struct LEPeriodicAdvertisingCreateSync: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Periodic_Advertising_Create_Sync"
    package static let section = SpecSection(4, "E", "7.8.67")
    package static var opcode: HCIOpcode { .lePeriodicAdvertisingCreateSync }
    package static var supportedBit: Int? { 38 * 8 + 0 }
    package static var completion: HCICompletion { .status }
    package typealias ReturnParameters = HCIStatusReturn

    /// Bit 0: an advertiser of the Periodic Advertiser List; bit 1: reports are off at first; bit 2: duplicates are filtered.
    package var options: UInt8 = 0
    /// Advertising SID.
    package var setIdentifier: UInt8 = 0
    package var advertiser: DeviceAddress = DeviceAddress(0)
    /// Events that may be left out after one that was received.
    package var skip: UInt16 = 0
    /// Units of 10 ms.
    package var timeout: UInt16 = 0x03E8
    /// Constant tone extensions that make an advertiser unfit.
    package var cteType: UInt8 = 0

    package init() {}
    package init(
        options: UInt8 = 0, setIdentifier: UInt8 = 0, advertiser: DeviceAddress = DeviceAddress(0), skip: UInt16 = 0,
        timeout: UInt16 = 0x03E8, cteType: UInt8 = 0
    ) {
        self.options = options
        self.setIdentifier = setIdentifier
        self.advertiser = advertiser
        self.skip = skip
        self.timeout = timeout
        self.cteType = cteType
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u8("Options", &options)
        try v.u8("Advertising_SID", &setIdentifier, in: 0...0x0F)
        try v.address("Advertiser_Address_Type", "Advertiser_Address", &advertiser, kinds: 0...1)
        try v.u16("Skip", &skip, in: 0...0x01F3)
        try v.u16("Sync_Timeout", &timeout, in: 0x000A...0x4000)
        try v.u8("Sync_CTE_Type", &cteType)
    }
}

/// HCI_LE_Periodic_Advertising_Create_Sync_Cancel: stops looking for a periodic advertiser.
/// [Vol 4, Part E, 7.8.68]
package struct LEPeriodicAdvertisingCreateSyncCancel: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Periodic_Advertising_Create_Sync_Cancel"
    package static let section = SpecSection(4, "E", "7.8.68")
    package static var opcode: HCIOpcode { .lePeriodicAdvertisingCreateSyncCancel }
    package static var supportedBit: Int? { 38 * 8 + 1 }
    package typealias ReturnParameters = HCIStatusReturn

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {}
}

/// HCI_LE_Periodic_Advertising_Terminate_Sync: stops following a periodic advertiser.
/// [Vol 4, Part E, 7.8.69]
package struct LEPeriodicAdvertisingTerminateSync: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Periodic_Advertising_Terminate_Sync"
    package static let section = SpecSection(4, "E", "7.8.69")
    package static var opcode: HCIOpcode { .lePeriodicAdvertisingTerminateSync }
    package static var supportedBit: Int? { 38 * 8 + 2 }
    package typealias ReturnParameters = HCIStatusReturn

    /// Names the periodic advertising train.
    package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)

    package init() {}
    package init(handle: ConnectionHandle = ConnectionHandle(rawValue: 0)) {
        self.handle = handle
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("Sync_Handle", &handle, in: 0...0x0EFF)
    }
}
