package import BLEWire

/// What a host tells its user.
package enum HostEvent: Equatable, Sendable {
    case stateChanged(HostState)
    case scanStarted(HostError?)
    /// One advertising report, as received. [Vol 4, Part E, 7.7.65.2]
    case advertisingReport(AdvertisingReport)
    case advertisingStarted(HostError?)
    /// Advertising ended by a connection or by time, and isn't started again by the host; see `AdvertisingPolicy`.
    case advertisingEnded

    case connected(LinkInfo)
    case connectFailed(DeviceAddress, HostError)
    case disconnected(ConnectionHandle, DeviceAddress, reason: HCIStatus)
    /// Of a periodic advertising train.
    case periodic(OperationToken, PeriodicEvent)
    case rssi(ConnectionHandle, Result<Int8, HostError>)
    case connectionUpdated(ConnectionHandle, HostError?)
    case phyUpdated(ConnectionHandle, transmit: UInt8, receive: UInt8)
    case dataLengthChanged(ConnectionHandle, maxTransmitOctets: UInt16)
    case attMTUChanged(ConnectionHandle, Int)

    /// The encryption of a link has begun or ended, or has another key.
    case securityChanged(ConnectionHandle, LinkSecurity)
    /// A link couldn't be encrypted with the key of its bond; its end follows. [Vol 3, Part C, 10.3.2]
    case encryptionFailed(ConnectionHandle, HCIStatus)
    /// What `.raiseSecurity` came to.
    case securityRaised(ConnectionHandle, HostError?)
    /// A person is to be asked or told; answered by `.answerPairing`.
    case pairingAsked(ConnectionHandle, PairingQuestion)
    /// The peer's person has pressed a key of the passkey.
    case pairingKeyPressed(ConnectionHandle, SMPKeypress)
    /// A pairing has ended, whoever began it. What was asked needs no answer any more.
    case pairingEnded(ConnectionHandle, Result<PairingResult, HostError>)
    /// A bond was made, replaced, or has other counters: it is to be kept.
    case bondChanged(Bond)
    case bondRemoved(DeviceAddress)
    /// The peer of a link, which was known by a private address, has told its identity address: they are one.
    case peerIdentified(ConnectionHandle, DeviceAddress)

    case gattCompleted(ConnectionHandle, OperationToken, Result<GATTOutcome, HostError>)
    /// A notification or indication (already confirmed) arrived.
    case valueReceived(ConnectionHandle, AttributeHandle, [UInt8], indicated: Bool)

    case serviceAdded(OperationToken, Result<GATTServiceLayout, HostError>)
    /// A read of a dynamic attribute; answer with `.respond`.
    case readRequested(ConnectionHandle, GATTRequestID, AttributeHandle, offset: Int)
    /// Writes of dynamic attributes that are answered together. A command has `needsResponse` false.
    case writeRequested(ConnectionHandle, GATTRequestID, [GATTWrite], needsResponse: Bool)
    /// A client changed a CCCD; the handle is that of the characteristic's value. [Vol 3, Part G, 3.3.3.3]
    case subscriptionChanged(ConnectionHandle, AttributeHandle, ClientConfiguration)
    case valueSent(ConnectionHandle, OperationToken, HostError?)

    /// Of an LE credit based channel.
    case channel(ConnectionHandle, ChannelEvent)
}

/// What a host can do at the moment.
package enum HostState: Equatable, Sendable {
    /// Nothing was asked yet.
    case unknown
    case poweredOff
    case poweredOn
    /// The controller or the transport failed; the reason names the layer.
    case resetting(HostError)
    /// The controller can't do what the host needs.
    case unsupported(HostError)
}

/// Why something failed: a layer and its code.
package enum HostError: Error, Hashable, Sendable {
    case hci(HCIStatus)
    case att(ATTErrorCode)
    /// Why a channel wasn't opened. [Vol 3, Part A, 4.23]
    case l2cap(L2CAPConnectionResult)
    /// No answer within the transaction time-out. [Vol 3, Part F, 3.3.3]
    case attTimeout
    /// The peer answered with something that the specification doesn't allow there.
    case invalidResponse(String)
    /// There was no pairing.
    case pairing(PairingFailure)
    /// The link ended before the operation did.
    case disconnected(HCIStatus)
    /// The controller didn't answer a command in time.
    case commandTimeout(opcode: UInt16)
    case transport(String)
    case invalidParameters(String)
    /// What is lacking, and where.
    case unsupported(String)
    case notPoweredOn
    case cancelled
}

/// A link as it came to be. [Vol 4, Part E, 7.7.65.10]
package struct LinkInfo: Equatable, Sendable {
    package var handle: ConnectionHandle
    package var peer: DeviceAddress
    package var isCentral: Bool
    /// Units of 1.25 ms.
    package var interval: UInt16
    package var latency: UInt16
    /// Units of 10 ms.
    package var supervisionTimeout: UInt16
    /// The private address that this side used to make the link; nil for the lasting one.
    package var ownAddress: DeviceAddress?
    /// The private address that the peer used, where `peer` is who that is; nil where `peer` is the address itself.
    package var peerAddress: DeviceAddress?
    package init(
        handle: ConnectionHandle, peer: DeviceAddress, isCentral: Bool, interval: UInt16, latency: UInt16,
        supervisionTimeout: UInt16
    ) {
        self.handle = handle
        self.peer = peer
        self.isCentral = isCentral
        self.interval = interval
        self.latency = latency
        self.supervisionTimeout = supervisionTimeout
    }
}

/// One advertising report.
package struct AdvertisingReport: Equatable, Sendable {
    package var address: DeviceAddress
    package var isConnectable: Bool
    package var isScannable: Bool
    package var isScanResponse: Bool
    /// AD structures as on the air.
    package var data: [UInt8]
    /// dBm; 127 = not available.
    package var rssi: Int8
    /// Advertising SID; nil where it has none.
    package var setIdentifier: UInt8?
    /// Of the set's periodic advertising, in units of 1.25 ms; nil where it has none.
    package var periodicInterval: UInt16?
    package init(
        address: DeviceAddress, isConnectable: Bool, isScannable: Bool, isScanResponse: Bool, data: [UInt8], rssi: Int8
    ) {
        self.address = address
        self.isConnectable = isConnectable
        self.isScannable = isScannable
        self.isScanResponse = isScanResponse
        self.data = data
        self.rssi = rssi
    }
}
