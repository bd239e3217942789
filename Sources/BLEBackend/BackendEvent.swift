package import BLEWire

/// What a backend tells a manager, in the order in which it happened.
package enum BackendEvent: Equatable, Sendable {
    /// Below `.poweredOn` scanning, advertising, links and pending connections of the session are gone; what is to be
    /// reported of each of them comes before. Nothing starts again by itself. [contract 7, 8, 12, 13]
    case stateChanged(AdapterState)

    // Central role.
    case discovered(PeerID, name: String?, Advertisement, rssi: Int8)
    case connected(PeerID)
    case connectFailed(PeerID, BackendError)
    /// A nil error: at our own wish. `reconnecting` only with the option; then a connection is pending again.
    case disconnected(PeerID, BackendError?, reconnecting: Bool)
    /// The name changed while connected, or was read after the first connection. [contract 37, 39]
    case nameChanged(PeerID, String?)
    case rssi(PeerID, Result<Int8, BackendError>)
    case servicesDiscovered(PeerID, Result<[RemoteService], BackendError>)
    case includedServicesDiscovered(PeerID, of: RemoteService, Result<[RemoteService], BackendError>)
    case characteristicsDiscovered(PeerID, of: RemoteService, Result<[RemoteCharacteristic], BackendError>)
    case descriptorsDiscovered(PeerID, of: RemoteCharacteristic, Result<[RemoteDescriptor], BackendError>)
    /// The answer to `.read`.
    case valueRead(PeerID, AttributeHandle, Result<[UInt8], BackendError>)
    /// A notification or an indication.
    case valueNotified(PeerID, AttributeHandle, [UInt8])
    case written(PeerID, AttributeHandle, BackendError?)
    case notifyStateChanged(PeerID, RemoteCharacteristic, Result<Bool, BackendError>)
    /// After `canSendWriteWithoutResponse` was false and a write was refused or best effort: there is room again.
    case readyToWriteWithoutResponse(PeerID)
    /// Services whose handles lie in the range are gone. [contract 66]
    case servicesModified(PeerID, ClosedRange<AttributeHandle>)
    case attMTUChanged(PeerID, Int)
    /// The answer to `.openChannel`. [contract 118, 122]
    case channelOpened(PeerID, psm: UInt16, Result<ChannelPipe, BackendError>)
    /// Of a train that `.followPeriodic` asked for.
    case periodic(FollowID, FollowEvent)

    // Peripheral role.
    case serviceAdded(LocalAttributeID, BackendError?)
    case advertisingStarted(BackendError?)
    /// A read of a dynamic characteristic. [contract 97]
    case readRequest(RequestID, central: CentralInfo, LocalAttributeID, offset: Int)
    /// Write requests that belong together: answered once. A command comes the same way; its answer is dropped.
    /// [contract 98, 99]
    case writeRequests(RequestID, central: CentralInfo, [WriteRequest])
    case subscribed(central: CentralInfo, LocalAttributeID)
    case unsubscribed(central: CentralInfo, LocalAttributeID)
    /// Once after `updateValue` answered false. [contract 104]
    case readyToUpdateSubscribers
    /// The PSM that was chosen. [contract 117]
    case channelPublished(Result<UInt16, BackendError>)
    case channelUnpublished(psm: UInt16, BackendError?)
    /// A central has opened a channel. [contract 118]
    case channelAccepted(central: CentralInfo, psm: UInt16, ChannelPipe)

    /// One write of a `writeRequests` event.
    package struct WriteRequest: Equatable, Sendable {
        package var characteristic: LocalAttributeID
        package var offset: Int
        package var value: [UInt8]
        /// A write without response: nobody waits for the answer. [contract 99]
        package var isCommand: Bool
        package init(characteristic: LocalAttributeID, offset: Int, value: [UInt8], isCommand: Bool = false) {
            self.characteristic = characteristic
            self.offset = offset
            self.value = value
            self.isCommand = isCommand
        }
    }
}

/// A central as the peripheral role sees it.
package struct CentralInfo: Hashable, Sendable {
    package var id: PeerID
    /// ATT_MTU − 3 of its link at this moment.
    package var maximumUpdateValueLength: Int
    package init(id: PeerID, maximumUpdateValueLength: Int) {
        self.id = id
        self.maximumUpdateValueLength = maximumUpdateValueLength
    }
}
