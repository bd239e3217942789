package import BLEWire

/// The value of one CCCD for a bonded client. [Vol 3, Part G, 3.3.3.3]
package struct ClientSubscription: Hashable, Sendable {
    package var descriptor: AttributeHandle
    package var value: ClientConfiguration
    package init(descriptor: AttributeHandle, value: ClientConfiguration) {
        self.descriptor = descriptor
        self.value = value
    }
}

/// What is kept of a pairing: who the peer is, and the keys. [Vol 3, Part H, 2.4.2]
package struct Bond: Hashable, Sendable {
    /// The peer's identity address, public or static random: the one that it uses where that lasts, else the one that it
    /// told.
    package var peer: DeviceAddress
    /// The key for links in which this side is the peripheral, and that for links in which it is the central. The same
    /// after LE Secure Connections pairing. [Vol 3, Part H, 2.4.4]
    package var keyAsPeripheral: EncryptionKey?
    package var keyAsCentral: EncryptionKey?
    /// Resolves the peer's private addresses; nil where it uses none.
    package var irk: Key128?
    /// The key that the peer signs with, and the lowest counter that isn't used up. [Vol 3, Part C, 10.4.2]
    package var peerSigningKey: Key128?
    package var peerSignCounter: UInt32 = 0
    /// The key that this side signs with, and the next counter. [Vol 3, Part C, 10.4.1]
    package var ownSigningKey: Key128?
    package var ownSignCounter: UInt32 = 0
    package var strength: PairingStrength
    /// What the peer has subscribed to here: values that aren't 0 of the server's CCCDs, by their handles in order; and
    /// the hash of the database that the handles belong to. [Vol 3, Part G, 3.3.3.3]
    package var subscriptions: [ClientSubscription] = []
    package var databaseHash: [UInt8] = []

    package init(peer: DeviceAddress, strength: PairingStrength) {
        self.peer = peer
        self.strength = strength
    }

    /// From a pairing; nil where it is not to be kept, or where the peer can't be known again.
    init?(_ result: PairingResult, peerAddress: DeviceAddress) {
        guard result.isBonding else { return nil }
        // Who has paired under an address that lasts comes back under it, whatever else it says that it is.
        let lasts = !peerAddress.isRandom || peerAddress.isRandomStatic
        let identity = lasts ? peerAddress.withoutIdentity : result.peerIdentity ?? peerAddress
        // An address that will be another one soon names nobody.
        guard !identity.isRandom || identity.isRandomStatic else { return nil }
        guard result.keyAsPeripheral != nil || result.keyAsCentral != nil else { return nil }
        self.init(peer: identity, strength: result.strength)
        keyAsPeripheral = result.keyAsPeripheral
        keyAsCentral = result.keyAsCentral
        irk = result.peerIRK
        peerSigningKey = result.peerSigningKey
        ownSigningKey = result.ownSigningKey
    }

    /// The key for a link in which this side has the role.
    package func key(isCentral: Bool) -> EncryptionKey? { isCentral ? keyAsCentral : keyAsPeripheral }
}
