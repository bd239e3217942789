package import BLEWire

/// What a device remembers of its peers: identifiers and names.
///
/// *Threading*: every method may be called from any thread.
package protocol DeviceStore: AnyObject, Sendable {
    /// The identifier of the peer; remembered from now on, so that `address(of:)` finds it.
    func peer(at address: DeviceAddress) -> PeerID
    /// The peer's address; nil where it is unknown here.
    func address(of peer: PeerID) -> DeviceAddress?
    /// The name of a peer: its GAP Device Name if that was read, else the name it advertised last. [contract 37]
    func name(of peer: PeerID) -> String?
    /// Remembers what the peer advertises as its name.
    func setAdvertisedName(_ name: String, of peer: PeerID)
    /// Remembers the peer's GAP Device Name. [Vol 3, Part C, 12.1]
    func setDeviceName(_ name: String, of peer: PeerID)
    /// A peer that was known by a private address has told its identity address: it keeps its identifier. [contract 36]
    func setIdentity(_ address: DeviceAddress, of peer: PeerID)
    /// Marks a peer as worth keeping: the program connects to it.
    func keep(_ peer: PeerID)
    /// An object of a program stands for the peer: it is remembered until as many `release` have come.
    func hold(_ peer: PeerID)
    /// An object that stood for the peer is gone.
    func release(_ peer: PeerID)
    /// Whether there is something that `save` would write.
    var needsSaving: Bool { get }
    /// Writes what has changed to where it lasts, if anywhere.
    func save()
}

/// One peer in a store.
package struct PeerRecord: Equatable, Sendable {
    package var address: DeviceAddress
    package var deviceName: String?
    package var advertisedName: String?
    /// A program has connected to it: it goes last when room is needed.
    package var isKept = false
    /// Set where the identifier isn't the one that the address gives.
    package var identifier: PeerID?

    package init(address: DeviceAddress) { self.address = address }

    package var name: String? { deviceName ?? advertisedName }
}
