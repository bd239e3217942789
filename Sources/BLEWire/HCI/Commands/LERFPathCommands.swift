// HCI LE commands about the path between radio and antenna. [Vol 4, Part E, 7.8.75]

/// HCI_LE_Read_RF_Path_Compensation: reads what is lost or gained between radio and antenna.
/// [Vol 4, Part E, 7.8.75]
package struct LEReadRFPathCompensation: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Read_RF_Path_Compensation"
    package static let section = SpecSection(4, "E", "7.8.75")
    package static var opcode: HCIOpcode { .leReadRFPathCompensation }
    package static var supportedBit: Int? { 39 * 8 + 0 }

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {}

    /// What HCI_LE_Read_RF_Path_Compensation returns. [Vol 4, Part E, 7.8.75]
    package struct ReturnParameters: WirePDU {
        package static let name: StaticString = "HCI_LE_Read_RF_Path_Compensation return parameters"
        package static let section = SpecSection(4, "E", "7.8.75")

        package var status: HCIStatus = HCIStatus.success
        /// Units of 0.1 dB, in two's complement: -128.0 to 128.0 dB.
        package var transmitCompensation: UInt16 = 0
        package var receiveCompensation: UInt16 = 0

        package init() {}
        package init(
            status: HCIStatus = HCIStatus.success, transmitCompensation: UInt16 = 0, receiveCompensation: UInt16 = 0
        ) {
            self.status = status
            self.transmitCompensation = transmitCompensation
            self.receiveCompensation = receiveCompensation
        }

        package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
            guard try v.returnStatus(&status) else { return }
            try v.u16("RF_TX_Path_Compensation_Value", &transmitCompensation)
            try v.u16("RF_RX_Path_Compensation_Value", &receiveCompensation)
        }
    }
}

/// HCI_LE_Write_RF_Path_Compensation: says what is lost or gained between radio and antenna.
/// [Vol 4, Part E, 7.8.76]
package struct LEWriteRFPathCompensation: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Write_RF_Path_Compensation"
    package static let section = SpecSection(4, "E", "7.8.76")
    package static var opcode: HCIOpcode { .leWriteRFPathCompensation }
    package static var supportedBit: Int? { 39 * 8 + 1 }
    package typealias ReturnParameters = HCIStatusReturn

    /// Units of 0.1 dB, in two's complement: -128.0 to 128.0 dB.
    package var transmitCompensation: UInt16 = 0
    package var receiveCompensation: UInt16 = 0

    package init() {}
    package init(transmitCompensation: UInt16 = 0, receiveCompensation: UInt16 = 0) {
        self.transmitCompensation = transmitCompensation
        self.receiveCompensation = receiveCompensation
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u16("RF_TX_Path_Compensation_Value", &transmitCompensation)
        try v.u16("RF_RX_Path_Compensation_Value", &receiveCompensation)
    }
}
