package import BLEWire

/// Whose resolvable private addresses are heard, of those whose keys are known. [Vol 6, Part B, 1.3.2.3]
///
/// *Role*: tries the keys of all peers on an address, in their order. Each key is set up once and not for each address,
/// and what came out for an address is remembered, so that neither a peer nor a crowd of strangers costs much.
/// *Inputs and outputs*: keys and addresses in, places among the keys out. A value: a copy sets its keys up anew when
/// it is asked first.
/// *Limits*: 4096 results are remembered and 4096 keys are kept set up; what is beyond is worked out each time.
package struct AddressResolver: Sendable {
    package static let limit = 4096

    private var keys: [UInt128] = []
    private var ring = AESKeyring()
    /// Asked and changed, never walked: places of the keys by address, -1 for addresses of strangers.
    private var remembered: [UInt64: Int] = [:]

    package init() {}

    /// How many times a key was set up, of the keys that are kept so.
    package var setups: Int { ring.setups }
    package var rememberedCount: Int { remembered.count }

    /// Takes other keys; a key of zeros holds a place and resolves nothing.
    package mutating func use(_ keys: [UInt128]) {
        remembered.removeAll(keepingCapacity: true)
        guard keys != self.keys else { return }
        self.keys = keys
        ownRing().use(Array(keys.prefix(Self.limit)))
    }

    /// The place of the first key that the address was made with; nil where there is none.
    package mutating func place(resolving address: DeviceAddress) -> Int? {
        guard address.isResolvablePrivate, !keys.isEmpty else { return nil }
        if let place = remembered[address.bits] { return place < 0 ? nil : place }
        let place = firstIndex(resolving: address)
        if remembered.count >= Self.limit { remembered.removeAll(keepingCapacity: true) }
        remembered[address.bits] = place ?? -1
        return place
    }

    private mutating func firstIndex(resolving address: DeviceAddress) -> Int? {
        let (random, hash) = (UInt32(truncatingIfNeeded: address.bits >> 24), UInt32(address.bits & 0xFF_FFFF))
        if let place = ownRing().firstIndex(random: random & 0xFF_FFFF, hash: hash) { return place }
        return keys.dropFirst(Self.limit).firstIndex { KeyDerivation.resolves(address, irk: $0) }
    }

    /// The ciphers, of which no copy may have the same.
    private mutating func ownRing() -> AESKeyring {
        if !isKnownUniquelyReferenced(&ring) {
            ring = AESKeyring()
            ring.use(Array(keys.prefix(Self.limit)))
        }
        return ring
    }
}
