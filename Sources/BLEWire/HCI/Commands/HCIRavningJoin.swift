/// HCI_Ravning_Join: tells a virtual controller who it is, before the host resets it. A command of ours in the
/// vendor's group (OGF 0x3F); a controller that isn't virtual answers Unknown HCI Command.
/// [Vol 4, Part E, 5.4.1]
package struct HCIRavningJoin: HCICommandPDU {
    package static let name: StaticString = "HCI_Ravning_Join"
    package static let section = SpecSection(4, "E", "5.4.1")
    package static var opcode: HCIOpcode { .ravningJoin }
    package static var supportedBit: Int? { nil }
    package typealias ReturnParameters = HCIStatusReturn

    /// The address of the device: public, or random static.
    package var address = DeviceAddress(0)
    /// The name of the device on the radio, in UTF-8.
    package var deviceName: [UInt8] = []

    package init() {}
    package init(address: DeviceAddress, deviceName: String) {
        self.address = address
        self.deviceName = Array(deviceName.utf8)
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.address("BD_ADDR", &address)
        try v.field("Address_Kind", &address.kind, in: 0...1)
        try v.counted8("Name", &deviceName, limit: 240)
    }
}
