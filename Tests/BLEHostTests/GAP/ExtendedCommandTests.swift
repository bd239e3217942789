import BLEHost
import BLEWire
import Testing

/// A host on a controller with extended advertising: other commands, the same behaviour. [Vol 4, Part E, 3.1.1]
@Suite struct ExtendedCommandTests {
    private func bench(
        _ configuration: HostConfiguration = .quiet, _ change: (inout ScriptedController) -> Void = { _ in }
    ) -> HostBench {
        HostBench.poweredOn(configuration) {
            $0.features.insert([.extendedAdvertising, .leCoded])
            change(&$0)
        }
    }

    private func text(_ bench: HostBench) -> [String] { bench.commands.map { Hex.string($0, separator: " ") } }

    @Test func `the extended events are wanted as well, and the length of data is read`() {
        var bench = HostBench()
        bench.controller.features.insert(.extendedAdvertising)
        bench.command(.powerOn)
        let masks = bench.commands.filter { ScriptedController.opcode($0) == .leSetEventMask }
        #expect(masks.map { Hex.string($0, separator: " ") }.last == "01 01 20 08 7F 1A 02 00 00 00 00 00")
        #expect(bench.opcodes.contains(.leReadMaximumAdvertisingDataLength))
        #expect(bench.host.state == .poweredOn)
    }

    @Test(arguments: [false, true])
    func `a scan is set up and begun, octet by octet`(_ listensOnCoded: Bool) {
        var configuration = HostConfiguration.quiet
        configuration.scanning.listensOnCoded = listensOnCoded
        var bench = bench(configuration)
        bench.command(.startScanning(ScanSettings()))
        let parameters =
            listensOnCoded
            ? "01 41 20 0D 00 00 05 01 60 00 48 00 01 60 00 18 00" : "01 41 20 08 00 00 01 01 60 00 60 00"
        #expect(text(bench) == [parameters, "01 42 20 06 01 00 00 00 00 00"])
        #expect(bench.events == [.scanStarted(nil)])
        bench.forget()
        bench.command(.stopScanning)
        #expect(text(bench) == ["01 42 20 06 00 00 00 00 00 00"])
        #expect(!bench.controller.isScanning)
    }

    @Test func `an advertisement has legacy PDUs in a set of its own, octet by octet`() {
        var bench = bench()
        bench.command(.startAdvertising(AdvertisingTests.settings()))
        #expect(
            text(bench) == [
                "01 36 20 19 00 13 00 A0 00 00 A0 00 00 07 00 00 00 00 00 00 00 00 00 7F 01 00 01 00 00",
                "01 37 20 07 00 03 01 03 02 01 06",
                "01 38 20 08 00 03 01 04 03 09 48 69",
                "01 39 20 06 01 01 00 00 00 00",
            ])
        #expect(bench.events == [.advertisingStarted(nil)])
        bench.forget()
        bench.command(.stopAdvertising)
        #expect(text(bench) == ["01 39 20 06 00 01 00 00 00 00"])
    }

    @Test func `a set gets the host's random address`() {
        var bench = bench { $0.address = DeviceAddress(0) }
        bench.command(.startAdvertising(AdvertisingTests.settings()))
        let expected: [HCIOpcode] = [
            .leSetExtendedAdvertisingParameters, .leSetAdvertisingSetRandomAddress, .leSetExtendedAdvertisingData,
            .leSetExtendedScanResponseData, .leSetExtendedAdvertisingEnable,
        ]
        #expect(bench.opcodes == expected)
        let command = LESetAdvertisingSetRandomAddress(handle: 0, address: bench.host.ownAddress)
        #expect(bench.commands[1] == command.packet())
    }

    @Test func `a new private address is one for the set too`() {
        var configuration = HostConfiguration.quiet
        configuration.identityResolvingKey = 0x0123_4567_89AB_CDEF
        configuration.privacy.isEnabled = true
        var bench = bench(configuration)
        bench.command(.startAdvertising(AdvertisingTests.settings()))
        func addresses() -> [[UInt8]] {
            bench.commands.filter { ScriptedController.opcode($0) == .leSetAdvertisingSetRandomAddress }
        }
        #expect(addresses().count == 1)
        bench.advance(by: .seconds(1000))
        #expect(Set(addresses()).count == 2)
        #expect(bench.controller.isAdvertising)
    }

    @Test func `advertising goes on after a central has connected, with one command`() {
        var bench = bench()
        bench.command(.startAdvertising(AdvertisingTests.settings()))
        bench.forget()
        bench.linkMade(as: .peripheral)
        bench.receive(LEAdvertisingSetTerminated(handle: HostBench.handle).packet())
        #expect(bench.opcodes == [.leSetExtendedAdvertisingEnable])
        #expect(bench.events.count == 1)
    }

    static let steps: [any HCICommandPDU.Type] = [
        LESetExtendedAdvertisingParameters.self, LESetAdvertisingSetRandomAddress.self,
        LESetExtendedAdvertisingData.self, LESetExtendedScanResponseData.self, LESetExtendedAdvertisingEnable.self,
    ]

    @Test(arguments: steps.indices) func `the status of a controller that refuses is told`(_ index: Int) {
        func refused<Command: HCICommandPDU>(_ command: Command.Type) -> [HostEvent] {
            var bench = bench { $0.address = DeviceAddress(0) }
            bench.controller.refuse(command, .invalidParameters)
            bench.command(.startAdvertising(AdvertisingTests.settings()))
            return bench.events
        }
        #expect(refused(Self.steps[index]) == [.advertisingStarted(.hci(.invalidParameters))])
    }

    @Test func `a connection is begun on the PHYs that the controller has, octet by octet`() {
        var bench = bench()
        bench.command(.connect(HostBench.peer, ConnectionSettings()))
        let settings = " 60 00 60 00 18 00 18 00 00 00 48 00 00 00 00 00"
        #expect(text(bench) == ["01 43 20 2A 00 00 01 01 00 00 EE FF C0 03" + settings + settings])
        bench.linkMade(as: .central)
        #expect(bench.events.contains { if case .connected = $0 { true } else { false } })
    }

    @Test func `who was heard on the Coded PHY is looked for there`() {
        var bench = bench()
        bench.command(.startScanning(ScanSettings()))
        var report = LEExtendedAdvertisingReport.Report()
        report.type = .connectable
        report.address = HostBench.peer
        report.primaryPHY = .leCoded
        bench.receive(LEExtendedAdvertisingReport(reports: [report]).packet())
        bench.forget()
        bench.command(.connect(HostBench.peer, ConnectionSettings()))
        #expect(bench.commands.first?[13] == 7)
    }

    // MARK: Reports

    private func heard(_ reports: [LEExtendedAdvertisingReport.Report]) -> [AdvertisingReport] {
        var bench = bench()
        bench.command(.startScanning(ScanSettings()))
        for report in reports { bench.receive(LEExtendedAdvertisingReport(reports: [report]).packet()) }
        return bench.events.compactMap { if case .advertisingReport(let report) = $0 { report } else { nil } }
    }

    private func report(
        _ type: LEExtendedReportType, _ data: [UInt8], address: DeviceAddress = HostBench.peer, set: UInt8 = 1
    ) -> LEExtendedAdvertisingReport.Report {
        var report = LEExtendedAdvertisingReport.Report()
        report.type = type
        report.address = address
        report.setIdentifier = set
        report.rssi = -50
        report.data = data
        return report
    }

    @Test func `parts are one report once the last has come, also where two advertisers come between each other`() {
        let other = DeviceAddress(0x0011_2233_4455)
        let told = heard([
            report(.incomplete, [1, 2]), report(.incomplete, [10], address: other), report(.incomplete, [3]),
            report(.incomplete, [20], set: 2), report([], [4]), report([], [11], address: other),
            report(.truncated, [], set: 2),
        ])
        #expect(told.map(\.data) == [[1, 2, 3, 4], [10, 11], [20]])
        #expect(told.map(\.address) == [HostBench.peer, other, HostBench.peer])
    }

    @Test func `a report says which set it is of, and how often its train comes, also where only its first part does`()
    {
        var first = report(.incomplete, [1])
        first.periodicInterval = 80
        let told = heard([first, report([], [2]), report([], [3], set: 2), report(.legacy, [4], set: 0xFF)])
        #expect(told.map(\.setIdentifier) == [1, 2, nil])
        #expect(told.map(\.periodicInterval) == [80, nil, nil])
        #expect(told.map(\.data) == [[1, 2], [3], [4]])
    }

    @Test func `parts without an end don't grow without end`() {
        let parts = (0..<200).map { _ in report(.incomplete, [UInt8](repeating: 7, count: 229)) }
        let told = heard(parts + [report([], [1])])
        #expect(told.count == 1)
        #expect((told.first?.data.count ?? .max) <= 1650 + 1)
        let many = (0..<100).map { report(.incomplete, [1], address: DeviceAddress(UInt64($0))) }
        #expect(heard(many + [report([], [2], address: DeviceAddress(0))]).map(\.data) == [[2]])
    }

    @Test(
        arguments: [
            ([.legacy, .connectable, .scannable], true, true, false), ([.legacy, .scannable], false, true, false),
            (.legacy, false, false, false), ([.legacy, .connectable, .directed], true, false, false),
            ([.legacy, .connectable, .scannable, .scanResponse], false, false, true),
            (.connectable, true, false, false),
            (.scannable, false, true, false), ([.scannable, .scanResponse], false, false, true),
        ] as [(LEExtendedReportType, Bool, Bool, Bool)])
    func `a report says what can be done`(
        _ type: LEExtendedReportType, _ connectable: Bool, _ scannable: Bool, _ response: Bool
    ) {
        var expected = AdvertisingReport(
            address: HostBench.peer, isConnectable: connectable, isScannable: scannable, isScanResponse: response,
            data: [2, 1, 6], rssi: -50)
        expected.setIdentifier = 1
        #expect(heard([report(type, [2, 1, 6])]) == [expected])
    }

    @Test func `an advertiser without an address is nobody`() {
        let anonymous = DeviceAddress(0, DeviceAddress.Kind(rawValue: 0xFF))
        #expect(heard([report([], [1], address: anonymous)]).isEmpty)
    }

    @Test(arguments: [31, 32, 229]) func `H03 a legacy advertisement has 31 octets at most`(_ count: Int) {
        let told = heard([report([.legacy, .connectable, .scannable], [UInt8](repeating: 0, count: count))])
        #expect(told.count == (count <= 31 ? 1 : 0))
    }

    // MARK: Fallback

    @Test(arguments: [LESetExtendedScanEnable.self, LEExtendedCreateConnection.self] as [any HCICommandPDU.Type])
    func `a controller that lacks one of the commands is used by the old ones`(_ missing: any HCICommandPDU.Type) {
        var bench = bench { $0.supported.remove(missing) }
        bench.command(.startScanning(ScanSettings()))
        bench.command(.startAdvertising(AdvertisingTests.settings()))
        bench.command(.connect(HostBench.peer, ConnectionSettings()))
        #expect(bench.opcodes.contains(.leSetScanEnable))
        #expect(bench.opcodes.contains(.leSetAdvertisingEnable))
        #expect(bench.opcodes.contains(.leCreateConnection))
        #expect(bench.opcodes.allSatisfy { !(0x2035...0x2043).contains($0.rawValue) })
    }

    @Test func `the old commands are used where the configuration says so`() {
        var configuration = HostConfiguration.quiet
        configuration.controller.usesExtendedCommands = false
        var bench = bench(configuration)
        bench.command(.startScanning(ScanSettings()))
        #expect(bench.opcodes == [.leSetScanParameters, .leSetScanEnable])
    }

    // MARK: Long advertisements

    private func long(_ count: Int, isConnectable: Bool) -> AdvertisingSettings {
        var settings = AdvertisingSettings()
        settings.isConnectable = isConnectable
        settings.isScannable = isConnectable
        settings.data = [UInt8](repeating: 1, count: count)
        return settings
    }

    @Test func `data beyond 31 octets is advertised with extended PDUs where that is wanted, else refused`() {
        var configuration = HostConfiguration.quiet
        for (allowed, count, connectable, isFine) in [
            (false, 32, true, false), (true, 31, true, true), (true, 245, true, true), (true, 246, true, false),
            (true, 1650, false, true), (true, 1651, false, false),
        ] {
            configuration.advertising.usesExtendedPDUs = allowed
            var bench = bench(configuration)
            bench.command(.startAdvertising(long(count, isConnectable: connectable)))
            #expect((bench.events == [.advertisingStarted(nil)]) == isFine, "\(count)")
            guard isFine, count > 31 else { continue }
            #expect(bench.commands.first?[5] == (connectable ? 1 : 0))
            let parts = bench.commands.filter { ScriptedController.opcode($0) == .leSetExtendedAdvertisingData }
            #expect(parts.reduce(0) { $0 + Int($1[7]) } == count)
            #expect(parts.map { $0[5] } == (count <= 251 ? [3] : [1, 0, 0, 0, 0, 0, 2]))
        }
    }
}
