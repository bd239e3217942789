// Signalling commands for up to five credit based channels at once. [Vol 3, Part A, 4.25]

/// L2CAP_CREDIT_BASED_CONNECTION_REQ: opens one to five channels.
/// [Vol 3, Part A, 4.25]
package struct L2CAPCreditBasedConnectionRequest: L2CAPSignallingPDU {
    package static let name: StaticString = "L2CAP_CREDIT_BASED_CONNECTION_REQ"
    package static let section = SpecSection(3, "A", "4.25")
    package static var code: L2CAPSignallingCode { .creditBasedConnectionRequest }

    /// Names the service: 0x0001 to 0x007F assigned, 0x0080 to 0x00FF dynamic.
    package var spsm: UInt16 = 0
    /// Octets of the longest SDU that the sender can receive.
    package var mtu: UInt16 = 23
    /// Octets of the longest PDU that the sender can receive.
    package var mps: UInt16 = 23
    /// How many PDUs the receiver may send at first.
    package var initialCredits: UInt16 = 0
    package var sources: [L2CAPChannelElement] = []

    package init() {}
    package init(
        spsm: UInt16 = 0, mtu: UInt16 = 23, mps: UInt16 = 23, initialCredits: UInt16 = 0,
        sources: [L2CAPChannelElement] = []
    ) {
        self.spsm = spsm
        self.mtu = mtu
        self.mps = mps
        self.initialCredits = initialCredits
        self.sources = sources
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u16("SPSM", &spsm)
        try v.u16("MTU", &mtu)
        try v.u16("MPS", &mps)
        try v.u16("Initial Credits", &initialCredits)
        try v.list("Source CID", &sources)
    }
}

/// L2CAP_CREDIT_BASED_CONNECTION_RSP: which channels are open.
/// [Vol 3, Part A, 4.26]
package struct L2CAPCreditBasedConnectionResponse: L2CAPSignallingPDU {
    package static let name: StaticString = "L2CAP_CREDIT_BASED_CONNECTION_RSP"
    package static let section = SpecSection(3, "A", "4.26")
    package static var code: L2CAPSignallingCode { .creditBasedConnectionResponse }

    /// Octets of the longest SDU that the sender can receive.
    package var mtu: UInt16 = 23
    /// Octets of the longest PDU that the sender can receive.
    package var mps: UInt16 = 23
    /// How many PDUs the receiver may send at first.
    package var initialCredits: UInt16 = 0
    package var result: L2CAPConnectionResult = L2CAPConnectionResult(rawValue: 0)
    /// In the order of the request; 0 where a channel was refused.
    package var destinations: [L2CAPChannelElement] = []

    package init() {}
    package init(
        mtu: UInt16 = 23, mps: UInt16 = 23, initialCredits: UInt16 = 0,
        result: L2CAPConnectionResult = L2CAPConnectionResult(rawValue: 0), destinations: [L2CAPChannelElement] = []
    ) {
        self.mtu = mtu
        self.mps = mps
        self.initialCredits = initialCredits
        self.result = result
        self.destinations = destinations
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u16("MTU", &mtu)
        try v.u16("MPS", &mps)
        try v.u16("Initial Credits", &initialCredits)
        try v.field("Result", &result)
        try v.list("Destination CID", &destinations)
    }
}

/// L2CAP_CREDIT_BASED_RECONFIGURE_REQ: changes what the sender can receive on channels.
/// [Vol 3, Part A, 4.27]
package struct L2CAPCreditBasedReconfigureRequest: L2CAPSignallingPDU {
    package static let name: StaticString = "L2CAP_CREDIT_BASED_RECONFIGURE_REQ"
    package static let section = SpecSection(3, "A", "4.27")
    package static var code: L2CAPSignallingCode { .creditBasedReconfigureRequest }

    /// Octets of the longest SDU that the sender can receive.
    package var mtu: UInt16 = 23
    /// Octets of the longest PDU that the sender can receive.
    package var mps: UInt16 = 23
    package var destinations: [L2CAPChannelElement] = []

    package init() {}
    package init(mtu: UInt16 = 23, mps: UInt16 = 23, destinations: [L2CAPChannelElement] = []) {
        self.mtu = mtu
        self.mps = mps
        self.destinations = destinations
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u16("MTU", &mtu)
        try v.u16("MPS", &mps)
        try v.list("Destination CID", &destinations)
    }
}

/// L2CAP_CREDIT_BASED_RECONFIGURE_RSP: whether the change holds.
/// [Vol 3, Part A, 4.28]
package struct L2CAPCreditBasedReconfigureResponse: L2CAPSignallingPDU {
    package static let name: StaticString = "L2CAP_CREDIT_BASED_RECONFIGURE_RSP"
    package static let section = SpecSection(3, "A", "4.28")
    package static var code: L2CAPSignallingCode { .creditBasedReconfigureResponse }

    /// 0 success; 1 MTU and 2 MPS reduced where not allowed; 3 channel invalid; 4 other.
    package var result: UInt16 = 0

    package init() {}
    package init(result: UInt16 = 0) {
        self.result = result
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u16("Result", &result)
    }
}
