// HCI commands of the groups Informational and Status Parameters. [Vol 4, Part E, 7.4]

/// HCI_Read_Local_Version_Information: reads version and maker of the controller.
/// [Vol 4, Part E, 7.4.1]
package struct HCIReadLocalVersionInformation: HCICommandPDU {
    package static let name: StaticString = "HCI_Read_Local_Version_Information"
    package static let section = SpecSection(4, "E", "7.4.1")
    package static var opcode: HCIOpcode { .readLocalVersionInformation }
    package static var supportedBit: Int? { 14 * 8 + 3 }

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {}

    /// What HCI_Read_Local_Version_Information returns. [Vol 4, Part E, 7.4.1]
    package struct ReturnParameters: WirePDU {
        package static let name: StaticString = "HCI_Read_Local_Version_Information return parameters"
        package static let section = SpecSection(4, "E", "7.4.1")

        package var status: HCIStatus = HCIStatus.success
        /// 9 is Core 5.0.
        package var hciVersion: UInt8 = 9
        package var hciSubversion: UInt16 = 0
        package var lmpVersion: UInt8 = 9
        package var companyIdentifier: UInt16 = 0
        package var lmpSubversion: UInt16 = 0

        package init() {}
        package init(
            status: HCIStatus = HCIStatus.success, hciVersion: UInt8 = 9, hciSubversion: UInt16 = 0,
            lmpVersion: UInt8 = 9, companyIdentifier: UInt16 = 0, lmpSubversion: UInt16 = 0
        ) {
            self.status = status
            self.hciVersion = hciVersion
            self.hciSubversion = hciSubversion
            self.lmpVersion = lmpVersion
            self.companyIdentifier = companyIdentifier
            self.lmpSubversion = lmpSubversion
        }

        package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
            guard try v.returnStatus(&status) else { return }
            try v.u8("HCI_Version", &hciVersion)
            try v.u16("HCI_Subversion", &hciSubversion)
            try v.u8("LMP_Version", &lmpVersion)
            try v.u16("Company_Identifier", &companyIdentifier)
            try v.u16("LMP_Subversion", &lmpSubversion)
        }
    }
}

/// HCI_Read_Local_Supported_Features: reads the LMP features of the controller.
/// [Vol 4, Part E, 7.4.3]
package struct HCIReadLocalSupportedFeatures: HCICommandPDU {
    package static let name: StaticString = "HCI_Read_Local_Supported_Features"
    package static let section = SpecSection(4, "E", "7.4.3")
    package static var opcode: HCIOpcode { .readLocalSupportedFeatures }
    package static var supportedBit: Int? { 14 * 8 + 5 }

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {}

    /// What HCI_Read_Local_Supported_Features returns. [Vol 4, Part E, 7.4.3]
    package struct ReturnParameters: WirePDU {
        package static let name: StaticString = "HCI_Read_Local_Supported_Features return parameters"
        package static let section = SpecSection(4, "E", "7.4.3")

        package var status: HCIStatus = HCIStatus.success
        /// Bit 37: no BR/EDR, bit 38: LE. [Vol 2, Part C, 3.3]
        package var features: UInt64 = 1 << 37 | 1 << 38

        package init() {}
        package init(status: HCIStatus = HCIStatus.success, features: UInt64 = 1 << 37 | 1 << 38) {
            self.status = status
            self.features = features
        }

        package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
            guard try v.returnStatus(&status) else { return }
            try v.u64("LMP_Features", &features)
        }
    }
}

/// HCI_Read_Buffer_Size: reads the buffers that LE shares where it has none of its own.
/// [Vol 4, Part E, 7.4.5]
package struct HCIReadBufferSize: HCICommandPDU {
    package static let name: StaticString = "HCI_Read_Buffer_Size"
    package static let section = SpecSection(4, "E", "7.4.5")
    package static var opcode: HCIOpcode { .readBufferSize }
    package static var supportedBit: Int? { 14 * 8 + 7 }

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {}

    /// What HCI_Read_Buffer_Size returns. [Vol 4, Part E, 7.4.5]
    package struct ReturnParameters: WirePDU {
        package static let name: StaticString = "HCI_Read_Buffer_Size return parameters"
        package static let section = SpecSection(4, "E", "7.4.5")

        package var status: HCIStatus = HCIStatus.success
        package var aclDataPacketLength: UInt16 = 0
        package var synchronousDataPacketLength: UInt8 = 0
        package var totalACLDataPackets: UInt16 = 0
        package var totalSynchronousDataPackets: UInt16 = 0

        package init() {}
        package init(
            status: HCIStatus = HCIStatus.success, aclDataPacketLength: UInt16 = 0,
            synchronousDataPacketLength: UInt8 = 0, totalACLDataPackets: UInt16 = 0,
            totalSynchronousDataPackets: UInt16 = 0
        ) {
            self.status = status
            self.aclDataPacketLength = aclDataPacketLength
            self.synchronousDataPacketLength = synchronousDataPacketLength
            self.totalACLDataPackets = totalACLDataPackets
            self.totalSynchronousDataPackets = totalSynchronousDataPackets
        }

        package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
            guard try v.returnStatus(&status) else { return }
            try v.u16("ACL_Data_Packet_Length", &aclDataPacketLength)
            try v.u8("Synchronous_Data_Packet_Length", &synchronousDataPacketLength)
            try v.u16("Total_Num_ACL_Data_Packets", &totalACLDataPackets)
            try v.u16("Total_Num_Synchronous_Data_Packets", &totalSynchronousDataPackets)
        }
    }
}

/// HCI_Read_BD_ADDR: reads the public address.
/// [Vol 4, Part E, 7.4.6]
package struct HCIReadBDAddr: HCICommandPDU {
    package static let name: StaticString = "HCI_Read_BD_ADDR"
    package static let section = SpecSection(4, "E", "7.4.6")
    package static var opcode: HCIOpcode { .readBDAddr }
    package static var supportedBit: Int? { 15 * 8 + 1 }

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {}

    /// What HCI_Read_BD_ADDR returns. [Vol 4, Part E, 7.4.6]
    package struct ReturnParameters: WirePDU {
        package static let name: StaticString = "HCI_Read_BD_ADDR return parameters"
        package static let section = SpecSection(4, "E", "7.4.6")

        package var status: HCIStatus = HCIStatus.success
        package var address: DeviceAddress = DeviceAddress(0)

        package init() {}
        package init(status: HCIStatus = HCIStatus.success, address: DeviceAddress = DeviceAddress(0)) {
            self.status = status
            self.address = address
        }

        package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
            guard try v.returnStatus(&status) else { return }
            try v.address("BD_ADDR", &address)
        }
    }
}

/// HCI_Read_RSSI: reads a link's signal strength.
/// [Vol 4, Part E, 7.5.4]
package struct HCIReadRSSI: HCICommandPDU {
    package static let name: StaticString = "HCI_Read_RSSI"
    package static let section = SpecSection(4, "E", "7.5.4")
    package static var opcode: HCIOpcode { .readRSSI }
    package static var supportedBit: Int? { 15 * 8 + 5 }

    package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)

    package init() {}
    package init(handle: ConnectionHandle = ConnectionHandle(rawValue: 0)) {
        self.handle = handle
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.handle(&handle)
    }

    /// What HCI_Read_RSSI returns. [Vol 4, Part E, 7.5.4]
    package struct ReturnParameters: WirePDU {
        package static let name: StaticString = "HCI_Read_RSSI return parameters"
        package static let section = SpecSection(4, "E", "7.5.4")

        package var status: HCIStatus = HCIStatus.success
        package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)
        /// dBm; 127 = not available.
        package var rssi: Int8 = 0

        package init() {}
        package init(
            status: HCIStatus = HCIStatus.success, handle: ConnectionHandle = ConnectionHandle(rawValue: 0),
            rssi: Int8 = 0
        ) {
            self.status = status
            self.handle = handle
            self.rssi = rssi
        }

        package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
            guard try v.returnStatus(&status) else { return }
            try v.handle(&handle)
            try v.i8("RSSI", &rssi)
        }
    }
}
