import BLEHost
import BLEWire
import Testing

@Suite struct AdvertisingTests {
    static func settings() -> AdvertisingSettings {
        var settings = AdvertisingSettings()
        settings.data = [2, 1, 6]
        settings.scanResponse = [3, 9, 0x48, 0x69]
        return settings
    }

    @Test func `advertises, octet by octet`() {
        var bench = HostBench.poweredOn()
        bench.command(.startAdvertising(Self.settings()))
        let padding = " " + Array(repeating: "00", count: 28).joined(separator: " ")
        let expected = [
            "01 06 20 0F A0 00 A0 00 00 00 00 00 00 00 00 00 00 07 00",
            "01 08 20 20 03 02 01 06" + padding,
            "01 09 20 20 04 03 09 48 69" + padding.dropLast(3),
            "01 0A 20 01 01",
        ]
        #expect(bench.commands.map { Hex.string($0, separator: " ") } == expected)
        #expect(bench.events == [.advertisingStarted(nil)])
    }

    static let kinds: [(Bool, Bool, UInt8)] = [(true, true, 0), (false, true, 2), (false, false, 3)]

    @Test(arguments: kinds) func `advertises as what it should be`(
        _ connectable: Bool, _ scannable: Bool, _ type: UInt8
    ) {
        var bench = HostBench.poweredOn()
        var settings = Self.settings()
        settings.isConnectable = connectable
        settings.isScannable = scannable
        bench.command(.startAdvertising(settings))
        #expect(bench.commands.first?[8] == type)
    }

    @Test func `stops when told`() {
        var bench = HostBench.poweredOn()
        bench.command(.startAdvertising(Self.settings()))
        bench.forget()
        bench.command(.stopAdvertising)
        #expect(bench.commands.map { Hex.string($0, separator: " ") } == ["01 0A 20 01 00"])
        #expect(bench.events.isEmpty)
    }

    @Test func `goes on after a central has connected, with one command`() {
        var bench = HostBench.poweredOn()
        bench.command(.startAdvertising(Self.settings()))
        bench.forget()
        bench.linkMade(as: .peripheral)
        #expect(bench.opcodes == [.leSetAdvertisingEnable])
        #expect(bench.events.count == 1)
    }

    @Test func `ends with a connection where it should`() {
        var configuration = HostConfiguration.quiet
        configuration.advertising.continuesAfterConnection = false
        var bench = HostBench.poweredOn(configuration)
        bench.command(.startAdvertising(Self.settings()))
        bench.forget()
        bench.linkMade(as: .peripheral)
        #expect(bench.commands.isEmpty)
        #expect(bench.events.last == .advertisingEnded)
    }

    @Test func `goes on only when the link has ended where the controller can't before`() {
        var bench = HostBench.poweredOn { $0.states = ~(1 << 38) }
        bench.command(.startAdvertising(Self.settings()))
        bench.forget()
        bench.linkMade(as: .peripheral)
        #expect(bench.commands.isEmpty)
        bench.receive(HCIDisconnectionComplete(handle: HostBench.handle).packet())
        #expect(bench.opcodes == [.leSetAdvertisingEnable])
        #expect(!bench.events.contains(.advertisingEnded))
    }

    @Test(arguments: [HCIStatus.commandDisallowed, .connectionLimitExceeded, .rejectedLimitedResources])
    func `goes on when the link has ended where the controller refuses before`(_ status: HCIStatus) {
        var bench = HostBench.poweredOn()
        bench.command(.startAdvertising(Self.settings()))
        bench.controller.refuse(LESetAdvertisingEnable.self, status)
        bench.linkMade(as: .peripheral)
        bench.controller.behave(LESetAdvertisingEnable.self)
        bench.forget()
        bench.receive(HCIDisconnectionComplete(handle: HostBench.handle).packet())
        #expect(bench.opcodes == [.leSetAdvertisingEnable])
        #expect(bench.controller.isAdvertising)
    }

    @Test func `changes its data while it runs`() {
        var bench = HostBench.poweredOn()
        bench.command(.startAdvertising(Self.settings()))
        bench.forget()
        var other = Self.settings()
        other.data = [2, 1, 4]
        bench.command(.startAdvertising(other))
        #expect(bench.opcodes.first == .leSetAdvertisingEnable)
        #expect(bench.opcodes.last == .leSetAdvertisingEnable)
        #expect(bench.controller.isAdvertising)
        #expect(bench.events == [.advertisingStarted(nil)])
    }

    static let steps: [any HCICommandPDU.Type] = [
        LESetAdvertisingParameters.self, LESetAdvertisingData.self, LESetScanResponseData.self,
        LESetAdvertisingEnable.self,
    ]

    @Test(arguments: steps.indices) func `tells with what status the controller refuses to advertise`(_ index: Int) {
        func refused<Command: HCICommandPDU>(_ command: Command.Type) -> [HostEvent] {
            var bench = HostBench.poweredOn()
            bench.controller.refuse(command, .invalidParameters)
            bench.command(.startAdvertising(Self.settings()))
            return bench.events
        }
        #expect(refused(Self.steps[index]) == [.advertisingStarted(.hci(.invalidParameters))])
    }

    @Test func `refuses what can't be advertised`() {
        var long = Self.settings()
        long.data = [UInt8](repeating: 0, count: 32)
        var response = Self.settings()
        response.scanResponse = [UInt8](repeating: 0, count: 32)
        var fast = Self.settings()
        fast.intervalMinimum = 0x1F
        var reversed = Self.settings()
        reversed.intervalMinimum = 0xB0
        for settings in [long, response, fast, reversed] {
            var bench = HostBench.poweredOn()
            bench.command(.startAdvertising(settings))
            guard case .advertisingStarted(.invalidParameters)? = bench.events.first else {
                Issue.record("not refused: \(settings)")
                continue
            }
            #expect(bench.commands.isEmpty)
        }
    }

    @Test func `tells that advertising has run out of time`() {
        var bench = HostBench.poweredOn()
        bench.command(.startAdvertising(Self.settings()))
        bench.forget()
        bench.receive(LEConnectionComplete(status: .advertisingTimeout, role: .peripheral).packet())
        #expect(bench.events == [.advertisingEnded])
    }
}
