import BLEBackend
import BLEHost
import BLERuntime
import BLEWire
import Testing

@Suite struct ScanningTests {
    let name: [UInt8] = [9, 0x09] + Array("OBand-75".utf8)
    let heartRate: [UInt8] = [3, 0x03, 0x0D, 0x18]
    let band = CoreFixture.band

    @Test func `several scans are one for the host, which ends with the last`() {
        var (fixture, first) = CoreFixture.on(.central)
        let second = fixture.open(.central)
        fixture.perform(.startScan(ScanRequest()), in: first)
        fixture.perform(.startScan(ScanRequest(allowDuplicates: true)), in: second)
        #expect(fixture.takeCommands() == [.startScanning(ScanSettings())])
        fixture.perform(.stopScan, in: first)
        #expect(fixture.takeCommands() == [])
        fixture.close(second)
        #expect(fixture.takeCommands() == [.stopScanning])
    }

    @Test func `advertisement and scan response are merged field by field`() {
        var (fixture, session) = CoreFixture.on(.central)
        fixture.perform(.startScan(ScanRequest()), in: session)
        fixture.host(.advertisingReport(.of(band, heartRate + [2, 0x0A, 4])))
        fixture.host(.advertisingReport(.of(band, name + [3, 0x02, 0xF0, 0xFF], isScanResponse: true)))
        var merged = Advertisement()
        merged.localName = "OBand-75"
        merged.txPower = 4
        merged.services = [0x180D, 0xFFF0]
        merged.isConnectable = true
        let peer = fixture.peer(band)
        #expect(fixture.takeEvents(session).last == .discovered(peer, name: "OBand-75", merged, rssi: -50))
    }

    @Test func `without duplicates a peer is reported once and again only when something is added`() {
        var (fixture, session) = CoreFixture.on(.central)
        fixture.perform(.startScan(ScanRequest()), in: session)
        for _ in 0..<3 { fixture.host(.advertisingReport(.of(band, heartRate))) }
        #expect(fixture.takeEvents(session).count == 1)
        fixture.host(.advertisingReport(.of(band, name, isScanResponse: true)))
        #expect(fixture.takeEvents(session).count == 1)
        fixture.host(.advertisingReport(.of(band, name, isScanResponse: true)))
        #expect(fixture.takeEvents(session) == [])
    }

    @Test func `a changed value alone isn't reported without duplicates`() {
        var (fixture, session) = CoreFixture.on(.central)
        fixture.perform(.startScan(ScanRequest()), in: session)
        for count in 0..<4 as Range<UInt8> {
            fixture.host(.advertisingReport(.of(band, [4, 0xFF, 0x4C, 0x00, count])))
        }
        #expect(fixture.takeEvents(session).count == 1)
    }

    @Test func `with duplicates every report is delivered`() {
        var (fixture, session) = CoreFixture.on(.central)
        fixture.perform(.startScan(ScanRequest(allowDuplicates: true)), in: session)
        for count in 0..<40 as Range<UInt8> {
            fixture.host(.advertisingReport(.of(band, [4, 0xFF, 0x4C, 0x00, count % 4])))
        }
        #expect(fixture.takeEvents(session).count == 40)
    }

    @Test func `a new scan reports anew`() {
        var (fixture, session) = CoreFixture.on(.central)
        fixture.perform(.startScan(ScanRequest()), in: session)
        fixture.host(.advertisingReport(.of(band, heartRate)))
        fixture.perform(.stopScan, in: session)
        fixture.perform(.startScan(ScanRequest()), in: session)
        fixture.host(.advertisingReport(.of(band, heartRate)))
        #expect(fixture.takeEvents(session).count == 2)
    }

    @Test func `a filter matches any of its services, in full form`() {
        var (fixture, session) = CoreFixture.on(.central)
        let wanted = BluetoothUUID(full: BluetoothUUID(0x180D).full)
        fixture.perform(.startScan(ScanRequest(services: [0x1234, wanted])), in: session)
        fixture.host(.advertisingReport(.of(CoreFixture.lock, name)))
        #expect(fixture.takeEvents(session) == [])
        fixture.host(.advertisingReport(.of(band, heartRate)))
        #expect(fixture.takeEvents(session).count == 1)
    }

    @Test func `a filter is met by a scan response that comes later`() {
        var (fixture, session) = CoreFixture.on(.central)
        fixture.perform(.startScan(ScanRequest(services: [0x180D])), in: session)
        fixture.host(.advertisingReport(.of(band, name)))
        #expect(fixture.takeEvents(session) == [])
        fixture.host(.advertisingReport(.of(band, heartRate, isScanResponse: true)))
        #expect(fixture.takeEvents(session).count == 1)
    }

    @Test func `solicited services match where they're asked for`() {
        var (fixture, session) = CoreFixture.on(.central)
        fixture.perform(.startScan(ScanRequest(services: [0x1234], solicitedServices: [0x1805])), in: session)
        fixture.host(.advertisingReport(.of(band, [3, 0x14, 0x05, 0x18])))
        #expect(fixture.takeEvents(session).count == 1)
    }

    @Test func `an empty filter looks for everything`() {
        var (fixture, session) = CoreFixture.on(.central)
        fixture.perform(.startScan(ScanRequest(services: [])), in: session)
        fixture.host(.advertisingReport(.of(band, [])))
        #expect(fixture.takeEvents(session).count == 1)
    }

    @Test func `sessions have filters of their own`() {
        var (fixture, all) = CoreFixture.on(.central)
        let some = fixture.open(.central)
        fixture.perform(.startScan(ScanRequest()), in: all)
        fixture.perform(.startScan(ScanRequest(services: [0x1234])), in: some)
        fixture.discard()
        fixture.host(.advertisingReport(.of(band, heartRate)))
        #expect(fixture.takeEvents(all).count == 1)
        #expect(fixture.takeEvents(some) == [])
    }

    @Test func `an advertiser that can't be connected to is reported as such`() {
        var (fixture, session) = CoreFixture.on(.central)
        fixture.perform(.startScan(ScanRequest()), in: session)
        var report = AdvertisingReport.of(band, heartRate)
        report.isConnectable = false
        report.rssi = 127
        fixture.host(.advertisingReport(report))
        guard case .discovered(_, _, let advertisement, let rssi) = fixture.takeEvents(session).last else {
            Issue.record("not discovered")
            return
        }
        #expect(!advertisement.isConnectable)
        #expect(rssi == 127)
    }

    @Test func `the GAP name that was read wins over a later advertised one`() {
        var (fixture, session) = CoreFixture.on(.central)
        fixture.store.setDeviceName("Band", of: fixture.peer(band))
        fixture.perform(.startScan(ScanRequest()), in: session)
        fixture.host(.advertisingReport(.of(band, name)))
        guard case .discovered(_, let shown, let advertisement, _) = fixture.takeEvents(session).last else {
            Issue.record("not discovered")
            return
        }
        #expect(shown == "Band")
        #expect(advertisement.localName == "OBand-75")
    }

    @Test func `a scan that doesn't start is tried again`() {
        var (fixture, session) = CoreFixture.on(.central)
        fixture.perform(.startScan(ScanRequest()), in: session)
        fixture.discard()
        fixture.host(.scanStarted(.hci(.commandDisallowed)))
        fixture.advance()
        #expect(fixture.takeCommands() == [.startScanning(ScanSettings())])
    }

    @Test func `a scan asked for while the radio is off is ignored`() {
        var fixture = CoreFixture()
        let session = fixture.open(.central)
        fixture.perform(.startScan(ScanRequest()), in: session)
        #expect(fixture.takeCommands() == [])
    }
}
