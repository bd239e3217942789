// Signalling commands for every link: reject, disconnect, connection parameters. [Vol 3, Part A, 4]

/// L2CAP_COMMAND_REJECT_RSP: the request was not understood.
/// [Vol 3, Part A, 4.1]
package struct L2CAPCommandReject: L2CAPSignallingPDU {
    package static let name: StaticString = "L2CAP_COMMAND_REJECT_RSP"
    package static let section = SpecSection(3, "A", "4.1")
    package static var code: L2CAPSignallingCode { .commandReject }

    package var reason: L2CAPRejectReason = L2CAPRejectReason.notUnderstood
    /// The MTU for reason 1; the two channels for reason 2; else nothing.
    package var data: [UInt8] = []

    package init() {}
    package init(reason: L2CAPRejectReason = L2CAPRejectReason.notUnderstood, data: [UInt8] = []) {
        self.reason = reason
        self.data = data
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("Reason", &reason)
        try v.rest("Reason Data", &data, limit: 4)
    }
}

/// L2CAP_DISCONNECTION_REQ: ends a channel.
/// [Vol 3, Part A, 4.6]
package struct L2CAPDisconnectionRequest: L2CAPSignallingPDU {
    package static let name: StaticString = "L2CAP_DISCONNECTION_REQ"
    package static let section = SpecSection(3, "A", "4.6")
    package static var code: L2CAPSignallingCode { .disconnectionRequest }

    package var destination: ChannelIdentifier = ChannelIdentifier(rawValue: 0)
    package var source: ChannelIdentifier = ChannelIdentifier(rawValue: 0)

    package init() {}
    package init(
        destination: ChannelIdentifier = ChannelIdentifier(rawValue: 0),
        source: ChannelIdentifier = ChannelIdentifier(rawValue: 0)
    ) {
        self.destination = destination
        self.source = source
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("Destination CID", &destination)
        try v.field("Source CID", &source)
    }
}

/// L2CAP_DISCONNECTION_RSP: the channel has ended.
/// [Vol 3, Part A, 4.7]
package struct L2CAPDisconnectionResponse: L2CAPSignallingPDU {
    package static let name: StaticString = "L2CAP_DISCONNECTION_RSP"
    package static let section = SpecSection(3, "A", "4.7")
    package static var code: L2CAPSignallingCode { .disconnectionResponse }

    package var destination: ChannelIdentifier = ChannelIdentifier(rawValue: 0)
    package var source: ChannelIdentifier = ChannelIdentifier(rawValue: 0)

    package init() {}
    package init(
        destination: ChannelIdentifier = ChannelIdentifier(rawValue: 0),
        source: ChannelIdentifier = ChannelIdentifier(rawValue: 0)
    ) {
        self.destination = destination
        self.source = source
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.field("Destination CID", &destination)
        try v.field("Source CID", &source)
    }
}

/// L2CAP_CONNECTION_PARAMETER_UPDATE_REQ: a peripheral asks its central for other parameters. Limits are for the central to judge.
/// [Vol 3, Part A, 4.20]
package struct L2CAPConnectionParameterUpdateRequest: L2CAPSignallingPDU {
    package static let name: StaticString = "L2CAP_CONNECTION_PARAMETER_UPDATE_REQ"
    package static let section = SpecSection(3, "A", "4.20")
    package static var code: L2CAPSignallingCode { .connectionParameterUpdateRequest }

    /// Units of 1.25 ms.
    package var intervalMinimum: UInt16 = 24
    package var intervalMaximum: UInt16 = 24
    /// Connection events that the peripheral may leave out.
    package var latency: UInt16 = 0
    /// Units of 10 ms.
    package var supervisionTimeout: UInt16 = 72

    package init() {}
    package init(
        intervalMinimum: UInt16 = 24, intervalMaximum: UInt16 = 24, latency: UInt16 = 0, supervisionTimeout: UInt16 = 72
    ) {
        self.intervalMinimum = intervalMinimum
        self.intervalMaximum = intervalMaximum
        self.latency = latency
        self.supervisionTimeout = supervisionTimeout
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u16("Interval Min", &intervalMinimum)
        try v.u16("Interval Max", &intervalMaximum)
        try v.u16("Latency", &latency)
        try v.u16("Timeout", &supervisionTimeout)
    }
}

/// L2CAP_CONNECTION_PARAMETER_UPDATE_RSP: whether the central will change the parameters.
/// [Vol 3, Part A, 4.21]
package struct L2CAPConnectionParameterUpdateResponse: L2CAPSignallingPDU {
    package static let name: StaticString = "L2CAP_CONNECTION_PARAMETER_UPDATE_RSP"
    package static let section = SpecSection(3, "A", "4.21")
    package static var code: L2CAPSignallingCode { .connectionParameterUpdateResponse }

    /// 0 accepted, 1 rejected.
    package var result: UInt16 = 0

    package init() {}
    package init(result: UInt16 = 0) {
        self.result = result
    }

    package mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ v: inout V) throws(WireError) {
        try v.u16("Result", &result)
    }
}
