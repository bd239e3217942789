package import BLEWire

/// What a manager asks of its backend. Commands of one session are carried out in the order given.
package enum BackendCommand: Equatable, Sendable {
    // Central role.
    /// Replaces a scan of this session that runs. [contract 20]
    case startScan(ScanRequest)
    case stopScan
    /// Never times out; ends in `.connected`, `.connectFailed` or `.disconnected`. [contract 42]
    case connect(PeerID, ConnectOptions)
    /// Ends a connection, or a pending one, and is answered by `.disconnected`; where there is neither, nothing comes.
    /// Of a peripheral's session it ends the link of a central, whose subscriptions end with it. [contract 45, 46]
    case disconnect(PeerID)
    /// The program let go of the peripheral object: a pending connection or a link of this session ends. No event
    /// answers it. [contract 33]
    case forget(PeerID)
    case readRSSI(PeerID)
    case discoverServices(PeerID, filter: [BluetoothUUID]?)
    case discoverIncludedServices(PeerID, of: RemoteService, filter: [BluetoothUUID]?)
    case discoverCharacteristics(PeerID, of: RemoteService, filter: [BluetoothUUID]?)
    case discoverDescriptors(PeerID, of: RemoteCharacteristic)
    /// Reads a characteristic value or a descriptor, whole. [contract 69]
    case read(PeerID, AttributeHandle)
    /// Writes with response; longer than ATT_MTU − 3 by prepared writes. [contract 74]
    case write(PeerID, AttributeHandle, [UInt8])
    /// Writes without response. Room was taken before by `Backend.reserveWriteWithoutResponse`, or not: then it is
    /// best effort. [contract 77]
    case writeWithoutResponse(PeerID, AttributeHandle, [UInt8])
    /// Looks the CCCD up if need be and writes it. [contract 79, 81]
    case setNotify(PeerID, RemoteCharacteristic, Bool)
    /// Opens an L2CAP channel to the PSM of a connected peer; ends in `.channelOpened`. [contract 118]
    case openChannel(PeerID, psm: UInt16)
    /// Looks for a periodic advertising train and follows it; its events have the identifier. A backend that can't answers
    /// `.periodic(id, .ended(BackendError(.operationNotSupported, underlying: …)))`.
    case followPeriodic(FollowID, FollowRequest)
    /// Ends the search, or following. No event answers it.
    case stopFollowing(FollowID)

    // Peripheral role.
    case addService(LocalService)
    case removeService(LocalAttributeID)
    case removeAllServices
    case startAdvertising(AdvertisingRequest)
    case stopAdvertising
    /// Answers a request. The value is that of a read; nil for writes.
    case respond(RequestID, ATTErrorCode, value: [UInt8]?)
    /// A wish for connection parameters. [contract 109]
    case setConnectionLatency(PeerID, ConnectionLatency)
    /// Lets centrals open channels, to a PSM that the system chooses; ends in `.channelPublished`. [contract 117]
    case publishChannel(encrypted: Bool)
    /// Takes a PSM away and closes its channels; ends in `.channelUnpublished`. [contract 120]
    case unpublishChannel(psm: UInt16)
}

/// How a connection is to be made and kept.
package struct ConnectOptions: Equatable, Sendable {
    /// Whole seconds to wait before the attempt.
    package var startDelay: Int
    package var autoReconnect: Bool
    package init(startDelay: Int = 0, autoReconnect: Bool = false) {
        self.startDelay = startDelay
        self.autoReconnect = autoReconnect
    }
}

/// `CBPeripheralManagerConnectionLatency`.
package enum ConnectionLatency: Int, Sendable { case low = 0, medium, high }
