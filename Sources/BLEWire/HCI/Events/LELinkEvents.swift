// LE events about a link that exists. [Vol 4, Part E, 7.7.65.3]

/// HCI_LE_Connection_Update_Complete: a link's parameters have changed.
/// [Vol 4, Part E, 7.7.65.3]
package struct LEConnectionUpdateComplete: LEMetaEventPDU {
    package static let name: StaticString = "HCI_LE_Connection_Update_Complete"
    package static let section = SpecSection(4, "E", "7.7.65.3")
    package static var subeventCode: LESubeventCode? { .connectionUpdateComplete }

    package var status: HCIStatus = HCIStatus.success
    package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)
    /// Units of 1.25 ms.
    package var interval: UInt16 = 24
    package var latency: UInt16 = 0
    /// Units of 10 ms.
    package var supervisionTimeout: UInt16 = 72

    package init() {}
    package init(
        status: HCIStatus = HCIStatus.success, handle: ConnectionHandle = ConnectionHandle(rawValue: 0),
        interval: UInt16 = 24, latency: UInt16 = 0, supervisionTimeout: UInt16 = 72
    ) {
        self.status = status
        self.handle = handle
        self.interval = interval
        self.latency = latency
        self.supervisionTimeout = supervisionTimeout
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("Status", &status)
        try v.handle(&handle)
        try v.u16("Connection_Interval", &interval)
        try v.u16("Peripheral_Latency", &latency)
        try v.u16("Supervision_Timeout", &supervisionTimeout)
    }
}

/// HCI_LE_Read_Remote_Features_Complete: the peer's LE features.
/// [Vol 4, Part E, 7.7.65.4]
package struct LEReadRemoteFeaturesComplete: LEMetaEventPDU {
    package static let name: StaticString = "HCI_LE_Read_Remote_Features_Complete"
    package static let section = SpecSection(4, "E", "7.7.65.4")
    package static var subeventCode: LESubeventCode? { .readRemoteFeaturesComplete }

    package var status: HCIStatus = HCIStatus.success
    package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)
    package var features: LEFeatures = LEFeatures(rawValue: 0)

    package init() {}
    package init(
        status: HCIStatus = HCIStatus.success, handle: ConnectionHandle = ConnectionHandle(rawValue: 0),
        features: LEFeatures = LEFeatures(rawValue: 0)
    ) {
        self.status = status
        self.handle = handle
        self.features = features
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("Status", &status)
        try v.handle(&handle)
        try v.field("LE_Features", &features)
    }
}

/// HCI_LE_Remote_Connection_Parameter_Request: the peer asks for other parameters; the host replies.
/// [Vol 4, Part E, 7.7.65.6]
package struct LERemoteConnectionParameterRequest: LEMetaEventPDU {
    package static let name: StaticString = "HCI_LE_Remote_Connection_Parameter_Request"
    package static let section = SpecSection(4, "E", "7.7.65.6")
    package static var subeventCode: LESubeventCode? { .remoteConnectionParameterRequest }

    package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)
    /// Units of 1.25 ms.
    package var intervalMinimum: UInt16 = 24
    package var intervalMaximum: UInt16 = 24
    package var latency: UInt16 = 0
    /// Units of 10 ms.
    package var supervisionTimeout: UInt16 = 72

    package init() {}
    package init(
        handle: ConnectionHandle = ConnectionHandle(rawValue: 0), intervalMinimum: UInt16 = 24,
        intervalMaximum: UInt16 = 24, latency: UInt16 = 0, supervisionTimeout: UInt16 = 72
    ) {
        self.handle = handle
        self.intervalMinimum = intervalMinimum
        self.intervalMaximum = intervalMaximum
        self.latency = latency
        self.supervisionTimeout = supervisionTimeout
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.handle(&handle)
        try v.u16("Interval_Min", &intervalMinimum)
        try v.u16("Interval_Max", &intervalMaximum)
        try v.u16("Max_Latency", &latency)
        try v.u16("Timeout", &supervisionTimeout)
    }
}

/// HCI_LE_Data_Length_Change: the longest PDUs of a link have changed.
/// [Vol 4, Part E, 7.7.65.7]
package struct LEDataLengthChange: LEMetaEventPDU {
    package static let name: StaticString = "HCI_LE_Data_Length_Change"
    package static let section = SpecSection(4, "E", "7.7.65.7")
    package static var subeventCode: LESubeventCode? { .dataLengthChange }

    package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)
    package var maxTransmitOctets: UInt16 = 27
    /// Microseconds.
    package var maxTransmitTime: UInt16 = 328
    package var maxReceiveOctets: UInt16 = 27
    package var maxReceiveTime: UInt16 = 328

    package init() {}
    package init(
        handle: ConnectionHandle = ConnectionHandle(rawValue: 0), maxTransmitOctets: UInt16 = 27,
        maxTransmitTime: UInt16 = 328, maxReceiveOctets: UInt16 = 27, maxReceiveTime: UInt16 = 328
    ) {
        self.handle = handle
        self.maxTransmitOctets = maxTransmitOctets
        self.maxTransmitTime = maxTransmitTime
        self.maxReceiveOctets = maxReceiveOctets
        self.maxReceiveTime = maxReceiveTime
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.handle(&handle)
        try v.u16("Max_TX_Octets", &maxTransmitOctets)
        try v.u16("Max_TX_Time", &maxTransmitTime)
        try v.u16("Max_RX_Octets", &maxReceiveOctets)
        try v.u16("Max_RX_Time", &maxReceiveTime)
    }
}

/// HCI_LE_PHY_Update_Complete: a link's PHYs have changed.
/// [Vol 4, Part E, 7.7.65.12]
package struct LEPHYUpdateComplete: LEMetaEventPDU {
    package static let name: StaticString = "HCI_LE_PHY_Update_Complete"
    package static let section = SpecSection(4, "E", "7.7.65.12")
    package static var subeventCode: LESubeventCode? { .phyUpdateComplete }

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
        try v.field("Status", &status)
        try v.handle(&handle)
        try v.field("TX_PHY", &transmitPHY)
        try v.field("RX_PHY", &receivePHY)
    }
}
