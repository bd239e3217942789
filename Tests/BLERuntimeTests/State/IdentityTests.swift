import BLETestSupport
import BLEBackend
import BLERuntime
import BLEWire
import Testing

/// A peer that tells its identity keeps the identifier that it had under a private address. [contract 36]
@Suite struct IdentityTests {
    private let folder = TemporaryFolder()
    private static let privateAddress = DeviceAddress(0x4A_11_22_33_44_55, .randomDevice)
    private static let identity = DeviceAddress(0x00_11_22_33_44_66)

    @Test func `36 the identifier stays, in the next run too`() {
        let first = FileDeviceStore(folder: folder.path, random: SystemRandomNumberGenerator())
        let peer = first.peer(at: Self.privateAddress)
        first.setDeviceName("Band", of: peer)
        first.setIdentity(Self.identity, of: peer)
        #expect(first.peer(at: Self.identity) == peer)
        #expect(first.peer(at: DeviceAddress(Self.identity.bits, .publicIdentity)) == peer)
        #expect(first.address(of: peer) == Self.identity)
        #expect(first.needsSaving)
        first.save()
        let second = FileDeviceStore(folder: folder.path, random: SystemRandomNumberGenerator())
        #expect(second.peer(at: Self.identity) == peer)
        #expect(second.address(of: peer) == Self.identity)
        #expect(second.name(of: peer) == "Band")
        // The private address is free for whoever makes it next.
        #expect(second.peer(at: Self.privateAddress) == second.peer(at: Self.privateAddress))
    }

    @Test func `36 the same in memory, and for an identity that was told already nothing changes`() {
        let store = MemoryDeviceStore()
        let peer = store.peer(at: Self.privateAddress)
        store.setIdentity(Self.identity, of: peer)
        store.setIdentity(Self.identity, of: peer)
        #expect(store.peer(at: Self.identity) == peer)
        store.setIdentity(Self.identity, of: PeerID(bits: 1))
        #expect(store.peer(at: Self.identity) == peer)
    }
}
