// HCI LE commands about a link that exists. [Vol 4, Part E, 7.8.18]

/// HCI_LE_Connection_Update: changes the parameters of a link.
/// [Vol 4, Part E, 7.8.18]
package struct LEConnectionUpdate: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Connection_Update"
    package static let section = SpecSection(4, "E", "7.8.18")
    package static var opcode: HCIOpcode { .leConnectionUpdate }
    package static var supportedBit: Int? { 27 * 8 + 2 }
    package static var completion: HCICompletion { .status }
    package typealias ReturnParameters = HCIStatusReturn

    package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)
    /// Units of 1.25 ms.
    package var intervalMinimum: UInt16 = 24
    package var intervalMaximum: UInt16 = 24
    /// Connection events that the peripheral may leave out.
    package var latency: UInt16 = 0
    /// Units of 10 ms.
    package var supervisionTimeout: UInt16 = 72
    /// Units of 0.625 ms.
    package var minimumCELength: UInt16 = 0
    package var maximumCELength: UInt16 = 0

    package init() {}
    package init(
        handle: ConnectionHandle = ConnectionHandle(rawValue: 0), intervalMinimum: UInt16 = 24,
        intervalMaximum: UInt16 = 24, latency: UInt16 = 0, supervisionTimeout: UInt16 = 72, minimumCELength: UInt16 = 0,
        maximumCELength: UInt16 = 0
    ) {
        self.handle = handle
        self.intervalMinimum = intervalMinimum
        self.intervalMaximum = intervalMaximum
        self.latency = latency
        self.supervisionTimeout = supervisionTimeout
        self.minimumCELength = minimumCELength
        self.maximumCELength = maximumCELength
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.handle(&handle)
        try v.u16("Connection_Interval_Min", &intervalMinimum, in: 0x0006...0x0C80)
        try v.u16("Connection_Interval_Max", &intervalMaximum, in: 0x0006...0x0C80)
        try v.u16("Max_Latency", &latency, in: 0...0x01F3)
        try v.u16("Supervision_Timeout", &supervisionTimeout, in: 0x000A...0x0C80)
        try v.u16("Min_CE_Length", &minimumCELength)
        try v.u16("Max_CE_Length", &maximumCELength)
    }
}

/// HCI_LE_Read_Channel_Map: reads which channels a link uses.
/// [Vol 4, Part E, 7.8.20]
package struct LEReadChannelMap: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Read_Channel_Map"
    package static let section = SpecSection(4, "E", "7.8.20")
    package static var opcode: HCIOpcode { .leReadChannelMap }
    package static var supportedBit: Int? { 27 * 8 + 4 }

    package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)

    package init() {}
    package init(handle: ConnectionHandle = ConnectionHandle(rawValue: 0)) {
        self.handle = handle
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.handle(&handle)
    }

    /// What HCI_LE_Read_Channel_Map returns. [Vol 4, Part E, 7.8.20]
    package struct ReturnParameters: WirePDU {
        package static let name: StaticString = "HCI_LE_Read_Channel_Map return parameters"
        package static let section = SpecSection(4, "E", "7.8.20")

        package var status: HCIStatus = HCIStatus.success
        package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)
        /// Bit n: channel n is used.
        package var channelMap: UInt64 = 0x1F_FFFF_FFFF

        package init() {}
        package init(
            status: HCIStatus = HCIStatus.success, handle: ConnectionHandle = ConnectionHandle(rawValue: 0),
            channelMap: UInt64 = 0x1F_FFFF_FFFF
        ) {
            self.status = status
            self.handle = handle
            self.channelMap = channelMap
        }

        package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
            guard try v.returnStatus(&status) else { return }
            try v.handle(&handle)
            try v.u40("Channel_Map", &channelMap)
        }
    }
}

/// HCI_LE_Read_Remote_Features: asks the peer for its LE features.
/// [Vol 4, Part E, 7.8.21]
package struct LEReadRemoteFeatures: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Read_Remote_Features"
    package static let section = SpecSection(4, "E", "7.8.21")
    package static var opcode: HCIOpcode { .leReadRemoteFeatures }
    package static var supportedBit: Int? { 27 * 8 + 5 }
    package static var completion: HCICompletion { .status }
    package typealias ReturnParameters = HCIStatusReturn

    package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)

    package init() {}
    package init(handle: ConnectionHandle = ConnectionHandle(rawValue: 0)) {
        self.handle = handle
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.handle(&handle)
    }
}

/// HCI_LE_Remote_Connection_Parameter_Request_Reply: accepts the peer's request for other parameters.
/// [Vol 4, Part E, 7.8.31]
package struct LERemoteConnectionParameterRequestReply: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Remote_Connection_Parameter_Request_Reply"
    package static let section = SpecSection(4, "E", "7.8.31")
    package static var opcode: HCIOpcode { .leRemoteConnectionParameterRequestReply }
    package static var supportedBit: Int? { 33 * 8 + 4 }
    package typealias ReturnParameters = HCIHandleReturn

    package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)
    /// Units of 1.25 ms.
    package var intervalMinimum: UInt16 = 24
    package var intervalMaximum: UInt16 = 24
    /// Connection events that the peripheral may leave out.
    package var latency: UInt16 = 0
    /// Units of 10 ms.
    package var supervisionTimeout: UInt16 = 72
    /// Units of 0.625 ms.
    package var minimumCELength: UInt16 = 0
    package var maximumCELength: UInt16 = 0

    package init() {}
    package init(
        handle: ConnectionHandle = ConnectionHandle(rawValue: 0), intervalMinimum: UInt16 = 24,
        intervalMaximum: UInt16 = 24, latency: UInt16 = 0, supervisionTimeout: UInt16 = 72, minimumCELength: UInt16 = 0,
        maximumCELength: UInt16 = 0
    ) {
        self.handle = handle
        self.intervalMinimum = intervalMinimum
        self.intervalMaximum = intervalMaximum
        self.latency = latency
        self.supervisionTimeout = supervisionTimeout
        self.minimumCELength = minimumCELength
        self.maximumCELength = maximumCELength
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.handle(&handle)
        try v.u16("Connection_Interval_Min", &intervalMinimum, in: 0x0006...0x0C80)
        try v.u16("Connection_Interval_Max", &intervalMaximum, in: 0x0006...0x0C80)
        try v.u16("Max_Latency", &latency, in: 0...0x01F3)
        try v.u16("Supervision_Timeout", &supervisionTimeout, in: 0x000A...0x0C80)
        try v.u16("Min_CE_Length", &minimumCELength)
        try v.u16("Max_CE_Length", &maximumCELength)
    }
}

/// HCI_LE_Remote_Connection_Parameter_Request_Negative_Reply: refuses the peer's request for other parameters.
/// [Vol 4, Part E, 7.8.32]
package struct LERemoteConnectionParameterRequestNegativeReply: HCICommandPDU {
    package static let name: StaticString = "HCI_LE_Remote_Connection_Parameter_Request_Negative_Reply"
    package static let section = SpecSection(4, "E", "7.8.32")
    package static var opcode: HCIOpcode { .leRemoteConnectionParameterRequestNegativeReply }
    package static var supportedBit: Int? { 33 * 8 + 5 }
    package typealias ReturnParameters = HCIHandleReturn

    package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)
    package var reason: HCIStatus = HCIStatus.unacceptableParameters

    package init() {}
    package init(
        handle: ConnectionHandle = ConnectionHandle(rawValue: 0), reason: HCIStatus = HCIStatus.unacceptableParameters
    ) {
        self.handle = handle
        self.reason = reason
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.handle(&handle)
        try v.field("Reason", &reason)
    }
}
