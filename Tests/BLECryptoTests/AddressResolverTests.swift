import BLECrypto
import BLEWire
import Testing

@Suite struct AddressResolverTests {
    private static let keys: [UInt128] = (1...500).map { UInt128($0) << 64 | 0x1234 }

    private static func resolver(_ keys: [UInt128] = keys) -> AddressResolver {
        var resolver = AddressResolver()
        resolver.use(keys)
        return resolver
    }

    private static func address(_ key: UInt128, _ random: UInt32) -> DeviceAddress {
        KeyDerivation.resolvableAddress(irk: key, random: random)
    }

    @Test func `P06 a key is set up once, for however many addresses`() {
        var resolver = Self.resolver()
        for random in 1...10_000 as ClosedRange<UInt32> {
            // A stranger's: all keys are tried.
            _ = resolver.place(resolving: Self.address(0xABCD, random))
        }
        #expect(resolver.setups == 500)
        #expect(resolver.rememberedCount <= AddressResolver.limit)
        #expect(resolver.place(resolving: Self.address(Self.keys[499], 77)) == 499)
    }

    @Test func `agrees with the definition for each key`() {
        var resolver = Self.resolver()
        for (place, key) in Self.keys.enumerated() {
            let address = Self.address(key, UInt32(place + 1))
            let expected = Self.keys.firstIndex { KeyDerivation.resolves(address, irk: $0) }
            #expect(resolver.place(resolving: address) == expected)
            // Out of memory the second time.
            #expect(resolver.place(resolving: address) == expected)
        }
    }

    @Test func `other keys cost those that are new`() {
        var resolver = Self.resolver()
        resolver.use(Array(Self.keys.dropFirst()) + [0x77])
        #expect(resolver.setups == 501)
        #expect(resolver.place(resolving: Self.address(Self.keys[1], 9)) == 0)
        #expect(resolver.place(resolving: Self.address(0x77, 9)) == 499)
        #expect(resolver.place(resolving: Self.address(Self.keys[0], 9)) == nil)
    }

    @Test func `what was found out doesn't outlive the keys`() {
        var resolver = Self.resolver([1, 2])
        let address = Self.address(2, 5)
        #expect(resolver.place(resolving: address) == 1)
        resolver.use([2])
        #expect(resolver.place(resolving: address) == 0)
        resolver.use([])
        #expect(resolver.place(resolving: address) == nil)
    }

    @Test func `a key of zeros holds its place, and of the same keys the first counts`() {
        var resolver = Self.resolver([0, 5, 5, 6])
        #expect(resolver.place(resolving: Self.address(0, 3)) == nil)
        #expect(resolver.place(resolving: Self.address(5, 3)) == 1)
        #expect(resolver.place(resolving: Self.address(6, 3)) == 3)
        #expect(resolver.setups == 2)
    }

    @Test func `an address of another kind belongs to nobody`() {
        var resolver = Self.resolver()
        #expect(resolver.place(resolving: DeviceAddress(0x4000_0000_0000)) == nil)
        #expect(resolver.place(resolving: DeviceAddress(0xC011_2233_4455, .randomDevice)) == nil)
        #expect(resolver.rememberedCount == 0)
    }

    @Test func `keys beyond the limit resolve too`() {
        let keys = (1...UInt128(AddressResolver.limit + 1)).map { $0 << 40 }
        var resolver = Self.resolver(keys)
        #expect(resolver.setups == AddressResolver.limit)
        let address = Self.address(keys[AddressResolver.limit], 0x12345)
        #expect(resolver.place(resolving: address) == keys.firstIndex { KeyDerivation.resolves(address, irk: $0) })
    }

    @Test func `a copy goes on by itself`() {
        var first = Self.resolver([1, 2])
        var second = first
        second.use([2, 3])
        #expect(first.place(resolving: Self.address(1, 8)) == 0)
        #expect(second.place(resolving: Self.address(1, 8)) == nil)
        #expect(second.place(resolving: Self.address(3, 8)) == 1)
    }
}
