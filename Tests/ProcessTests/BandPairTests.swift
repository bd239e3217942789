import BLETestSupport
import BLEWire
import Glibc
import Testing

/// A central and a peripheral program as two processes.
@Suite struct BandPairTests {
    private let fixture = ProcessFixture()

    private func run(peripheral: ChildProcess, _ more: [String: String] = [:]) async throws -> ChildProcess {
        try await peripheral.line(containing: "advertising as OBand-75")
        let central = try fixture.start("BandCentral", ["--values", "1"], more)
        #expect(try await central.end() == .exited(0))
        for text in ["found OBand-75", "connected to OBand-75", "value of FFE1", "written FFF2: no error"] {
            #expect(central.lines.all.contains { $0.contains(text) }, "\(text)")
        }
        return central
    }

    @Test func `meet on a radio of its own, which captures their air`() async throws {
        let path = fixture.capturePath("process-band-air.pcap")
        let radio = try await fixture.startRadio(["--capture", path])
        let peripheral = try fixture.start("BandPeripheral")
        _ = try await run(
            peripheral: peripheral, ["RAVNING_CAPTURE": fixture.capturePath("process-band-central.btsnoop")])
        peripheral.send(SIGTERM)
        _ = try await peripheral.end()
        radio.send(SIGTERM)
        #expect(try await radio.end() == .exited(0))

        var reader = PcapReader(contents(of: path))
        var count = 0
        while reader.next() != nil { count += 1 }
        #expect(reader.fault == nil)
        #expect(count > 100)
    }

    @Test func `meet without a radio of its own: the first hosts it`() async throws {
        let peripheral = try fixture.start("BandPeripheral")
        _ = try await run(peripheral: peripheral)
        peripheral.send(SIGTERM)
        _ = try await peripheral.end()
    }

    @Test func `leave a whole capture up to the last record when they are killed`() async throws {
        let path = fixture.folder + "/killed.btsnoop"
        let peripheral = try fixture.start("BandPeripheral", [], ["RAVNING_CAPTURE": path])
        try await peripheral.line(containing: "advertising as OBand-75")
        peripheral.send(SIGKILL)
        _ = try await peripheral.end()
        let (records, fault) = BTSnoopReader.records(in: contents(of: path))
        #expect(fault == nil)
        let enable = LESetExtendedAdvertisingEnable(isEnabled: true, sets: [.init(handle: 0)]).packet()
        #expect(records.contains { $0.packet == enable })
    }
}
