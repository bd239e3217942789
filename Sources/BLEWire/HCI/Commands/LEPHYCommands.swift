// HCI LE commands for the PHYs of a link. [Vol 4, Part E, 7.8.47]

/// HCI_LE_Read_PHY: reads which PHYs a link uses.
/// [Vol 4, Part E, 7.8.47]
package struct LEReadPHY: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Read_PHY"
    package static let section = SpecSection(4, "E", "7.8.47")
    package static var opcode: HCIOpcode { .leReadPHY }
    package static var supportedBit: Int? { 35 * 8 + 4 }

    package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)

    package init() {}
    package init(handle: ConnectionHandle = ConnectionHandle(rawValue: 0)) {
        self.handle = handle
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.handle(&handle)
    }

    /// What HCI_LE_Read_PHY returns. [Vol 4, Part E, 7.8.47]
    package struct ReturnParameters: WirePDU {
        package static let name: StaticString = "HCI_LE_Read_PHY return parameters"
        package static let section = SpecSection(4, "E", "7.8.47")

        package var status: HCIStatus = HCIStatus.success
        package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)
        package var transmitPHY: LEPHY = LEPHY.le1M
        package var receivePHY: LEPHY = LEPHY.le1M

        package init() {}
        package init(
            status: HCIStatus = HCIStatus.success, handle: ConnectionHandle = ConnectionHandle(rawValue: 0),
            transmitPHY: LEPHY = LEPHY.le1M, receivePHY: LEPHY = LEPHY.le1M
        ) {
            self.status = status
            self.handle = handle
            self.transmitPHY = transmitPHY
            self.receivePHY = receivePHY
        }

        package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
            guard try v.returnStatus(&status) else { return }
            try v.handle(&handle)
            try v.field("TX_PHY", &transmitPHY)
            try v.field("RX_PHY", &receivePHY)
        }
    }
}

/// HCI_LE_Set_Default_PHY: sets which PHYs new links should use.
/// [Vol 4, Part E, 7.8.48]
package struct LESetDefaultPHY: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Set_Default_PHY"
    package static let section = SpecSection(4, "E", "7.8.48")
    package static var opcode: HCIOpcode { .leSetDefaultPHY }
    package static var supportedBit: Int? { 35 * 8 + 5 }
    package typealias ReturnParameters = HCIStatusReturn

    /// Bit 0: no preference to transmit, bit 1: to receive.
    package var allPHYs: UInt8 = 0
    /// Bit 0 1M, bit 1 2M, bit 2 Coded.
    package var transmitPHYs: UInt8 = 0
    package var receivePHYs: UInt8 = 0

    package init() {}
    package init(allPHYs: UInt8 = 0, transmitPHYs: UInt8 = 0, receivePHYs: UInt8 = 0) {
        self.allPHYs = allPHYs
        self.transmitPHYs = transmitPHYs
        self.receivePHYs = receivePHYs
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u8("ALL_PHYS", &allPHYs, in: 0...3)
        try v.u8("TX_PHYS", &transmitPHYs, in: 0...7)
        try v.u8("RX_PHYS", &receivePHYs, in: 0...7)
    }
}

/// HCI_LE_Set_PHY: asks for other PHYs on a link.
/// [Vol 4, Part E, 7.8.49]
package struct LESetPHY: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Set_PHY"
    package static let section = SpecSection(4, "E", "7.8.49")
    package static var opcode: HCIOpcode { .leSetPHY }
    package static var supportedBit: Int? { 35 * 8 + 6 }
    package static var completion: HCICompletion { .status }
    package typealias ReturnParameters = HCIStatusReturn

    package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)
    /// Bit 0: no preference to transmit, bit 1: to receive.
    package var allPHYs: UInt8 = 0
    /// Bit 0 1M, bit 1 2M, bit 2 Coded.
    package var transmitPHYs: UInt8 = 0
    package var receivePHYs: UInt8 = 0
    /// Coding preferred on the Coded PHY: 0 none, 1 S=2, 2 S=8.
    package var options: UInt16 = 0

    package init() {}
    package init(
        handle: ConnectionHandle = ConnectionHandle(rawValue: 0), allPHYs: UInt8 = 0, transmitPHYs: UInt8 = 0,
        receivePHYs: UInt8 = 0, options: UInt16 = 0
    ) {
        self.handle = handle
        self.allPHYs = allPHYs
        self.transmitPHYs = transmitPHYs
        self.receivePHYs = receivePHYs
        self.options = options
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.handle(&handle)
        try v.u8("ALL_PHYS", &allPHYs, in: 0...3)
        try v.u8("TX_PHYS", &transmitPHYs, in: 0...7)
        try v.u8("RX_PHYS", &receivePHYs, in: 0...7)
        try v.u16("PHY_Options", &options, in: 0...2)
    }
}
