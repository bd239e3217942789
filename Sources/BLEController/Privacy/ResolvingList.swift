import BLECrypto
import BLEWire

/// The peers whose private addresses a controller resolves, and the private addresses that it uses towards them.
/// [Vol 6, Part B, 4.7], [Vol 6, Part B, 6]
///
/// *Role*: the resolving list with the addresses of the moment, and whom an address on the air belongs to.
/// *Limits*: keys are set up once, and the result for an address is remembered until the list changes, as far as
/// `AddressResolver` does: a crowd of strangers costs one look each.
struct ResolvingList: Sendable {
    struct Entry: Sendable {
        /// The peer's identity address.
        var peer: DeviceAddress
        var peerIRK: UInt128
        var localIRK: UInt128
        /// In device privacy mode the peer may use its identity address too. [Vol 4, Part E, 7.8.77]
        var isDeviceMode = false
        /// The address of this side towards the peer; 0 without a key.
        var local = DeviceAddress(0, .randomDevice)
        /// The address that names the peer in directed advertising; 0 without a key.
        var target = DeviceAddress(0, .randomDevice)
        /// The address that the peer was heard with last; 0 before.
        var heard = DeviceAddress(0, .randomDevice)
    }

    /// Whom an address on the air belongs to.
    enum Owner: Equatable, Sendable {
        /// Nobody in the list: it is what it says.
        case stranger
        /// The peer of the entry at this place.
        case peer(Int)
        /// A peer that uses private addresses has no business with its identity address. [Vol 6, Part B, 4.7]
        case impostor
    }

    private(set) var entries: [Entry] = []
    /// Whether the host has turned resolving on.
    var isEnabled = false
    /// RPA_Timeout
    var timeout = Delay.seconds(900)
    /// Counts what is planned, so that what was planned before is void.
    var stamp: UInt32 = 0
    /// The keys of the peers, and those of this side, at the places of their entries.
    private var peers = AddressResolver()
    private var locals = AddressResolver()
    /// Whether the resolvers have the keys of the entries.
    private var isCurrent = true

    /// Whether an address that is heard has to be looked at: asked for each.
    @inline(__always)
    var resolves: Bool { isEnabled && !entries.isEmpty }

    /// Whether addresses of this side have to be renewed.
    var rotates: Bool { entries.contains { $0.localIRK != 0 || $0.peerIRK != 0 } }

    func place(of identity: DeviceAddress) -> Int? {
        entries.firstIndex { $0.peer.bits == identity.bits && $0.peer.isRandom == identity.isRandom }
    }

    mutating func append(_ entry: Entry) {
        entries.append(entry)
        isCurrent = false
    }

    mutating func remove(at place: Int) {
        entries.remove(at: place)
        isCurrent = false
    }

    mutating func removeAll() {
        entries = []
        isCurrent = false
    }

    mutating func setMode(isDevice: Bool, at place: Int) { entries[place].isDeviceMode = isDevice }

    /// Everything as after HCI_Reset.
    mutating func reset() {
        let stamp = stamp &+ 1
        self = ResolvingList()
        self.stamp = stamp
    }

    /// Whom an address that is heard belongs to; ask only where `resolves`.
    mutating func owner(of address: DeviceAddress) -> Owner {
        if address.isResolvablePrivate { return place(resolving: address).map { .peer($0) } ?? .stranger }
        guard let place = place(of: address) else { return .stranger }
        return entries[place].peerIRK == 0 || entries[place].isDeviceMode ? .peer(place) : .impostor
    }

    private mutating func place(resolving address: DeviceAddress) -> Int? {
        refreshKeys()
        let place = peers.place(resolving: address)
        if let place { entries[place].heard = address }
        return place
    }

    /// Whether an address names this side: TargetA of a peer's directed advertising. [Vol 6, Part B, 6.4]
    mutating func ownsTarget(_ address: DeviceAddress) -> Bool {
        refreshKeys()
        return locals.place(resolving: address) != nil
    }

    /// How many times a key was set up, and how many results are remembered.
    var resolverUse: (setups: Int, remembered: Int) {
        (peers.setups + locals.setups, peers.rememberedCount + locals.rememberedCount)
    }

    /// Once for all changes since the last look.
    private mutating func refreshKeys() {
        if isCurrent { return }
        isCurrent = true
        peers.use(entries.map(\.peerIRK))
        locals.use(entries.map(\.localIRK))
    }

    /// Makes every address of this side anew. [Vol 6, Part B, 6.1]
    mutating func renew(using generator: inout EntityGenerator) {
        for place in entries.indices { renew(at: place, using: &generator) }
    }

    mutating func renew(at place: Int, using generator: inout EntityGenerator) {
        let entry = entries[place]
        entries[place].local = Self.address(entry.localIRK, using: &generator)
        entries[place].target = Self.address(entry.peerIRK, using: &generator)
    }

    /// A new resolvable private address; 0 without a key. [Vol 6, Part B, 1.3.2.2]
    private static func address(_ irk: UInt128, using generator: inout EntityGenerator) -> DeviceAddress {
        guard irk != 0 else { return DeviceAddress(0, .randomDevice) }
        return KeyDerivation.resolvableAddress(irk: irk, random: UInt32(truncatingIfNeeded: generator.next()))
    }
}
