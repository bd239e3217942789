import BLEHost
import BLEWire
import Testing

@Suite struct ScanningTests {
    @Test func `starts an active scan, octet by octet`() {
        var bench = HostBench.poweredOn()
        bench.command(.startScanning(ScanSettings()))
        let expected = ["01 0B 20 07 01 60 00 60 00 00 00", "01 0C 20 02 01 00"]
        #expect(bench.commands.map { Hex.string($0, separator: " ") } == expected)
        #expect(bench.events == [.scanStarted(nil)])
    }

    @Test func `scans passively, without duplicates and with its random address where told so`() {
        var bench = HostBench.poweredOn { $0.address = DeviceAddress(0) }
        var settings = ScanSettings()
        settings.isActive = false
        settings.interval = 0x0200
        settings.window = 0x0100
        settings.filterDuplicates = true
        bench.command(.startScanning(settings))
        let expected = ["01 0B 20 07 00 00 02 00 01 01 00", "01 0C 20 02 01 01"]
        #expect(bench.commands.map { Hex.string($0, separator: " ") } == expected)
    }

    @Test func `hands on every report with what it says`() {
        var bench = HostBench.poweredOn()
        bench.command(.startScanning(ScanSettings()))
        bench.forget()
        let address = DeviceAddress(0xC001_0203_0405, .randomDevice)
        let reports: [LEAdvertisingReport.Report] = [
            .init(type: .connectableAndScannable, address: address, data: [2, 1, 6], rssi: -40),
            .init(type: .scanResponse, address: address, data: [], rssi: -41),
            .init(type: .nonConnectable, address: address, data: [1], rssi: 127),
            .init(type: .scannable, address: address, data: [], rssi: -42),
            .init(type: .directed, address: address, data: [], rssi: -43),
        ]
        bench.receive(LEAdvertisingReport(reports: reports).packet())
        func report(
            _ connectable: Bool, _ scannable: Bool, _ response: Bool, _ data: [UInt8], _ rssi: Int8
        ) -> HostEvent {
            .advertisingReport(
                AdvertisingReport(
                    address: address, isConnectable: connectable, isScannable: scannable, isScanResponse: response,
                    data: data, rssi: rssi))
        }
        #expect(
            bench.events == [
                report(true, true, false, [2, 1, 6], -40), report(false, false, true, [], -41),
                report(false, false, false, [1], 127), report(false, true, false, [], -42),
                report(true, false, false, [], -43),
            ])
    }

    @Test func `drops reports that come after the scan was stopped`() {
        var bench = HostBench.poweredOn()
        bench.command(.startScanning(ScanSettings()))
        bench.command(.stopScanning)
        #expect(!bench.controller.isScanning)
        bench.forget()
        let report = LEAdvertisingReport.Report(
            type: .connectableAndScannable, address: DeviceAddress(1), data: [], rssi: 0)
        bench.receive(LEAdvertisingReport(reports: [report]).packet())
        #expect(bench.events.isEmpty)
    }

    @Test func `stops and starts the controller's scan when the settings change`() {
        var bench = HostBench.poweredOn()
        bench.command(.startScanning(ScanSettings()))
        bench.forget()
        var settings = ScanSettings()
        settings.window = 0x0030
        bench.command(.startScanning(settings))
        #expect(bench.opcodes == [.leSetScanEnable, .leSetScanParameters, .leSetScanEnable])
        #expect(bench.events == [.scanStarted(nil)])
    }

    @Test func `doesn't trouble the controller with a scan that runs already`() {
        var bench = HostBench.poweredOn()
        bench.command(.startScanning(ScanSettings()))
        bench.forget()
        bench.command(.startScanning(ScanSettings()))
        #expect(bench.commands.isEmpty)
        #expect(bench.events == [.scanStarted(nil)])
    }

    @Test func `starts the filter for duplicates afresh with each scan`() {
        var bench = HostBench.poweredOn()
        var settings = ScanSettings()
        settings.filterDuplicates = true
        bench.command(.startScanning(settings))
        bench.forget()
        bench.command(.startScanning(settings))
        #expect(bench.opcodes == [.leSetScanEnable, .leSetScanParameters, .leSetScanEnable])
    }

    @Test func `says that a scan was called off before it began`() {
        var bench = HostBench.poweredOn()
        bench.controller.ignore(LESetScanParameters.self)
        bench.command(.startScanning(ScanSettings()))
        bench.command(.stopScanning)
        #expect(bench.events == [.scanStarted(.cancelled)])
        bench.controller.behave(LESetScanParameters.self)
        bench.receive(LESetScanParameters.completed(.init()))
        #expect(!bench.controller.isScanning)
    }

    static let invalid: [(UInt16, UInt16)] = [(3, 3), (0x4001, 0x4000), (0x10, 0x20), (0x10, 0)]

    @Test(arguments: invalid) func `refuses scan times out of their limits`(_ interval: UInt16, _ window: UInt16) {
        var bench = HostBench.poweredOn()
        var settings = ScanSettings()
        settings.interval = interval
        settings.window = window
        bench.command(.startScanning(settings))
        guard case .scanStarted(.invalidParameters)? = bench.events.first else {
            Issue.record("not refused: \(bench.events)")
            return
        }
        #expect(bench.commands.isEmpty)
    }

    @Test func `stops a scan that somebody left running, and starts its own`() {
        var bench = HostBench.poweredOn()
        bench.controller.refuse(LESetScanParameters.self, .commandDisallowed)
        bench.controller.ignore(LESetScanEnable.self)
        bench.command(.startScanning(ScanSettings()))
        #expect(bench.opcodes == [.leSetScanParameters, .leSetScanEnable])
        bench.controller.behave(LESetScanParameters.self)
        bench.controller.behave(LESetScanEnable.self)
        bench.receive(LESetScanEnable.completed(.init()))
        #expect(bench.events == [.scanStarted(nil)])
        #expect(bench.controller.isScanning)
    }

    @Test func `tells with what status the controller refuses to scan`() {
        var bench = HostBench.poweredOn()
        bench.controller.refuse(LESetScanParameters.self, .commandDisallowed)
        bench.command(.startScanning(ScanSettings()))
        #expect(bench.events == [.scanStarted(.hci(.commandDisallowed))])
        bench.forget()
        bench.controller.behave(LESetScanParameters.self)
        bench.controller.refuse(LESetScanEnable.self, .invalidParameters)
        bench.command(.startScanning(ScanSettings()))
        #expect(bench.events == [.scanStarted(.hci(.invalidParameters))])
    }
}
