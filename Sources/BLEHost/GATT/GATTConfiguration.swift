package import BLEWire

/// How one GATT connection behaves.
package struct GATTConfiguration: Equatable, Sendable {
    /// The largest ATT PDU that this side takes; offered to clients and asked of servers. [Vol 3, Part F, 3.4.2]
    package var receiveMTU = 517
    /// Prepared writes that a client may queue before it gets Prepare Queue Full. [Vol 3, Part F, 3.4.6.1]
    package var prepareQueueLimit = 64
    /// Whether an error that asks for more security is answered by `GATTOutput.elevateSecurity` and, after
    /// `securityChanged`, by repeating the request, instead of ending the procedure.
    package var elevatesSecurity = false
    /// The security that the link has when the connection is made.
    package var security = LinkSecurity()

    package init() {}
}

/// What protects a link at the moment. [Vol 3, Part C, 10.2]
package struct LinkSecurity: Equatable, Sendable {
    package var isEncrypted = false
    /// The key came from pairing with protection against a man in the middle.
    package var isAuthenticated = false
    /// The key came from LE Secure Connections pairing.
    package var isSecureConnections = false
    /// Octets of the encryption key.
    package var keySize = 16
    /// Whether a key is known with which the link could be encrypted: decides between Insufficient Authentication
    /// and Insufficient Encryption. [Vol 3, Part C, 10.3.1]
    package var hasKey = false

    package init() {}
}

/// What a GATT connection wants done, in order.
package enum GATTOutput: Equatable, Sendable {
    /// A PDU for the ATT channel of the link. Once a tagged one has left for the controller, `sent` wants to know.
    case send(pdu: [UInt8], tag: UInt64?)
    case event(HostEvent)
    /// The bearer can't be used any more: the link is to be ended. [Vol 3, Part F, 3.3.3]
    case closeBearer(HostError)
    /// A procedure waits for more security; answered by `securityChanged`. Only with `elevatesSecurity`.
    case elevateSecurity(ATTErrorCode)
    case trace(TraceEvent)
}
