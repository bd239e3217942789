import BLEController
import BLEHost
import BLEWire
import Testing

@Suite struct ManyHostsTests {
    /// A central and so many peripherals that advertise.
    static func air(peripherals: Int, _ change: (inout ControllerProfile) -> Void = { _ in }) -> AirBench {
        var bench = AirBench()
        _ = bench.add(HostConfiguration(), change)
        for _ in 0..<peripherals {
            let index = bench.add()
            bench.command(index, .startAdvertising(AdvertisingSettings()))
        }
        return bench
    }

    static func links(_ bench: AirBench) -> Int {
        bench.devices[0].events.count { if case .connected = $0 { true } else { false } }
    }

    @Test func `connects to twenty peripherals that were asked for at once`() {
        var bench = Self.air(peripherals: 20)
        for index in 1...20 { bench.command(0, .connect(AirBench.address(index), ConnectionSettings())) }
        #expect(bench.run(.seconds(60)) { Self.links($0) == 20 })
    }

    @Test func `scans on while it connects to many`() {
        var bench = Self.air(peripherals: 5)
        let advertiser = bench.add()
        bench.command(advertiser, .startAdvertising(AdvertisingSettings()))
        bench.command(0, .startScanning(ScanSettings()))
        for index in 1...5 { bench.command(0, .connect(AirBench.address(index), ConnectionSettings())) }
        #expect(bench.run(.seconds(60)) { Self.links($0) == 5 })
        bench.devices[0].events = []
        #expect(
            bench.run(.seconds(5)) { bench in
                bench.devices[0].events.contains {
                    if case .advertisingReport(let report) = $0 { report.address == AirBench.address(6) } else { false }
                }
            })
    }

    @Test func `fails the link above the controller's limit and keeps the others`() {
        var bench = Self.air(peripherals: 8) { $0.maximumLinks = 7 }
        for index in 1...8 { bench.command(0, .connect(AirBench.address(index), ConnectionSettings())) }
        let failed = bench.run(.seconds(60)) { bench in
            Self.links(bench) == 7
                && bench.devices[0].events.contains { if case .connectFailed = $0 { true } else { false } }
        }
        #expect(failed)
        let errors = bench.devices[0].events.compactMap { event -> HostError? in
            if case .connectFailed(_, let error) = event { error } else { nil }
        }
        #expect(errors == [.hci(.connectionLimitExceeded)])
        bench.run(.seconds(10))
        #expect(!bench.devices[0].events.contains { if case .disconnected = $0 { true } else { false } })
    }

    @Test func `advertises again when the only link as peripheral has ended`() throws {
        var bench = AirBench()
        let first = bench.add()
        let second = bench.add()
        let peripheral = bench.add(HostConfiguration()) { $0.maximumLinksAsPeripheral = 1 }
        let made = bench.link(first, to: peripheral)
        let link = try #require(made)
        bench.command(second, .connect(AirBench.address(peripheral), ConnectionSettings()))
        bench.run(.seconds(10))
        #expect(bench.devices[second].events.isEmpty)
        bench.command(first, .disconnect(link.central, reason: .remoteUserTerminated))
        #expect(bench.wait(second, .seconds(10), for: { $0.link(to: AirBench.address(peripheral)) }) != nil)
    }

    @Test func `is central and peripheral at once`() {
        var bench = AirBench()
        let both = bench.add()
        let peripheral = bench.add()
        let central = bench.add()
        #expect(bench.link(both, to: peripheral) != nil)
        #expect(bench.link(central, to: both) != nil)
        bench.run(.seconds(5))
        for index in 0..<3 {
            #expect(!bench.devices[index].events.contains { if case .disconnected = $0 { true } else { false } })
        }
    }
}
