import BLECrypto
import BLEHost
import BLEWire
import Testing

/// What the addresses of strangers cost a host that has many bonds. [Vol 3, Part C, 10.8.2.3]
@Suite struct ResolverCostTests {
    private static let bondCount = 200

    private static func irk(_ number: Int) -> UInt128 { UInt128(number + 1) << 80 | 0x77 }

    private static func peer(_ number: Int) -> DeviceAddress {
        DeviceAddress(0xC000_0000_0000 | UInt64(number), .randomDevice)
    }

    private static func withBonds() -> HostBench {
        var bench = HostBench.poweredOn { $0.address = DeviceAddress(0x0011_2233_4455) }
        let bonds = (0..<bondCount).map { number in
            var bond = Bond(
                peer: peer(number),
                strength: PairingStrength(isAuthenticated: false, isSecureConnections: true, keySize: 16))
            bond.keyAsCentral = EncryptionKey(longTermKey: Key128(1))
            bond.keyAsPeripheral = bond.keyAsCentral
            bond.irk = Key128(irk(number))
            return bond
        }
        bench.command(.loadBonds(bonds))
        bench.command(.startScanning(ScanSettings()))
        bench.forget()
        return bench
    }

    private static func hear(_ address: DeviceAddress, _ bench: inout HostBench) -> DeviceAddress? {
        bench.forget()
        let report = LEAdvertisingReport.Report(type: .connectableAndScannable, address: address, data: [], rssi: -40)
        bench.receive(LEAdvertisingReport(reports: [report]).packet())
        return bench.events.lazy.compactMap {
            if case .advertisingReport(let report) = $0 { report.address } else { nil }
        }
        .first
    }

    @Test func `P06 a crowd of new private addresses sets up each key once, in bounded memory`() {
        var bench = Self.withBonds()
        for random in 1...6000 as ClosedRange<UInt32> {
            let stranger = KeyDerivation.resolvableAddress(irk: 0xABCD, random: random)
            _ = Self.hear(stranger, &bench)
        }
        #expect(bench.host.resolverUse.setups == Self.bondCount)
        #expect(bench.host.resolverUse.remembered <= AddressResolver.limit)
        let known = KeyDerivation.resolvableAddress(irk: Self.irk(150), random: 0x5555)
        #expect(Self.hear(known, &bench) == Self.peer(150))
    }

    @Test func `P06 links from new private addresses use the same keys`() {
        var bench = Self.withBonds()
        for random in 1...200 as ClosedRange<UInt32> {
            let stranger = KeyDerivation.resolvableAddress(irk: 0xABCD, random: random)
            bench.linkMade(to: stranger, as: .peripheral)
            bench.receive(HCIDisconnectionComplete(handle: HostBench.handle, reason: .connectionTimeout).packet())
        }
        #expect(bench.host.resolverUse.setups == Self.bondCount)
        #expect(bench.host.linkCount == 0)
    }
}
