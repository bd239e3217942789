import BLEBackend
import BLEBlueZ
import BLETestSupport
import BLEWire
import Testing

/// Scans over BlueZ's discovery, and its traps. [contract 18-31]
struct BlueZScanningTests {
    private let thermometer = MachineFixture.thermometer

    private func discovered(_ events: [BackendEvent]) -> [(name: String?, Advertisement, rssi: Int8)] {
        events.compactMap { event in
            guard case .discovered(_, let name, let advertisement, let rssi) = event else { return nil }
            return (name, advertisement, rssi)
        }
    }

    @Test func `A scan asks for LE discovery and reports what is heard, field by field`() throws {
        var (fixture, session) = MachineFixture.on(.central)
        var device = thermometer
        device.manufacturerData = [0xAB]
        fixture.perform(.startScan(ScanRequest()), session)
        fixture.hear(device)
        let filter = try #require(fixture.daemon.calls(of: "SetDiscoveryFilter").first?.arguments.first?.properties)
        #expect(filter["Transport"]?.text == "le")
        let found = discovered(fixture.events(of: session))
        #expect(found.count == 1)
        let (name, advertisement, rssi) = try #require(found.first)
        #expect(name == "Thermometer" && advertisement.localName == "Thermometer" && rssi == -50)
        #expect(advertisement.services == [0x1809] && advertisement.manufacturerData == [0xFF, 0xFF, 0xAB])
    }

    @Test func `Each session has its own filter and its own memory of what it was told`() {
        var (fixture, all) = MachineFixture.on(.central)
        let heartRate = fixture.open(.central), duplicates = fixture.open(.central)
        for session in [heartRate, duplicates] { _ = fixture.events(of: session) }
        fixture.perform(.startScan(ScanRequest()), all)
        fixture.perform(.startScan(ScanRequest(services: [0x180D])), heartRate)
        fixture.perform(.startScan(ScanRequest(services: [0x1809], allowDuplicates: true)), duplicates)
        for _ in 0..<3 { fixture.hear(thermometer) }
        #expect(discovered(fixture.events(of: all)).count == 1)
        #expect(discovered(fixture.events(of: heartRate)).isEmpty)
        #expect(discovered(fixture.events(of: duplicates)).count == 3)
        #expect(
            fixture.daemon.calls(of: "StartDiscovery").count == 1 + 1, "the filter that wants duplicates is set anew")
    }

    @Test func `The last scan that stops ends discovery`() {
        var (fixture, first) = MachineFixture.on(.central)
        let second = fixture.open(.central)
        for session in [first, second] { fixture.perform(.startScan(ScanRequest()), session) }
        fixture.perform(.stopScan, first)
        #expect(fixture.daemon.isDiscovering)
        fixture.perform(.stopScan, second)
        #expect(!fixture.daemon.isDiscovering)
    }

    @Test func `What another program's discovery has found already is reported at once`() {
        var daemon = FakeBlueZ()
        daemon.hear(thermometer)
        var (fixture, session) = MachineFixture.on(.central, daemon)
        fixture.perform(.startScan(ScanRequest()), session)
        #expect(discovered(fixture.events(of: session)).count == 1)
    }

    @Test func `A device that BlueZ only remembers isn't reported`() {
        var daemon = FakeBlueZ()
        daemon.hear(thermometer)
        daemon.change(thermometer.path, BlueZName.device, [:], invalid: ["RSSI"])
        var (fixture, session) = MachineFixture.on(.central, daemon)
        fixture.perform(.startScan(ScanRequest()), session)
        #expect(discovered(fixture.events(of: session)).isEmpty)
    }

    @Test func `Discovery that is in progress for a program that crashed is started as soon as it can be`() {
        var daemon = FakeBlueZ()
        let busy = DBusFailure(BlueZName.error("InProgress"), "Operation already in progress")
        daemon.script["StartDiscovery"] = Array(repeating: .failure(busy), count: 5)
        var (fixture, session) = MachineFixture.on(.central, daemon)
        fixture.perform(.startScan(ScanRequest()), session)
        #expect(!fixture.daemon.isDiscovering)
        fixture.advance(.seconds(60))
        #expect(fixture.daemon.isDiscovering)
        #expect(fixture.traces.filter { $0.level == .warning }.count == 1, "it is said once")
        fixture.hear(thermometer)
        #expect(discovered(fixture.events(of: session)).count == 1)
    }

    @Test func `StopDiscovery that fails counts as stopped, and the next scan starts`() {
        var daemon = FakeBlueZ()
        daemon.script["StopDiscovery"] = [.failure(DBusFailure(BlueZName.error("InProgress"), "busy"))]
        var (fixture, session) = MachineFixture.on(.central, daemon)
        fixture.perform(.startScan(ScanRequest()), session)
        fixture.perform(.stopScan, session)
        fixture.perform(.startScan(ScanRequest()), session)
        #expect(fixture.daemon.calls(of: "StartDiscovery").count == 2)
    }

    @Test func `A BlueZ that refuses the filter is asked to discover without`() {
        var daemon = FakeBlueZ()
        daemon.script["SetDiscoveryFilter"] = [.failure(DBusFailure(BlueZName.error("NotSupported"), "old"))]
        var (fixture, session) = MachineFixture.on(.central, daemon)
        fixture.perform(.startScan(ScanRequest()), session)
        #expect(fixture.daemon.isDiscovering)
    }

    @Test func `Discovery that goes silent is started anew, ever less often`() {
        var (fixture, session) = MachineFixture.on(.central)
        fixture.perform(.startScan(ScanRequest()), session)
        fixture.advance(.seconds(61))
        #expect(fixture.daemon.calls(of: "StartDiscovery").count == 2)
        fixture.advance(.seconds(60))
        #expect(fixture.daemon.calls(of: "StartDiscovery").count == 2)
        fixture.advance(.seconds(61))
        #expect(fixture.daemon.calls(of: "StartDiscovery").count == 3)
        // What is heard makes it patient from the start again.
        fixture.hear(thermometer)
        fixture.advance(.seconds(61))
        #expect(fixture.daemon.calls(of: "StartDiscovery").count == 4)
        #expect(fixture.traces.contains { $0.message.contains("(3 so far)") })
    }

    @Test func `Discovery that BlueZ ends by itself is started again`() {
        var (fixture, session) = MachineFixture.on(.central)
        fixture.perform(.startScan(ScanRequest()), session)
        fixture.daemonDoes { $0.change(FakeBlueZ.adapter, BlueZName.adapter, ["Discovering": .bool(false)]) }
        fixture.advance(.seconds(1))
        #expect(fixture.daemon.calls(of: "StartDiscovery").count == 2)
    }

    @Test func `A closed session scans no more`() {
        var (fixture, session) = MachineFixture.on(.central)
        fixture.perform(.startScan(ScanRequest()), session)
        fixture.machine.perform(.close(session))
        fixture.run()
        #expect(!fixture.daemon.isDiscovering)
    }
}
