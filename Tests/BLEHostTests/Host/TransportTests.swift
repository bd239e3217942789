import BLEHost
import BLEWire
import Testing

@Suite struct TransportTests {
    static let gone = HostError.transport("the other side closed")

    @Test func `H21 loses its links with the transport, and is on again when there is one`() {
        var bench = HostBench.linked(as: .central)
        let token = OperationToken(rawValue: 1)
        bench.command(.gatt(HostBench.handle, token, .discoverServices(nil)))
        bench.command(.connect(DeviceAddress(7), ConnectionSettings()))
        bench.forget()
        bench.feed(.transportClosed(reason: "the other side closed"))
        #expect(
            bench.events == [
                .stateChanged(.resetting(Self.gone)), .connectFailed(DeviceAddress(7), Self.gone),
                .gattCompleted(HostBench.handle, token, .failure(.disconnected(.hardwareFailure))),
                .disconnected(HostBench.handle, HostBench.peer, reason: .hardwareFailure),
            ])
        #expect(bench.commands.isEmpty)
        #expect(bench.host.nextDeadline == nil)
        bench.forget()
        bench.feed(.transportOpened)
        #expect(bench.opcodes.first == .reset)
        #expect(bench.events == [.stateChanged(.poweredOn)])
    }

    @Test func `sends nothing while there is no transport`() {
        var bench = HostBench.poweredOn()
        bench.feed(.transportClosed(reason: "gone"))
        bench.forget()
        bench.command(.powerOn)
        bench.command(.startScanning(ScanSettings()))
        bench.advance(by: .seconds(60))
        #expect(bench.commands.isEmpty)
        #expect(bench.events == [.scanStarted(.notPoweredOn)])
    }

    @Test func `stays off when there is a transport again and nobody wants power`() {
        var bench = HostBench.poweredOn()
        bench.feed(.transportClosed(reason: "gone"))
        bench.command(.powerOff)
        bench.forget()
        bench.feed(.transportOpened)
        #expect(bench.commands.isEmpty)
        #expect(bench.host.state == .poweredOff)
    }

    @Test func `loses its transport in the middle of powering on and recovers`() {
        var bench = HostBench()
        bench.controller.ignore(HCIReadBDAddr.self)
        bench.command(.powerOn)
        bench.feed(.transportClosed(reason: "the other side closed"))
        #expect(bench.events == [.stateChanged(.resetting(Self.gone))])
        #expect(bench.host.nextDeadline == nil)
        bench.controller.behave(HCIReadBDAddr.self)
        bench.feed(.transportOpened)
        #expect(bench.host.state == .poweredOn)
    }

    @Test func `tries a controller that was given up again on a new transport`() {
        var configuration = HostConfiguration.quiet
        configuration.controller.resetAttempts = 0
        var bench = HostBench(configuration)
        bench.controller.ignore(HCIReset.self)
        bench.command(.powerOn)
        bench.advance(by: .seconds(2))
        #expect(bench.host.state == .unsupported(.commandTimeout(opcode: 0x0C03)))
        bench.controller.behave(HCIReset.self)
        bench.feed(.transportOpened)
        #expect(bench.host.state == .poweredOn)
    }

    @Test func `ignores packets of a transport that was closed`() {
        var bench = HostBench.linked(as: .peripheral)
        bench.feed(.transportClosed(reason: "gone"))
        bench.forget()
        bench.linkMade(as: .peripheral)
        bench.receive([0x02, 0x17, 0x00], on: .att)
        #expect(bench.events.isEmpty)
        #expect(bench.data.isEmpty)
    }

    @Test func `isn't troubled by a transport that closes twice or opens twice`() {
        var bench = HostBench.poweredOn()
        bench.feed(.transportOpened)
        #expect(bench.commands.isEmpty)
        bench.feed(.transportClosed(reason: "gone"))
        bench.forget()
        bench.feed(.transportClosed(reason: "gone again"))
        #expect(bench.events.isEmpty)
    }
}
