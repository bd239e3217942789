import BLEHost
import BLEWire
import Testing

/// Scanning and initiating on one controller.
@Suite struct SharedRadioTests {
    static let peer = DeviceAddress(0xC000_0000_0001, .randomDevice)

    static func scanning(_ change: (inout ScriptedController) -> Void = { _ in }) -> HostBench {
        var bench = HostBench.poweredOn(.quiet, change)
        bench.command(.startScanning(ScanSettings()))
        bench.forget()
        return bench
    }

    @Test func `scans on while it initiates where the controller can`() {
        var bench = Self.scanning()
        bench.command(.connect(Self.peer, ConnectionSettings()))
        #expect(bench.opcodes == [.leCreateConnection])
        #expect(bench.controller.isScanning)
    }

    @Test func `pauses the scan while it initiates where the controller can't do both`() {
        var bench = Self.scanning { $0.states = ~(1 << 23) }
        bench.command(.connect(Self.peer, ConnectionSettings()))
        #expect(bench.opcodes == [.leSetScanEnable, .leCreateConnection])
        #expect(!bench.controller.isScanning)
        bench.forget()
        bench.linkMade(to: Self.peer, as: .central)
        #expect(bench.controller.isScanning)
        #expect(!bench.events.contains(.scanStarted(nil)))
    }

    @Test func `lets scan and initiating take turns while the peer doesn't come`() {
        var bench = Self.scanning { $0.states = ~(1 << 23) }
        bench.command(.connect(Self.peer, ConnectionSettings()))
        bench.advance(by: .seconds(2))
        #expect(bench.controller.isScanning)
        #expect(bench.opcodes.last == .leSetScanEnable)
        bench.advance(by: .seconds(2))
        #expect(!bench.controller.isScanning)
        #expect(bench.opcodes.last == .leCreateConnection)
    }

    @Test func `needs no turns when the scan is stopped`() {
        var bench = Self.scanning { $0.states = ~(1 << 23) }
        bench.command(.connect(Self.peer, ConnectionSettings()))
        bench.advance(by: .seconds(3))
        bench.command(.stopScanning)
        #expect(bench.opcodes.last == .leCreateConnection)
        #expect(bench.host.nextDeadline == nil)
    }

    @Test func `learns that the controller can't do both when it refuses to initiate`() {
        var bench = Self.scanning()
        bench.controller.refuse(LECreateConnection.self, .commandDisallowed)
        bench.controller.ignore(LESetScanEnable.self)
        bench.command(.connect(Self.peer, ConnectionSettings()))
        #expect(bench.opcodes == [.leCreateConnection, .leSetScanEnable])
        bench.controller.behave(LECreateConnection.self)
        bench.controller.behave(LESetScanEnable.self)
        bench.receive(LESetScanEnable.completed(.init()))
        #expect(bench.opcodes.last == .leCreateConnection)
        bench.linkMade(to: Self.peer, as: .central)
        #expect(bench.controller.isScanning)
    }

    @Test func `learns that the controller can't do both when it refuses to scan`() {
        var bench = HostBench.poweredOn()
        bench.command(.connect(Self.peer, ConnectionSettings()))
        bench.controller.refuse(LESetScanParameters.self, .commandDisallowed)
        bench.command(.startScanning(ScanSettings()))
        #expect(bench.events.isEmpty)
        bench.controller.behave(LESetScanParameters.self)
        bench.advance(by: .seconds(2))
        #expect(bench.events == [.scanStarted(nil)])
        #expect(bench.controller.isScanning)
    }

    @Test func `lets initiating end its turn before a scan that can't be done beside it`() {
        var bench = HostBench.poweredOn { $0.states = ~(1 << 23) }
        bench.command(.connect(Self.peer, ConnectionSettings()))
        bench.forget()
        bench.command(.startScanning(ScanSettings()))
        #expect(bench.commands.isEmpty)
        bench.advance(by: .seconds(2))
        #expect(bench.opcodes == [.leCreateConnectionCancel, .leSetScanParameters, .leSetScanEnable])
        #expect(bench.events == [.scanStarted(nil)])
    }

    @Test func `scans passively beside initiating by the right bit`() {
        var bench = HostBench.poweredOn { $0.states = ~(1 << 23) }
        var settings = ScanSettings()
        settings.isActive = false
        bench.command(.startScanning(settings))
        bench.command(.connect(Self.peer, ConnectionSettings()))
        #expect(bench.controller.isScanning)
    }
}
