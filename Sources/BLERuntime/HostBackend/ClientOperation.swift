import BLEBackend
import BLEHost
import BLEWire

/// Something that a session, or the backend itself, wants of a peer's GATT server: one procedure or several in a row.
struct ClientOperation {
    enum Kind: Equatable {
        case services([BluetoothUUID]?)
        case includedServices(RemoteService, [BluetoothUUID]?)
        case characteristics(RemoteService, [BluetoothUUID]?)
        case descriptors(RemoteCharacteristic)
        case read(AttributeHandle)
        case write(AttributeHandle, [UInt8])
        case writeCommand(AttributeHandle, [UInt8], hasPlace: Bool)
        case setNotify(RemoteCharacteristic, Bool)
        /// Of the backend itself.
        case policy(LinkPolicySteps.Step)
        /// Of the backend itself: a session that left was the last one that was subscribed.
        case unsubscribe(AttributeHandle)
    }
    let kind: Kind
    /// nil: the backend itself.
    let session: SessionID?
    /// The procedure that runs, and its name.
    var procedure: GATTProcedure?
    var token: OperationToken?
    /// Nobody waits for the result any more.
    var isAbandoned = false
    /// Included services whose kind isn't known yet, and those that are complete.
    var unresolved: [GATTIncludedService] = []
    var resolved: [RemoteService] = []

    init(_ kind: Kind, session: SessionID?) {
        self.kind = kind
        self.session = session
    }

    /// Whether it looks for what the peer has.
    var isDiscovery: Bool {
        switch kind {
        case .services, .includedServices, .characteristics, .descriptors: true
        case .read, .write, .writeCommand, .setNotify, .policy, .unsubscribe: false
        }
    }

    /// Whether a write without response that comes later may be sent while this runs: its one request has left
    /// already, or the order of the two can't be told from outside.
    var letsCommandsPass: Bool {
        switch kind {
        case .setNotify, .unsubscribe, .writeCommand: false
        case .write, .services, .includedServices, .characteristics, .descriptors, .read, .policy: true
        }
    }
}

/// Whose a procedure of the host is.
enum ProcedureOwner: Equatable {
    /// The operation that runs on the link.
    case operation(ConnectionHandle)
    /// A write without response; its place is free when it has left.
    case writeCommand(PeerID)
    /// A service that is being added.
    case addition(SessionID)
}
