import BLEBackend
import BLERuntime
import BLEWire
import Testing

@Suite struct DeviceStoreTests {
    let band = DeviceAddress(0xC0_11_22_33_44_55, .randomDevice)

    @Test func `the same key gives a device the same identifier`() {
        let first = MemoryDeviceStore(key: (1, 2)).peer(at: band)
        #expect(MemoryDeviceStore(key: (1, 2)).peer(at: band) == first)
        #expect(MemoryDeviceStore(key: (1, 3)).peer(at: band) != first)
    }

    @Test func `public and random addresses of the same bits are two devices`() {
        let store = MemoryDeviceStore()
        #expect(store.peer(at: DeviceAddress(band.bits, .publicDevice)) != store.peer(at: band))
    }

    @Test func `a resolved identity is the device itself`() {
        let store = MemoryDeviceStore()
        #expect(store.peer(at: DeviceAddress(band.bits, .randomIdentity)) == store.peer(at: band))
        #expect(store.address(of: store.peer(at: band)) == band)
    }

    @Test func `an identifier has the form of a UUID of its own scheme`() {
        let text = Array(MemoryDeviceStore().peer(at: band).description)
        #expect(text[14] == "8")
        #expect("89AB".contains(text[19]))
    }

    /// Vectors of the reference implementation of SipHash-2-4 with 128 bits of output: key 00…0F, input 00…
    @Test(arguments: [
        (0, "A3817F04BA25A8E66DF67214C7550293"), (1, "DA87C1D86B99AF44347659119B22FC45"),
        (7, "A1F1EBBED8DBC153C0B84AA61FF08239"), (8, "3B62A9BA6258F5610F83E264F31497B4"),
        (15, "5493E99933B0A8117E08EC0F97CFC3D9"),
    ])
    func `the keyed hash is SipHash`(length: Int, digest: String) {
        let hash = PeerIdentifierHash(key: (0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908))
        let (first, second) = hash.hash((0..<length).map { UInt8($0) })
        let octets = [first, second].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
        #expect(Hex.string(octets) == digest)
    }

    @Test func `the GAP name goes before the advertised one`() {
        let store = MemoryDeviceStore()
        let peer = store.peer(at: band)
        #expect(store.name(of: peer) == nil)
        store.setAdvertisedName("OBand-75", of: peer)
        #expect(store.name(of: peer) == "OBand-75")
        store.setDeviceName("Band", of: peer)
        store.setAdvertisedName("OBand-76", of: peer)
        #expect(store.name(of: peer) == "Band")
    }

    @Test func `a full store forgets the oldest and keeps those that were connected to`() {
        let store = MemoryDeviceStore(limit: 8)
        let kept = store.peer(at: band)
        store.keep(kept)
        let early = store.peer(at: DeviceAddress(1))
        for bits in 2..<20 as Range<UInt64> { _ = store.peer(at: DeviceAddress(bits)) }
        #expect(store.address(of: kept) == band)
        #expect(store.address(of: early) == nil)
        #expect(store.address(of: store.peer(at: DeviceAddress(19))) == DeviceAddress(19))
    }

    @Test func `P03 a flood doesn't push out what a program holds, nor does what it holds take others' room`() {
        let store = MemoryDeviceStore(limit: 8)
        let held = (1...20 as ClosedRange<UInt64>).map { store.peer(at: DeviceAddress($0)) }.suffix(8)
        for peer in held { store.hold(peer) }
        store.hold(held[held.startIndex])
        for bits in 100..<200 as Range<UInt64> { _ = store.peer(at: DeviceAddress(bits)) }
        #expect(held.map { store.address(of: $0)?.bits } == Array(13...20))
        // Eight more than those that are held, no more and no fewer than before.
        let others = (100..<200 as Range<UInt64>).map { DeviceAddress($0) }
        let ids = others.map { PeerIdentifierHash(key: (0, 0)).peer(of: $0) }
        #expect(ids.count { store.address(of: $0) != nil } == 8)
        // Let go of once for each time it was held.
        for peer in held { store.release(peer) }
        for bits in 200..<300 as Range<UInt64> { _ = store.peer(at: DeviceAddress(bits)) }
        #expect(held.map { store.address(of: $0)?.bits } == [13] + Array(repeating: nil, count: 7))
        store.release(held[held.startIndex])
        for bits in 300..<400 as Range<UInt64> { _ = store.peer(at: DeviceAddress(bits)) }
        #expect(store.address(of: held[held.startIndex]) == nil)
    }
}
