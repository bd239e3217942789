import BLEHost
import BLEWire
import Testing

@Suite struct PowerOffTests {
    @Test func `ends its links with the reason, resets the controller, and is off`() {
        var bench = HostBench.linked(as: .central)
        bench.command(.powerOff)
        #expect(
            bench.commands.map { Hex.string($0, separator: " ") } == ["01 06 04 03 40 00 15", "01 03 0C 00"])
        #expect(
            bench.events == [
                .disconnected(HostBench.handle, HostBench.peer, reason: .localHostTerminated),
                .stateChanged(.poweredOff),
            ])
        #expect(bench.host.nextDeadline == nil)
    }

    @Test func `doesn't wait for ever for a link to end`() {
        var bench = HostBench.linked(as: .central)
        bench.controller.answer(HCIDisconnect.self, [HCIDisconnect.accepted()])
        bench.command(.powerOff)
        bench.advance(by: .milliseconds(1999))
        #expect(bench.events.isEmpty)
        bench.advance(by: .milliseconds(1))
        #expect(
            bench.events == [
                .disconnected(HostBench.handle, HostBench.peer, reason: .remotePowerOff), .stateChanged(.poweredOff),
            ])
    }

    @Test func `is off even where the controller has died`() {
        var bench = HostBench.poweredOn()
        bench.controller.ignore(HCIReset.self)
        bench.command(.powerOff)
        bench.advance(by: .seconds(2))
        #expect(bench.events == [.stateChanged(.poweredOff)])
        #expect(bench.host.nextDeadline == nil)
    }

    @Test func `ends what was asked for and isn't there yet`() {
        var bench = HostBench.poweredOn()
        bench.command(.connect(HostBench.peer, ConnectionSettings()))
        bench.command(.powerOff)
        #expect(bench.events == [.connectFailed(HostBench.peer, .notPoweredOn), .stateChanged(.poweredOff)])
    }

    @Test func `powers on again when asked to while it is still powering off`() {
        var bench = HostBench.poweredOn()
        bench.controller.ignore(HCIReset.self)
        bench.command(.powerOff)
        bench.command(.powerOn)
        bench.controller.behave(HCIReset.self)
        bench.receive(HCIReset.completed(.init()))
        #expect(bench.events == [.stateChanged(.poweredOff), .stateChanged(.poweredOn)])
    }

    @Test func `powers off in the middle of powering on`() {
        var bench = HostBench()
        bench.controller.ignore(HCIReadBDAddr.self)
        bench.command(.powerOn)
        bench.command(.powerOff)
        #expect(bench.events == [.stateChanged(.poweredOff)])
        #expect(bench.host.nextDeadline == nil)
    }

    @Test func `is off at once when it never was on`() {
        var bench = HostBench()
        bench.command(.powerOff)
        #expect(bench.events == [.stateChanged(.poweredOff)])
        #expect(bench.commands.isEmpty)
    }
}
