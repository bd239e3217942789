import BLEHost
import BLEWire
import Testing

@Suite struct CommandFlowTests {
    @Test func `waits with a command while the controller gives no credit`() {
        var bench = HostBench()
        bench.controller.answer(HCIReset.self, [HCIReset.completed(.init(), allowedCommands: 0)])
        bench.command(.powerOn)
        #expect(bench.opcodes == [.reset])
        // The answer to no command brings credits. [Vol 4, Part E, 7.7.14]
        bench.receive(HCICommandComplete(allowedCommands: 1, opcode: .nop, returnParameters: []).packet())
        #expect(bench.opcodes.prefix(2) == [.reset, .readLocalVersionInformation])
        #expect(bench.host.state == .poweredOn)
    }

    @Test func `resets a controller that doesn't answer, names the command, and powers on again`() {
        var bench = HostBench.poweredOn()
        bench.controller.ignore(LESetScanParameters.self)
        bench.command(.startScanning(ScanSettings()))
        #expect(bench.host.nextDeadline == bench.now + .seconds(2))
        bench.advance(by: .milliseconds(1999))
        #expect(bench.events.isEmpty)
        bench.advance(by: .milliseconds(1))
        let error = HostError.commandTimeout(opcode: 0x200B)
        #expect(bench.events == [.stateChanged(.resetting(error)), .scanStarted(error), .stateChanged(.poweredOn)])
    }

    @Test func `has as much patience as it was told`() {
        var configuration = HostConfiguration.quiet
        configuration.controller.commandTimeout = .milliseconds(50)
        var bench = HostBench(configuration)
        bench.controller.ignore(HCIReset.self)
        bench.command(.powerOn)
        #expect(bench.host.nextDeadline == Instant.start + .milliseconds(50))
    }

    @Test func `takes an answer that comes late but in time`() {
        var bench = HostBench()
        bench.controller.ignore(HCIReset.self)
        bench.command(.powerOn)
        bench.advance(by: .milliseconds(1999))
        bench.receive(HCIReset.completed(.init()))
        #expect(bench.events == [.stateChanged(.poweredOn)])
    }

    @Test func `ignores an answer that comes after the controller was given a reset`() {
        var bench = HostBench()
        bench.controller.ignore(HCIReadBDAddr.self)
        bench.command(.powerOn)
        bench.controller.ignore(HCIReset.self)
        bench.advance(by: .seconds(2))
        #expect(bench.opcodes.last == .reset)
        bench.receive(HCIReadBDAddr.completed(.init(address: DeviceAddress(1))))
        #expect(bench.opcodes.last == .reset)
        bench.controller.behave(HCIReadBDAddr.self)
        bench.receive(HCIReset.completed(.init()))
        #expect(bench.host.state == .poweredOn)
        #expect(bench.host.ownAddress == DeviceAddress(0x0011_2233_4455))
    }

    @Test func `gives a dead controller up after its attempts and then rests`() {
        var configuration = HostConfiguration.quiet
        configuration.controller.resetAttempts = 3
        var bench = HostBench(configuration)
        bench.controller.ignore(HCIReset.self)
        bench.command(.powerOn)
        bench.advance(by: .seconds(60))
        let error = HostError.commandTimeout(opcode: 0x0C03)
        #expect(bench.events == [.stateChanged(.resetting(error)), .stateChanged(.unsupported(error))])
        #expect(bench.opcodes == [.reset, .reset, .reset, .reset])
        #expect(bench.host.nextDeadline == nil)
    }

    @Test func `tries a controller that was given up again when asked to`() {
        var configuration = HostConfiguration.quiet
        configuration.controller.resetAttempts = 0
        var bench = HostBench(configuration)
        bench.controller.ignore(HCIReset.self)
        bench.command(.powerOn)
        bench.advance(by: .seconds(2))
        bench.controller.behave(HCIReset.self)
        bench.forget()
        bench.command(.powerOn)
        #expect(bench.events == [.stateChanged(.poweredOn)])
    }

    @Test func `counts a controller that never gives credits as one that doesn't answer`() {
        var bench = HostBench()
        bench.controller.answer(HCIReset.self, [HCIReset.completed(.init(), allowedCommands: 0)])
        bench.command(.powerOn)
        bench.advance(by: .seconds(2))
        #expect(bench.events == [.stateChanged(.resetting(.commandTimeout(opcode: 0x1001)))])
    }

    static let unasked: [[UInt8]] = [
        HCIReadRSSI.completed(.init(handle: HostBench.handle, rssi: -1)),
        HCIReset.completed(.init()),
        LECreateConnection.accepted(),
        HCICommandStatus(status: .unknownCommand, opcode: HCIOpcode(rawValue: 0xFFFF)).packet(),
        HCICommandComplete(opcode: HCIOpcode(rawValue: 0xFFFF), returnParameters: []).packet(),
    ]

    @Test(arguments: unasked) func `H08 survives an answer that it hasn't asked for`(_ packet: [UInt8]) {
        var bench = HostBench.poweredOn()
        bench.receive(packet)
        #expect(bench.events.isEmpty)
        #expect(bench.traces.map(\.layer) == ["hci"])
        bench.command(.startScanning(ScanSettings()))
        #expect(bench.events == [.scanStarted(nil)])
    }
}
