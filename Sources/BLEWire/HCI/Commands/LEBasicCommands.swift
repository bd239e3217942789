// HCI LE commands about the controller as a whole. [Vol 4, Part E, 7.8]

/// HCI_LE_Set_Event_Mask: chooses the LE events that the controller may send.
/// [Vol 4, Part E, 7.8.1]
package struct LESetEventMask: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Set_Event_Mask"
    package static let section = SpecSection(4, "E", "7.8.1")
    package static var opcode: HCIOpcode { .leSetEventMask }
    package static var supportedBit: Int? { 25 * 8 + 0 }
    package typealias ReturnParameters = HCIStatusReturn

    package var mask: LEEventMask = LEEventMask.standard

    package init() {}
    package init(mask: LEEventMask = LEEventMask.standard) {
        self.mask = mask
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("LE_Event_Mask", &mask)
    }
}

/// HCI_LE_Read_Buffer_Size [v1]: reads the buffers for LE ACL data; length 0: those of HCI_Read_Buffer_Size.
/// [Vol 4, Part E, 7.8.2]
package struct LEReadBufferSize: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Read_Buffer_Size [v1]"
    package static let section = SpecSection(4, "E", "7.8.2")
    package static var opcode: HCIOpcode { .leReadBufferSize }
    package static var supportedBit: Int? { 25 * 8 + 1 }

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {}

    /// What HCI_LE_Read_Buffer_Size [v1] returns. [Vol 4, Part E, 7.8.2]
    package struct ReturnParameters: WirePDU {
        package static let name: StaticString = "HCI_LE_Read_Buffer_Size [v1] return parameters"
        package static let section = SpecSection(4, "E", "7.8.2")

        package var status: HCIStatus = HCIStatus.success
        package var aclDataPacketLength: UInt16 = 0
        package var totalACLDataPackets: UInt8 = 0

        package init() {}
        package init(
            status: HCIStatus = HCIStatus.success, aclDataPacketLength: UInt16 = 0, totalACLDataPackets: UInt8 = 0
        ) {
            self.status = status
            self.aclDataPacketLength = aclDataPacketLength
            self.totalACLDataPackets = totalACLDataPackets
        }

        package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
            guard try v.returnStatus(&status) else { return }
            try v.u16("LE_ACL_Data_Packet_Length", &aclDataPacketLength)
            try v.u8("Total_Num_LE_ACL_Data_Packets", &totalACLDataPackets)
        }
    }
}

/// HCI_LE_Read_Buffer_Size [v2]: reads the buffers for LE ACL and isochronous data.
/// [Vol 4, Part E, 7.8.2]
package struct LEReadBufferSizeV2: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Read_Buffer_Size [v2]"
    package static let section = SpecSection(4, "E", "7.8.2")
    package static var opcode: HCIOpcode { .leReadBufferSizeV2 }
    package static var supportedBit: Int? { 41 * 8 + 5 }

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {}

    /// What HCI_LE_Read_Buffer_Size [v2] returns. [Vol 4, Part E, 7.8.2]
    package struct ReturnParameters: WirePDU {
        package static let name: StaticString = "HCI_LE_Read_Buffer_Size [v2] return parameters"
        package static let section = SpecSection(4, "E", "7.8.2")

        package var status: HCIStatus = HCIStatus.success
        package var aclDataPacketLength: UInt16 = 0
        package var totalACLDataPackets: UInt8 = 0
        package var isoDataPacketLength: UInt16 = 0
        package var totalISODataPackets: UInt8 = 0

        package init() {}
        package init(
            status: HCIStatus = HCIStatus.success, aclDataPacketLength: UInt16 = 0, totalACLDataPackets: UInt8 = 0,
            isoDataPacketLength: UInt16 = 0, totalISODataPackets: UInt8 = 0
        ) {
            self.status = status
            self.aclDataPacketLength = aclDataPacketLength
            self.totalACLDataPackets = totalACLDataPackets
            self.isoDataPacketLength = isoDataPacketLength
            self.totalISODataPackets = totalISODataPackets
        }

        package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
            guard try v.returnStatus(&status) else { return }
            try v.u16("LE_ACL_Data_Packet_Length", &aclDataPacketLength)
            try v.u8("Total_Num_LE_ACL_Data_Packets", &totalACLDataPackets)
            try v.u16("ISO_Data_Packet_Length", &isoDataPacketLength)
            try v.u8("Total_Num_ISO_Data_Packets", &totalISODataPackets)
        }
    }
}

/// HCI_LE_Read_Local_Supported_Features: reads the LE features of the controller.
/// [Vol 4, Part E, 7.8.3]
package struct LEReadLocalSupportedFeatures: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Read_Local_Supported_Features"
    package static let section = SpecSection(4, "E", "7.8.3")
    package static var opcode: HCIOpcode { .leReadLocalSupportedFeatures }
    package static var supportedBit: Int? { 25 * 8 + 2 }

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {}

    /// What HCI_LE_Read_Local_Supported_Features returns. [Vol 4, Part E, 7.8.3]
    package struct ReturnParameters: WirePDU {
        package static let name: StaticString = "HCI_LE_Read_Local_Supported_Features return parameters"
        package static let section = SpecSection(4, "E", "7.8.3")

        package var status: HCIStatus = HCIStatus.success
        package var features: LEFeatures = LEFeatures(rawValue: 0)

        package init() {}
        package init(status: HCIStatus = HCIStatus.success, features: LEFeatures = LEFeatures(rawValue: 0)) {
            self.status = status
            self.features = features
        }

        package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
            guard try v.returnStatus(&status) else { return }
            try v.field("LE_Features", &features)
        }
    }
}

/// HCI_LE_Set_Random_Address: sets the random address of the device.
/// [Vol 4, Part E, 7.8.4]
package struct LESetRandomAddress: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Set_Random_Address"
    package static let section = SpecSection(4, "E", "7.8.4")
    package static var opcode: HCIOpcode { .leSetRandomAddress }
    package static var supportedBit: Int? { 25 * 8 + 4 }
    package typealias ReturnParameters = HCIStatusReturn

    package var address: DeviceAddress = DeviceAddress(0, .randomDevice)

    package init() {}
    package init(address: DeviceAddress = DeviceAddress(0, .randomDevice)) {
        self.address = address
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.address("Random_Address", &address)
    }
}

/// HCI_LE_Read_Supported_States: reads which states and roles go together.
/// [Vol 4, Part E, 7.8.27]
package struct LEReadSupportedStates: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Read_Supported_States"
    package static let section = SpecSection(4, "E", "7.8.27")
    package static var opcode: HCIOpcode { .leReadSupportedStates }
    package static var supportedBit: Int? { 28 * 8 + 3 }

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {}

    /// What HCI_LE_Read_Supported_States returns. [Vol 4, Part E, 7.8.27]
    package struct ReturnParameters: WirePDU {
        package static let name: StaticString = "HCI_LE_Read_Supported_States return parameters"
        package static let section = SpecSection(4, "E", "7.8.27")

        package var status: HCIStatus = HCIStatus.success
        package var states: UInt64 = 0

        package init() {}
        package init(status: HCIStatus = HCIStatus.success, states: UInt64 = 0) {
            self.status = status
            self.states = states
        }

        package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
            guard try v.returnStatus(&status) else { return }
            try v.u64("LE_States", &states)
        }
    }
}

/// HCI_LE_Set_Host_Channel_Classification: says which data channels are bad.
/// [Vol 4, Part E, 7.8.19]
package struct LESetHostChannelClassification: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Set_Host_Channel_Classification"
    package static let section = SpecSection(4, "E", "7.8.19")
    package static var opcode: HCIOpcode { .leSetHostChannelClassification }
    package static var supportedBit: Int? { 27 * 8 + 3 }
    package typealias ReturnParameters = HCIStatusReturn

    /// Bit n: channel n may be used.
    package var channelMap: UInt64 = 0x1F_FFFF_FFFF

    package init() {}
    package init(channelMap: UInt64 = 0x1F_FFFF_FFFF) {
        self.channelMap = channelMap
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u40("Channel_Map", &channelMap)
    }
}

/// HCI_LE_Read_Transmit_Power: reads the range of transmit power.
/// [Vol 4, Part E, 7.8.74]
package struct LEReadTransmitPower: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Read_Transmit_Power"
    package static let section = SpecSection(4, "E", "7.8.74")
    package static var opcode: HCIOpcode { .leReadTransmitPower }
    package static var supportedBit: Int? { 38 * 8 + 7 }

    package init() {}

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {}

    /// What HCI_LE_Read_Transmit_Power returns. [Vol 4, Part E, 7.8.74]
    package struct ReturnParameters: WirePDU {
        package static let name: StaticString = "HCI_LE_Read_Transmit_Power return parameters"
        package static let section = SpecSection(4, "E", "7.8.74")

        package var status: HCIStatus = HCIStatus.success
        /// dBm.
        package var minimum: Int8 = 0
        package var maximum: Int8 = 0

        package init() {}
        package init(status: HCIStatus = HCIStatus.success, minimum: Int8 = 0, maximum: Int8 = 0) {
            self.status = status
            self.minimum = minimum
            self.maximum = maximum
        }

        package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
            guard try v.returnStatus(&status) else { return }
            try v.i8("Min_TX_Power", &minimum)
            try v.i8("Max_TX_Power", &maximum)
        }
    }
}
