import BLEController
import BLEHost
import BLESimulator
import BLEWire
import Testing

/// Two devices that meet beside the primary channels. [Vol 6, Part B, 4.4.2]
@Suite struct ExtendedAdvertisingTests {
    private static let longData = [2, 1, 6, 100, 0xFF, 0xFF, 0xFF] + [UInt8](repeating: 0x55, count: 97)

    private func reports(_ bench: Bench, _ device: DeviceID) -> [AdvertisingReport] {
        bench.events(of: device).compactMap { if case .advertisingReport(let report) = $0 { report } else { nil } }
    }

    /// Packets of the link on the air, by PHY.
    private func linkPHYs(_ bench: Bench) -> Set<PhysicalLayer> {
        Set(bench.air.filter { $0.direction != .advertising }.map(\.phy))
    }

    @Test func `a long advertisement is discovered, and its link is at 2M from AUX_CONNECT_REQ on`() throws {
        var bench = Bench(capturesAir: true)
        let central = bench.addHost("central")
        var configuration = HostConfiguration()
        configuration.advertising.usesExtendedPDUs = true
        let peripheral = bench.addHost("peripheral", configuration)
        var settings = AdvertisingSettings()
        settings.data = Self.longData
        bench.command(.startAdvertising(settings), peripheral)
        bench.command(.startScanning(ScanSettings()), central)
        bench.run(.seconds(1))
        let report = try #require(reports(bench, central).first)
        #expect(report.data == Self.longData)
        #expect(report.isConnectable && !report.isScanResponse)
        #expect(report.address == bench.simulation.address(of: peripheral))
        bench.command(.stopScanning, central)
        let connected = bench.connect(central, to: peripheral)
        let link = try #require(connected)
        #expect(link.isCentral)
        #expect(linkPHYs(bench) == [.le2M])
        bench.command(.gatt(link.handle, OperationToken(rawValue: 1), .discoverServices(nil)), central)
        let outcome = bench.wait(for: central) { event in
            if case .gattCompleted(_, OperationToken(rawValue: 1), let outcome) = event { outcome } else { nil }
        }
        guard case .success(.services(let services))? = outcome else { return #expect(Bool(false)) }
        #expect(services.count == 2)
    }

    @Test func `an advertiser on the Coded PHY is heard at a distance where 1M isn't looked for, and connected to`()
        throws
    {
        var bench = Bench(capturesAir: true)
        var configuration = HostConfiguration()
        configuration.scanning.listensOnCoded = true
        configuration.asCentral = .none
        let central = bench.addHost("central", configuration)
        let peripheral = bench.addDevice("peripheral")
        let commands: [any HCICommandPDU] = [
            HCISetEventMask(mask: HCIEventMask(rawValue: .max)),
            LESetExtendedAdvertisingParameters(
                properties: .connectable, intervalMinimum: 160, intervalMaximum: 160, primaryPHY: .leCoded,
                secondaryPHY: .leCoded),
            LESetExtendedAdvertisingData(data: Self.longData),
            LESetExtendedAdvertisingEnable(isEnabled: true, sets: [.init(handle: 0)]),
        ]
        for command in commands { bench.receive(command.packet(), from: peripheral) }
        bench.command(.startScanning(ScanSettings()), central)
        bench.run(.seconds(3))
        #expect(reports(bench, central).first?.data == Self.longData)
        let connected = bench.connect(central, to: peripheral)
        _ = try #require(connected)
        bench.run(.seconds(1))
        #expect(linkPHYs(bench) == [.codedS8])
        #expect(bench.simulation.linkLayerState(of: peripheral) == .connectedAsPeripheral)
    }
}
