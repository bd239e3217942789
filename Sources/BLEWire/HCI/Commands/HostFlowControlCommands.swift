// HCI commands by which a host limits what the controller sends to it, and the ping time-out. [Vol 4, Part E, 4.1.2]

/// HCI_Set_Controller_To_Host_Flow_Control: turns flow control towards the host on or off.
/// [Vol 4, Part E, 7.3.38]
package struct HCISetControllerToHostFlowControl: HCICommandPDU {
    package static let name: StaticString = "HCI_Set_Controller_To_Host_Flow_Control"
    package static let section = SpecSection(4, "E", "7.3.38")
    package static var opcode: HCIOpcode { .setControllerToHostFlowControl }
    package static var supportedBit: Int? { 10 * 8 + 5 }
    package typealias ReturnParameters = HCIStatusReturn

    /// Bit 0 for ACL data, bit 1 for synchronous data.
    package var flowControl: UInt8 = 0

    package init() {}
    package init(flowControl: UInt8 = 0) {
        self.flowControl = flowControl
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u8("Flow_Control_Enable", &flowControl, in: 0...3)
    }
}

/// HCI_Host_Buffer_Size: tells the sizes of the host's buffers.
/// [Vol 4, Part E, 7.3.39]
package struct HCIHostBufferSize: HCICommandPDU {
    package static let name: StaticString = "HCI_Host_Buffer_Size"
    package static let section = SpecSection(4, "E", "7.3.39")
    package static var opcode: HCIOpcode { .hostBufferSize }
    package static var supportedBit: Int? { 10 * 8 + 6 }
    package typealias ReturnParameters = HCIStatusReturn

    package var aclDataPacketLength: UInt16 = 0
    package var synchronousDataPacketLength: UInt8 = 0
    package var totalACLDataPackets: UInt16 = 0
    package var totalSynchronousDataPackets: UInt16 = 0

    package init() {}
    package init(
        aclDataPacketLength: UInt16 = 0, synchronousDataPacketLength: UInt8 = 0, totalACLDataPackets: UInt16 = 0,
        totalSynchronousDataPackets: UInt16 = 0
    ) {
        self.aclDataPacketLength = aclDataPacketLength
        self.synchronousDataPacketLength = synchronousDataPacketLength
        self.totalACLDataPackets = totalACLDataPackets
        self.totalSynchronousDataPackets = totalSynchronousDataPackets
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u16("Host_ACL_Data_Packet_Length", &aclDataPacketLength)
        try v.u8("Host_Synchronous_Data_Packet_Length", &synchronousDataPacketLength)
        try v.u16("Host_Total_Num_ACL_Data_Packets", &totalACLDataPackets)
        try v.u16("Host_Total_Num_Synchronous_Data_Packets", &totalSynchronousDataPackets)
    }
}

/// HCI_Read_Authenticated_Payload_Timeout: reads how long a link may go without an authenticated payload.
/// [Vol 4, Part E, 7.3.93]
package struct HCIReadAuthenticatedPayloadTimeout: HCICommandPDU {
    package static let name: StaticString = "HCI_Read_Authenticated_Payload_Timeout"
    package static let section = SpecSection(4, "E", "7.3.93")
    package static var opcode: HCIOpcode { .readAuthenticatedPayloadTimeout }
    package static var supportedBit: Int? { 32 * 8 + 4 }

    package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)

    package init() {}
    package init(handle: ConnectionHandle = ConnectionHandle(rawValue: 0)) {
        self.handle = handle
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.handle(&handle)
    }

    /// What HCI_Read_Authenticated_Payload_Timeout returns. [Vol 4, Part E, 7.3.93]
    package struct ReturnParameters: WirePDU {
        package static let name: StaticString = "HCI_Read_Authenticated_Payload_Timeout return parameters"
        package static let section = SpecSection(4, "E", "7.3.93")

        package var status: HCIStatus = HCIStatus.success
        package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)
        /// Units of 10 ms.
        package var timeout: UInt16 = 0

        package init() {}
        package init(
            status: HCIStatus = HCIStatus.success, handle: ConnectionHandle = ConnectionHandle(rawValue: 0),
            timeout: UInt16 = 0
        ) {
            self.status = status
            self.handle = handle
            self.timeout = timeout
        }

        package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
            guard try v.returnStatus(&status) else { return }
            try v.handle(&handle)
            try v.u16("Authenticated_Payload_Timeout", &timeout)
        }
    }
}

/// HCI_Write_Authenticated_Payload_Timeout: sets how long a link may go without an authenticated payload.
/// [Vol 4, Part E, 7.3.94]
package struct HCIWriteAuthenticatedPayloadTimeout: HCICommandPDU {
    package static let name: StaticString = "HCI_Write_Authenticated_Payload_Timeout"
    package static let section = SpecSection(4, "E", "7.3.94")
    package static var opcode: HCIOpcode { .writeAuthenticatedPayloadTimeout }
    package static var supportedBit: Int? { 32 * 8 + 5 }
    package typealias ReturnParameters = HCIHandleReturn

    package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)
    /// Units of 10 ms.
    package var timeout: UInt16 = 3000

    package init() {}
    package init(handle: ConnectionHandle = ConnectionHandle(rawValue: 0), timeout: UInt16 = 3000) {
        self.handle = handle
        self.timeout = timeout
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.handle(&handle)
        try v.u16("Authenticated_Payload_Timeout", &timeout, in: 0x0001...0xFFFF)
    }
}
