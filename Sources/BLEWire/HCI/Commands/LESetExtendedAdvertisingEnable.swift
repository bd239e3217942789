/// HCI_LE_Set_Extended_Advertising_Enable: starts or stops advertising sets; no set and `isEnabled` false: all of them.
/// [Vol 4, Part E, 7.8.56]
package struct LESetExtendedAdvertisingEnable: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Set_Extended_Advertising_Enable"
    package static let section = SpecSection(4, "E", "7.8.56")
    package static var opcode: HCIOpcode { .leSetExtendedAdvertisingEnable }
    package static var supportedBit: Int? { 36 * 8 + 5 }
    package typealias ReturnParameters = HCIStatusReturn

    package var isEnabled = false
    package var sets: [AdvertisingSet] = []

    package init() {}
    package init(isEnabled: Bool, sets: [AdvertisingSet] = []) {
        self.isEnabled = isEnabled
        self.sets = sets
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.flag("Enable", &isEnabled)
        var count = UInt8(clamping: sets.count)
        try v.u8("Num_Sets", &count, in: 0...0x3F)
        try v.list("Set", &sets, count: Int(count))
    }

    /// One set and how long it may advertise. [Vol 4, Part E, 7.8.56]
    package struct AdvertisingSet: FieldStructure, Equatable {
        package var handle: UInt8 = 0
        /// Units of 10 ms; 0 = without end.
        package var duration: UInt16 = 0
        /// 0 = without limit.
        package var maximumEvents: UInt8 = 0

        package init() {}
        package init(handle: UInt8, duration: UInt16 = 0, maximumEvents: UInt8 = 0) {
            self.handle = handle
            self.duration = duration
            self.maximumEvents = maximumEvents
        }

        package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
            try v.u8("Advertising_Handle", &handle, in: 0...0xEF)
            try v.u16("Duration", &duration)
            try v.u8("Max_Extended_Advertising_Events", &maximumEvents)
        }
    }
}
