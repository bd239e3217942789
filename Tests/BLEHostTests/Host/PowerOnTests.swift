import BLEHost
import BLEWire
import Testing

@Suite struct PowerOnTests {
    @Test func `asks the controller what it can do, octet by octet`() {
        var bench = HostBench()
        bench.command(.powerOn)
        let expected = [
            "01 03 0C 00",  // Reset
            "01 01 10 00",  // Read Local Version Information
            "01 02 10 00",  // Read Local Supported Commands
            "01 03 10 00",  // Read Local Supported Features
            "01 09 10 00",  // Read BD_ADDR
            "01 01 0C 08 90 80 00 02 00 80 00 20",  // Set Event Mask
            "01 01 20 08 7F 0A 00 00 00 00 00 00",  // LE Set Event Mask
            "01 03 20 00",  // LE Read Local Supported Features
            "01 60 20 00",  // LE Read Buffer Size [v2]
            "01 1C 20 00",  // LE Read Supported States
            "01 0F 20 00",  // LE Read Filter Accept List Size
            "01 10 20 00",  // LE Clear Filter Accept List
            "01 2F 20 00",  // LE Read Maximum Data Length
        ]
        #expect(bench.commands.map { Hex.string($0, separator: " ") } == expected)
        #expect(bench.events == [.stateChanged(.poweredOn)])
        #expect(bench.host.ownAddress == DeviceAddress(0x0011_2233_4455))
        #expect(bench.host.nextDeadline == nil)
    }

    @Test func `lets the controller offer long packets where it is to ask for them`() {
        var bench = HostBench(HostConfiguration())
        bench.command(.powerOn)
        #expect(bench.commands.last.map { Hex.string($0, separator: " ") } == "01 24 20 04 FB 00 48 08")
    }

    @Test func `sends one command at a time`() {
        var bench = HostBench()
        bench.controller.ignore(HCIReset.self)
        bench.command(.powerOn)
        #expect(bench.opcodes == [.reset])
    }

    @Test func `enables LE on a dual-mode controller`() {
        var bench = HostBench()
        bench.controller.lmpFeatures = 1 << 38
        bench.command(.powerOn)
        #expect(bench.opcodes.contains(.writeLEHostSupport))
        #expect(bench.host.state == .poweredOn)
    }

    @Test func `reads the first version of the LE buffer size where there is no second`() {
        var bench = HostBench()
        bench.controller.supported.remove(LEReadBufferSizeV2.self)
        bench.command(.powerOn)
        #expect(bench.opcodes.contains(.leReadBufferSize))
        #expect(!bench.opcodes.contains(.leReadBufferSizeV2))
        #expect(bench.host.state == .poweredOn)
    }

    @Test func `H07 shares the buffers of BR/EDR where LE has none of its own`() {
        var bench = HostBench()
        bench.controller.bufferLength = 0
        bench.controller.bufferCount = 0
        bench.command(.powerOn)
        let asked = bench.opcodes.filter { [.leReadBufferSizeV2, .leReadBufferSize, .readBufferSize].contains($0) }
        #expect(asked == [.leReadBufferSizeV2, .leReadBufferSize, .readBufferSize])
        #expect(bench.host.state == .poweredOn)
    }

    @Test func `uses a random static address where there is no public one`() {
        var bench = HostBench()
        bench.controller.address = DeviceAddress(0)
        bench.command(.powerOn)
        #expect(bench.host.ownAddress.isRandomStatic)
        #expect(bench.opcodes.last == .leSetRandomAddress)
        #expect(bench.host.state == .poweredOn)
    }

    @Test func `keeps its random static address over a reset`() {
        var bench = HostBench()
        bench.controller.address = DeviceAddress(0)
        bench.command(.powerOn)
        let address = bench.host.ownAddress
        bench.receive(HCIHardwareError(code: 1).packet())
        #expect(bench.host.state == .poweredOn)
        #expect(bench.host.ownAddress == address)
    }

    @Test func `uses the random static address it was given`() {
        var configuration = HostConfiguration.quiet
        configuration.ownAddress = .staticRandom(0x0000_0000_0102)
        let bench = HostBench.poweredOn(configuration)
        #expect(bench.host.ownAddress == DeviceAddress(0xC000_0000_0102, .randomDevice))
    }

    @Test func `is unsupported on a controller without LE`() {
        var bench = HostBench()
        bench.controller.lmpFeatures = 0
        bench.command(.powerOn)
        #expect(bench.events == [.stateChanged(.unsupported(.hci(.unsupportedFeature)))])
        #expect(
            bench.traces.filter { $0.level >= .error }.map(\.message)
                == ["the controller can't be used: it has no Bluetooth LE; name another adapter"])
    }

    @Test func `H07 is unsupported on a controller without any buffers`() {
        var bench = HostBench()
        bench.controller.bufferLength = 0
        bench.controller.refuse(HCIReadBufferSize.self, .unknownCommand)
        bench.command(.powerOn)
        #expect(bench.events == [.stateChanged(.unsupported(.hci(.unknownCommand)))])
    }

    /// Commands of the sequence that the host can do without.
    static let dispensable: [any HCICommandPDU.Type] = [
        HCIReadLocalVersionInformation.self, HCIReadLocalSupportedCommands.self, HCIReadLocalSupportedFeatures.self,
        HCIReadBDAddr.self, HCISetEventMask.self, LESetEventMask.self, LEReadLocalSupportedFeatures.self,
        LEReadBufferSizeV2.self, LEReadSupportedStates.self, LEReadFilterAcceptListSize.self,
        LEClearFilterAcceptList.self, LEReadMaximumDataLength.self,
    ]

    @Test(arguments: dispensable.indices)
    func `powers on where the controller refuses what can be done without, and says so`(_ index: Int) {
        func refused<Command: HCICommandPDU>(_ command: Command.Type) -> HostBench {
            var bench = HostBench()
            bench.controller.refuse(command, .unknownCommand)
            bench.command(.powerOn)
            return bench
        }
        let bench = refused(Self.dispensable[index])
        #expect(bench.events == [.stateChanged(.poweredOn)])
        #expect(bench.traces.contains { $0.layer == "hci" && $0.message.contains("0x01") })
    }

    @Test(arguments: dispensable.indices)
    func `H08 powers on where the controller returns fewer octets than it should`(_ index: Int) {
        func cut<Command: HCICommandPDU>(_ command: Command.Type) -> HostBench {
            var bench = HostBench()
            bench.controller.answer(
                command, [HCICommandComplete(opcode: Command.opcode, returnParameters: [0]).packet()])
            bench.command(.powerOn)
            return bench
        }
        let bench = cut(Self.dispensable[index])
        #expect(bench.events == [.stateChanged(.poweredOn)])
    }

    @Test func `is unsupported where the reset is refused`() {
        var bench = HostBench()
        bench.controller.refuse(HCIReset.self, .hardwareFailure)
        bench.command(.powerOn)
        #expect(bench.events == [.stateChanged(.unsupported(.hci(.hardwareFailure)))])
        #expect(bench.host.nextDeadline == nil)
    }

    @Test func `tells its state again when it is asked to power on while on`() {
        var bench = HostBench.poweredOn()
        bench.command(.powerOn)
        #expect(bench.events == [.stateChanged(.poweredOn)])
        #expect(bench.commands.isEmpty)
    }

    @Test func `refuses what needs power while off`() {
        var bench = HostBench()
        bench.command(.startScanning(ScanSettings()))
        bench.command(.startAdvertising(AdvertisingSettings()))
        bench.command(.connect(HostBench.peer, ConnectionSettings()))
        #expect(
            bench.events == [
                .scanStarted(.notPoweredOn), .advertisingStarted(.notPoweredOn),
                .connectFailed(HostBench.peer, .notPoweredOn),
            ])
        #expect(bench.commands.isEmpty)
    }
}
