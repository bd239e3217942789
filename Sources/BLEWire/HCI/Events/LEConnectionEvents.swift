// LE events about links that come to be. [Vol 4, Part E, 7.7.65.1]

/// HCI_LE_Connection_Complete: a link was made, or could not be.
/// [Vol 4, Part E, 7.7.65.1]
package struct LEConnectionComplete: LEMetaEventPDU {
    package static let name: StaticString = "HCI_LE_Connection_Complete"
    package static let section = SpecSection(4, "E", "7.7.65.1")
    package static var subeventCode: LESubeventCode? { .connectionComplete }

    package var status: HCIStatus = HCIStatus.success
    package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)
    package var role: LERole = LERole(rawValue: 0)
    package var peer: DeviceAddress = DeviceAddress(0)
    /// Units of 1.25 ms.
    package var interval: UInt16 = 24
    package var latency: UInt16 = 0
    /// Units of 10 ms.
    package var supervisionTimeout: UInt16 = 72
    /// 0 to 7: 500 to 20 ppm.
    package var centralClockAccuracy: UInt8 = 0

    package init() {}
    package init(
        status: HCIStatus = HCIStatus.success, handle: ConnectionHandle = ConnectionHandle(rawValue: 0),
        role: LERole = LERole(rawValue: 0), peer: DeviceAddress = DeviceAddress(0), interval: UInt16 = 24,
        latency: UInt16 = 0, supervisionTimeout: UInt16 = 72, centralClockAccuracy: UInt8 = 0
    ) {
        self.status = status
        self.handle = handle
        self.role = role
        self.peer = peer
        self.interval = interval
        self.latency = latency
        self.supervisionTimeout = supervisionTimeout
        self.centralClockAccuracy = centralClockAccuracy
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("Status", &status)
        try v.handle(&handle)
        try v.field("Role", &role)
        try v.address("Peer_Address_Type", "Peer_Address", &peer)
        try v.u16("Connection_Interval", &interval)
        try v.u16("Peripheral_Latency", &latency)
        try v.u16("Supervision_Timeout", &supervisionTimeout)
        try v.u8("Central_Clock_Accuracy", &centralClockAccuracy)
    }
}

/// HCI_LE_Enhanced_Connection_Complete [v1]: a link was made, or could not be; with private addresses.
/// [Vol 4, Part E, 7.7.65.10]
package struct LEEnhancedConnectionComplete: LEMetaEventPDU {
    package static let name: StaticString = "HCI_LE_Enhanced_Connection_Complete [v1]"
    package static let section = SpecSection(4, "E", "7.7.65.10")
    package static var subeventCode: LESubeventCode? { .enhancedConnectionComplete }

    package var status: HCIStatus = HCIStatus.success
    package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)
    package var role: LERole = LERole(rawValue: 0)
    package var peer: DeviceAddress = DeviceAddress(0)
    package var localResolvableAddress: DeviceAddress = DeviceAddress(0, .randomDevice)
    package var peerResolvableAddress: DeviceAddress = DeviceAddress(0, .randomDevice)
    /// Units of 1.25 ms.
    package var interval: UInt16 = 24
    package var latency: UInt16 = 0
    /// Units of 10 ms.
    package var supervisionTimeout: UInt16 = 72
    package var centralClockAccuracy: UInt8 = 0

    package init() {}
    package init(
        status: HCIStatus = HCIStatus.success, handle: ConnectionHandle = ConnectionHandle(rawValue: 0),
        role: LERole = LERole(rawValue: 0), peer: DeviceAddress = DeviceAddress(0),
        localResolvableAddress: DeviceAddress = DeviceAddress(0, .randomDevice),
        peerResolvableAddress: DeviceAddress = DeviceAddress(0, .randomDevice), interval: UInt16 = 24,
        latency: UInt16 = 0, supervisionTimeout: UInt16 = 72, centralClockAccuracy: UInt8 = 0
    ) {
        self.status = status
        self.handle = handle
        self.role = role
        self.peer = peer
        self.localResolvableAddress = localResolvableAddress
        self.peerResolvableAddress = peerResolvableAddress
        self.interval = interval
        self.latency = latency
        self.supervisionTimeout = supervisionTimeout
        self.centralClockAccuracy = centralClockAccuracy
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("Status", &status)
        try v.handle(&handle)
        try v.field("Role", &role)
        try v.address("Peer_Address_Type", "Peer_Address", &peer)
        try v.address("Local_Resolvable_Private_Address", &localResolvableAddress)
        try v.address("Peer_Resolvable_Private_Address", &peerResolvableAddress)
        try v.u16("Connection_Interval", &interval)
        try v.u16("Peripheral_Latency", &latency)
        try v.u16("Supervision_Timeout", &supervisionTimeout)
        try v.u8("Central_Clock_Accuracy", &centralClockAccuracy)
    }
}

/// HCI_LE_Channel_Selection_Algorithm: which algorithm a new link hops by.
/// [Vol 4, Part E, 7.7.65.20]
package struct LEChannelSelectionAlgorithm: LEMetaEventPDU {
    package static let name: StaticString = "HCI_LE_Channel_Selection_Algorithm"
    package static let section = SpecSection(4, "E", "7.7.65.20")
    package static var subeventCode: LESubeventCode? { .channelSelectionAlgorithm }

    package var handle: ConnectionHandle = ConnectionHandle(rawValue: 0)
    /// 0 is #1, 1 is #2.
    package var algorithm: UInt8 = 0

    package init() {}
    package init(handle: ConnectionHandle = ConnectionHandle(rawValue: 0), algorithm: UInt8 = 0) {
        self.handle = handle
        self.algorithm = algorithm
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.handle(&handle)
        try v.u8("Channel_Selection_Algorithm", &algorithm)
    }
}
