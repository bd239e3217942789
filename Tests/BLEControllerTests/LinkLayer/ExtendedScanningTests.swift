import BLEController
import BLEWire
import Testing

/// Extended scanning: reports, chains, filters, periods. [Vol 6, Part B, 4.4.3]
@Suite struct ExtendedScanningTests {
    private func octets(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 5) } }

    @Test(arguments: [LEPHY.le1M, .le2M, .leCoded])
    func `a chain is reported in parts whose last one is complete`(_ secondary: LEPHY) throws {
        var radio = TestRadio()
        let scanner = radio.add(1)
        let id = radio.add(2)
        #expect(radio.scanExtended(scanner) == .success)
        #expect(radio.advertiseSet(id, data: octets(1650), secondary: secondary) == .success)
        radio.run(.milliseconds(160))
        let reports = radio.extendedReports(scanner)
        let end = try #require(reports.firstIndex { !$0.type.contains(.incomplete) })
        let parts = reports[...end]
        #expect(parts.flatMap(\.data) == octets(1650))
        #expect(parts.dropLast().allSatisfy { $0.type == .incomplete })
        #expect(parts.last?.type == [])
        #expect(parts.allSatisfy { $0.address == radio.address(id) && $0.setIdentifier == 5 })
        #expect(parts.allSatisfy { $0.primaryPHY == .le1M && $0.secondaryPHY == secondary && $0.rssi == -40 })
    }

    @Test func `a chain whose link is lost is truncated, and comes whole the next time`() throws {
        var radio = TestRadio()
        let scanner = radio.add(1)
        let id = radio.add(2)
        radio.scanExtended(scanner, interval: 0x4000, window: 0x4000, filterDuplicates: 1)
        #expect(radio.advertiseSet(id, data: octets(700)) == .success)
        // ADV_EXT_IND and AUX_ADV_IND arrive, the first AUX_CHAIN_IND doesn't.
        radio.run(atMost: .seconds(1)) { !$0.extendedReports(scanner).isEmpty }
        radio.radio.loseNext(1, from: id, to: scanner)
        radio.run(.milliseconds(5))
        let cut = radio.extendedReports(scanner)
        #expect(cut.last?.type == .truncated)
        #expect(cut.last?.data == [])
        #expect(cut.dropLast().allSatisfy { $0.type == .incomplete })
        radio.clear()
        radio.run(.milliseconds(200))
        // The filter for duplicates hasn't taken the cut one for the whole.
        #expect(radio.extendedReports(scanner).flatMap(\.data) == octets(700))
        #expect(radio.extendedReports(scanner).last?.type == [])
        radio.clear()
        radio.run(.seconds(1))
        #expect(radio.extendedReports(scanner).isEmpty)
        // New data is another matter.
        radio.send(LESetExtendedAdvertisingData(data: octets(20)), to: id)
        radio.run(.milliseconds(300))
        #expect(radio.extendedReports(scanner).map(\.data) == [octets(20)])
    }

    @Test func `of an AUX_ADV_IND that is lost nothing is reported`() {
        var radio = TestRadio()
        let scanner = radio.add(1)
        let id = radio.add(2)
        radio.scanExtended(scanner, interval: 0x4000, window: 0x4000)
        radio.radio.setCorruption(1, between: scanner, and: id)
        #expect(radio.advertiseSet(id, data: octets(700)) == .success)
        radio.run(.seconds(1))
        #expect(radio.extendedReports(scanner).isEmpty)
    }

    @Test func `an active scan asks a scannable set, and its answer may be a chain`() throws {
        var settings = RadioSettings()
        settings.capturesAir = true
        var radio = TestRadio(settings)
        let scanner = radio.add(1)
        let id = radio.add(2)
        radio.scanExtended(scanner, active: true)
        let status = radio.advertiseSet(id, .scannable, scanResponse: octets(600), secondary: .le2M) {
            $0.notifiesScanRequests = true
        }
        #expect(status == .success)
        radio.run(atMost: .seconds(1)) { radio in
            radio.extendedReports(scanner).contains { $0.type == [.scannable, .scanResponse] }
        }
        let reports = radio.extendedReports(scanner)
        #expect(reports.first?.type == .scannable && reports.first?.data == [])
        #expect(reports.dropFirst().flatMap(\.data) == octets(600))
        let asked = radio.events(id).compactMap {
            if case .leScanRequestReceived(let event) = $0 { event } else { nil }
        }
        #expect(asked == [LEScanRequestReceived(advertisingHandle: 0, scanner: radio.address(scanner))])
        // AUX_ADV_IND, AUX_SCAN_REQ and AUX_SCAN_RSP follow each other on one channel.
        let request = try #require(radio.air.first { $0.pdu[0] & 0x0F == 3 })
        let place = try #require(radio.air.firstIndex(of: request))
        let (before, after) = (radio.air[place - 1], radio.air[place + 1])
        #expect(before.channel == request.channel && after.channel == request.channel)
        #expect(request.phy == .le2M)
        #expect(
            request.time - before.time
                == AirTime.packet(payload: before.pdu.count - 2, on: .le2M) + .microseconds(150))
        #expect(after.time - request.time == AirTime.packet(payload: 12, on: .le2M) + .microseconds(150))
    }

    @Test func `a passive scan doesn't ask`() {
        var radio = TestRadio()
        let scanner = radio.add(1)
        let id = radio.add(2)
        radio.scanExtended(scanner)
        #expect(radio.advertiseSet(id, .scannable, scanResponse: octets(40)) == .success)
        radio.run(.seconds(1))
        #expect(Set(radio.extendedReports(scanner).map(\.type)) == [.scannable])
    }

    @Test func `on the Coded PHY only who scans there hears`() {
        for (phys, isHeard) in [(PHYSet.le1M, false), (.leCoded, true), ([.le1M, .leCoded], true)] {
            var radio = TestRadio()
            let scanner = radio.add(1)
            let id = radio.add(2)
            let near = radio.add(3)
            #expect(radio.scanExtended(scanner, phys: phys, interval: 160, window: 80) == .success)
            #expect(radio.advertiseSet(id, data: octets(300), primary: .leCoded, secondary: .leCoded) == .success)
            #expect(radio.advertiseSet(near, data: octets(10)) == .success)
            radio.run(.seconds(5))
            let reports = radio.extendedReports(scanner)
            #expect(reports.contains { $0.address == radio.address(id) && $0.primaryPHY == .leCoded } == isHeard)
            #expect(reports.contains { $0.address == radio.address(near) } == phys.contains(.le1M))
        }
    }

    @Test(
        arguments: [
            (.connectableAndScannable, [.legacy, .connectable, .scannable]), (.scannable, [.legacy, .scannable]),
            (.nonConnectable, .legacy),
        ] as [(LEAdvertisingType, LEExtendedReportType)])
    func `legacy advertisers are told by their PDUs`(_ type: LEAdvertisingType, _ told: LEExtendedReportType) {
        var radio = TestRadio()
        let scanner = radio.add(1)
        let id = radio.add(2)
        radio.scanExtended(scanner, active: true)
        radio.advertise(id, type: type)
        radio.run(.seconds(1))
        let reports = radio.extendedReports(scanner)
        #expect(
            reports.filter { !$0.type.contains(.scanResponse) }.allSatisfy { $0.type == told && $0.data == [2, 1, 6] })
        let responses = reports.filter { $0.type.contains(.scanResponse) }
        #expect(responses.isEmpty == (type == .nonConnectable))
        #expect(responses.allSatisfy { $0.type == told.union(.scanResponse) && $0.data == [4, 9, 0x61, 0x62, 0x63] })
        #expect(reports.allSatisfy { $0.secondaryPHY == .none && $0.setIdentifier == 0xFF })
    }

    @Test func `a scan lasts its duration, and says when it is over`() {
        var radio = TestRadio()
        let scanner = radio.add(1)
        let start = radio.now
        radio.scanExtended(scanner, duration: 100)
        radio.run(.seconds(5))
        let over = radio.time(of: scanner) { $0 == .leScanTimeout(LEScanTimeout()) }
        #expect(over == start + .seconds(1))
        #expect(radio.radio.linkLayerState(of: scanner) == .standby)
    }

    @Test(arguments: [1, 2] as [UInt8])
    func `a periodic scan pauses, and filters anew where it is told to`(_ filter: UInt8) {
        var radio = TestRadio()
        let scanner = radio.add(1)
        let id = radio.add(2)
        radio.scanExtended(scanner, filterDuplicates: filter, duration: 64, period: 1)
        radio.advertise(id, type: .nonConnectable, interval: 32)
        radio.run(.milliseconds(1280 * 4))
        let times = radio.timedEvents(scanner).compactMap { time, event in
            if case .leExtendedAdvertisingReport = event { time.nanoseconds } else { nil }
        }
        #expect(times.count == (filter == 1 ? 1 : 4))
        #expect(times.allSatisfy { $0 % 1_280_000_000 <= 640_000_000 })
    }

    @Test func `an anonymous advertiser has no address`() {
        var radio = TestRadio()
        let scanner = radio.add(1)
        let id = radio.add(2)
        radio.scanExtended(scanner)
        #expect(radio.advertiseSet(id, .anonymous, data: octets(10)) == .success)
        radio.run(.seconds(1))
        let anonymous = DeviceAddress(0, DeviceAddress.Kind(rawValue: 0xFF))
        #expect(radio.extendedReports(scanner).first?.address == anonymous)
    }

    @Test func `the accept list filters extended advertisers`() {
        var radio = TestRadio()
        let scanner = radio.add(1)
        let ids = [radio.add(2), radio.add(3)]
        radio.send(LEAddDeviceToFilterAcceptList(address: radio.address(ids[1])), to: scanner)
        radio.send(LESetExtendedScanParameters(filterPolicy: 1), to: scanner)
        radio.send(LESetExtendedScanEnable(isEnabled: true), to: scanner)
        for id in ids { #expect(radio.advertiseSet(id, data: octets(50)) == .success) }
        radio.run(.seconds(1))
        #expect(Set(radio.extendedReports(scanner).map(\.address)) == [radio.address(ids[1])])
    }

    @Test func `who is out of range isn't heard, and power is told where a set says it`() {
        var radio = TestRadio()
        let scanner = radio.add(1)
        let id = radio.add(2) { $0.transmitPower = -7 }
        radio.scanExtended(scanner)
        #expect(radio.advertiseSet(id, .includesTransmitPower, data: octets(50)) == .success)
        radio.run(.milliseconds(300))
        #expect(radio.extendedReports(scanner).allSatisfy { $0.transmitPower == -7 && $0.rssi == -47 })
        #expect(!radio.extendedReports(scanner).isEmpty)
        radio.clear()
        radio.radio.setLoss(1, between: scanner, and: id)
        radio.run(.seconds(1))
        #expect(radio.extendedReports(scanner).isEmpty)
    }
}
