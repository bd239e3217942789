package import BLEWire

/// ATT and GATT on one link: client and server over one bearer.
package struct GATTConnection: Sendable {
    package let link: ConnectionHandle

    package init(link: ConnectionHandle, configuration: GATTConfiguration) {
        self.link = link
    }

    /// The ATT_MTU of the bearer at the moment. [Vol 3, Part F, 3.2.8]
    package var attMTU: Int { 23 }

    /// When `timerFired` is to be called; nil = no timer runs.
    package var nextDeadline: Instant? { nil }

    /// A PDU came in on the ATT channel.
    package mutating func received(
        _ pdu: [UInt8], server: inout GATTServer, at now: Instant, into out: inout [GATTOutput]
    ) {}

    /// Starts a client procedure behind those that wait; ends in `.gattCompleted`.
    package mutating func start(
        _ procedure: GATTProcedure, token: OperationToken, at now: Instant, into out: inout [GATTOutput]
    ) {}

    /// Sends a notification or an indication, whatever the CCCD holds; ends in `.valueSent`.
    package mutating func sendValue(
        _ handle: AttributeHandle, _ value: [UInt8], indicate: Bool, token: OperationToken, at now: Instant,
        into out: inout [GATTOutput]
    ) {}

    /// The application's answer to `.readRequested` or `.writeRequested`.
    package mutating func respond(
        _ request: GATTRequestID, _ error: ATTErrorCode, value: [UInt8], server: inout GATTServer, at now: Instant,
        into out: inout [GATTOutput]
    ) {}

    /// A tagged PDU has left for the controller.
    package mutating func sent(_ tag: UInt64, into out: inout [GATTOutput]) {}

    /// Time has come to `nextDeadline`.
    package mutating func timerFired(server: inout GATTServer, at now: Instant, into out: inout [GATTOutput]) {}

    /// Services were added to the server or removed: tells this client, if it wants to know.
    package mutating func databaseChanged(server: inout GATTServer, at now: Instant, into out: inout [GATTOutput]) {}

    /// The link's security changed, or what `.elevateSecurity` asked for failed (then it is what it was).
    package mutating func securityChanged(
        _ security: LinkSecurity, at now: Instant, into out: inout [GATTOutput]
    ) {}

    /// The link is gone: everything that waits ends with the reason.
    package mutating func closed(reason: HCIStatus, into out: inout [GATTOutput]) {}
}
