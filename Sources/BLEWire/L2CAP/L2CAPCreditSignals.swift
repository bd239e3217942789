// Signalling commands for one credit based channel. [Vol 3, Part A, 4.22]

/// L2CAP_LE_CREDIT_BASED_CONNECTION_REQ: opens a channel.
/// [Vol 3, Part A, 4.22]
package struct L2CAPLECreditBasedConnectionRequest: L2CAPSignallingPDU {
    package static let name: StaticString = "L2CAP_LE_CREDIT_BASED_CONNECTION_REQ"
    package static let section = SpecSection(3, "A", "4.22")
    package static var code: L2CAPSignallingCode { .leCreditBasedConnectionRequest }

    /// Names the service: 0x0001 to 0x007F assigned, 0x0080 to 0x00FF dynamic.
    package var spsm: UInt16 = 0
    package var source: ChannelIdentifier = ChannelIdentifier(rawValue: 0)
    /// Octets of the longest SDU that the sender can receive.
    package var mtu: UInt16 = 23
    /// Octets of the longest PDU that the sender can receive.
    package var mps: UInt16 = 23
    /// How many PDUs the receiver may send at first.
    package var initialCredits: UInt16 = 0

    package init() {}
    package init(
        spsm: UInt16 = 0, source: ChannelIdentifier = ChannelIdentifier(rawValue: 0), mtu: UInt16 = 23,
        mps: UInt16 = 23, initialCredits: UInt16 = 0
    ) {
        self.spsm = spsm
        self.source = source
        self.mtu = mtu
        self.mps = mps
        self.initialCredits = initialCredits
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u16("SPSM", &spsm)
        try v.field("Source CID", &source)
        try v.u16("MTU", &mtu)
        try v.u16("MPS", &mps)
        try v.u16("Initial Credits", &initialCredits)
    }
}

/// L2CAP_LE_CREDIT_BASED_CONNECTION_RSP: the channel is open, or refused.
/// [Vol 3, Part A, 4.23]
package struct L2CAPLECreditBasedConnectionResponse: L2CAPSignallingPDU {
    package static let name: StaticString = "L2CAP_LE_CREDIT_BASED_CONNECTION_RSP"
    package static let section = SpecSection(3, "A", "4.23")
    package static var code: L2CAPSignallingCode { .leCreditBasedConnectionResponse }

    package var destination: ChannelIdentifier = ChannelIdentifier(rawValue: 0)
    /// Octets of the longest SDU that the sender can receive.
    package var mtu: UInt16 = 23
    /// Octets of the longest PDU that the sender can receive.
    package var mps: UInt16 = 23
    /// How many PDUs the receiver may send at first.
    package var initialCredits: UInt16 = 0
    package var result: L2CAPConnectionResult = L2CAPConnectionResult(rawValue: 0)

    package init() {}
    package init(
        destination: ChannelIdentifier = ChannelIdentifier(rawValue: 0), mtu: UInt16 = 23, mps: UInt16 = 23,
        initialCredits: UInt16 = 0, result: L2CAPConnectionResult = L2CAPConnectionResult(rawValue: 0)
    ) {
        self.destination = destination
        self.mtu = mtu
        self.mps = mps
        self.initialCredits = initialCredits
        self.result = result
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("Destination CID", &destination)
        try v.u16("MTU", &mtu)
        try v.u16("MPS", &mps)
        try v.u16("Initial Credits", &initialCredits)
        try v.field("Result", &result)
    }
}

/// L2CAP_FLOW_CONTROL_CREDIT_IND: the receiver may send more PDUs.
/// [Vol 3, Part A, 4.24]
package struct L2CAPFlowControlCredit: L2CAPSignallingPDU {
    package static let name: StaticString = "L2CAP_FLOW_CONTROL_CREDIT_IND"
    package static let section = SpecSection(3, "A", "4.24")
    package static var code: L2CAPSignallingCode { .flowControlCredit }

    package var channel: ChannelIdentifier = ChannelIdentifier(rawValue: 0)
    package var credits: UInt16 = 0

    package init() {}
    package init(channel: ChannelIdentifier = ChannelIdentifier(rawValue: 0), credits: UInt16 = 0) {
        self.channel = channel
        self.credits = credits
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("CID", &channel)
        try v.u16("Credits", &credits)
    }
}
