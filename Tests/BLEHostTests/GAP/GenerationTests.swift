import BLEController
import BLEHost
import BLEWire
import Testing

/// The same flows over controllers of several versions, each side with its own. [Vol 4, Part E, 3.1]
@Suite struct GenerationTests {
    static let pairs = ControllerProfile.Generation.allCases.flatMap { one in
        ControllerProfile.Generation.allCases.map { (one, $0) }
    }

    private func air(
        _ central: ControllerProfile.Generation, _ peripheral: ControllerProfile.Generation,
        _ configuration: HostConfiguration = HostConfiguration()
    ) -> AirBench {
        var bench = AirBench()
        _ = bench.add { $0.become(central) }
        _ = bench.add(configuration) { $0.become(peripheral) }
        return bench
    }

    @Test(arguments: pairs)
    func `scan, connect, read and leave`(
        _ central: ControllerProfile.Generation, _ peripheral: ControllerProfile.Generation
    ) throws {
        var bench = air(central, peripheral)
        bench.command(1, .startAdvertising(AdvertisingTests.settings()))
        bench.command(0, .startScanning(ScanSettings()))
        let reports = { (bench: AirBench) in
            bench.devices[0].events.compactMap { if case .advertisingReport(let report) = $0 { report } else { nil } }
        }
        let isWhole = bench.run(.seconds(5)) { bench in
            reports(bench).contains { $0.isScanResponse } && reports(bench).contains { !$0.isScanResponse }
        }
        #expect(isWhole)
        for report in reports(bench) {
            #expect(report.address == AirBench.address(1))
            #expect(report.data == (report.isScanResponse ? [3, 9, 0x48, 0x69] : [2, 1, 6]))
            #expect(report.isConnectable == !report.isScanResponse)
        }
        bench.command(0, .stopScanning)
        bench.command(1, .stopAdvertising)
        let made = bench.link(0, to: 1)
        let link = try #require(made)
        guard case .success? = bench.perform(0, link.central, .discoverServices(nil)) else {
            return #expect(Bool(false), "no services")
        }
        bench.command(0, .disconnect(link.central, reason: .remoteUserTerminated))
        let reason = bench.wait(1) { $0.end(of: link.peripheral) }
        #expect(reason == .remoteUserTerminated)
        // It goes on advertising, and is found and connected to once more.
        bench.command(0, .connect(AirBench.address(1), ConnectionSettings()))
        let again = bench.wait(0) { $0.link(to: AirBench.address(1)) }
        #expect(again != nil)
    }

    @Test(arguments: pairs)
    func `who has extended advertising hears a long advertisement and connects to it, others don't`(
        _ central: ControllerProfile.Generation, _ peripheral: ControllerProfile.Generation
    ) {
        var configuration = HostConfiguration()
        configuration.advertising.usesExtendedPDUs = true
        var bench = air(central, peripheral, configuration)
        var settings = AdvertisingSettings()
        settings.data = [2, 1, 6, 200, 0xFF, 0xFF, 0xFF] + [UInt8](repeating: 9, count: 197)
        bench.command(1, .startAdvertising(settings))
        let hasExtended: (ControllerProfile.Generation) -> Bool = { $0 == .core5_0 || $0 == .core5_4 }
        let started = bench.wait(1, .seconds(1)) { event -> Bool? in
            if case .advertisingStarted(let error) = event { error == nil } else { nil }
        }
        #expect(started == hasExtended(peripheral))
        bench.command(0, .startScanning(ScanSettings()))
        let heard = bench.wait(0, .seconds(2)) { event in
            if case .advertisingReport(let report) = event { report } else { nil }
        }
        let isHeard = hasExtended(central) && hasExtended(peripheral)
        #expect((heard?.data == settings.data && heard?.isConnectable == true) == isHeard)
        bench.command(0, .connect(AirBench.address(1), ConnectionSettings()))
        let link = bench.wait(0, .seconds(3)) { $0.link(to: AirBench.address(1)) }
        #expect((link != nil) == isHeard)
    }

    @Test func `an advertiser on the Coded PHY is heard and connected to by who listens there`() {
        var configuration = HostConfiguration()
        configuration.scanning.listensOnCoded = true
        var bench = AirBench()
        let central = bench.add(configuration)
        let beacon = bench.radio.addController(
            ControllerProfile(address: DeviceAddress(0x0011_2200_00FF), name: "far"), at: bench.now)
        var out: [RadioOutput] = []
        let commands: [[UInt8]] = [
            LESetExtendedAdvertisingParameters(
                properties: .connectable, intervalMinimum: 160, intervalMaximum: 160, primaryPHY: .leCoded,
                secondaryPHY: .leCoded
            ).packet(),
            LESetExtendedAdvertisingData(data: [2, 1, 6]).packet(),
            LESetExtendedAdvertisingEnable(isEnabled: true, sets: [.init(handle: 0)]).packet(),
        ]
        for command in commands { bench.radio.receive(command, from: beacon, at: bench.now, into: &out) }
        bench.command(central, .startScanning(ScanSettings()))
        let heard = bench.wait(central, .seconds(5)) { event in
            if case .advertisingReport(let report) = event { report } else { nil }
        }
        #expect(heard?.data == [2, 1, 6])
        bench.command(central, .connect(DeviceAddress(0x0011_2200_00FF), ConnectionSettings()))
        let link = bench.wait(central, .seconds(5)) { $0.link(to: DeviceAddress(0x0011_2200_00FF)) }
        #expect(link != nil)
    }
}
