import BLEController
import BLEWire
import Testing

/// Periodic advertising and who follows it. [Vol 6, Part B, 4.4.2.12]
@Suite struct PeriodicAdvertisingTests {
    /// A periodic advertiser with the set 5 and one that looks for it.
    private struct Scene {
        var radio: TestRadio
        let scanner: ControllerID
        let advertiser: ControllerID

        init(seed: UInt64 = 1, secondary: LEPHY = .le1M, data: [UInt8] = [1, 2, 3], interval: UInt16 = 80) {
            var settings = RadioSettings()
            settings.capturesAir = true
            radio = TestRadio(seed: seed, settings)
            scanner = radio.add(1)
            advertiser = radio.add(2)
            #expect(radio.advertiseSet(advertiser, data: [2, 1, 6], secondary: secondary) == .success)
            let parameters = LESetPeriodicAdvertisingParameters(intervalMinimum: interval, intervalMaximum: interval)
            #expect(radio.status(parameters, to: advertiser) == .success)
            for (operation, part) in TestRadio.fragments(data) {
                radio.send(LESetPeriodicAdvertisingData(operation: operation, data: part), to: advertiser)
            }
            #expect(radio.status(LESetPeriodicAdvertisingEnable(enable: 1), to: advertiser) == .success)
        }

        @discardableResult
        mutating func sync(skip: UInt16 = 0, timeout: UInt16 = 100) -> HCIStatus? {
            radio.scanExtended(scanner)
            return radio.status(
                LEPeriodicAdvertisingCreateSync(
                    setIdentifier: 5, advertiser: radio.address(advertiser), skip: skip, timeout: timeout),
                to: scanner)
        }

        var established: [LEPeriodicAdvertisingSyncEstablished] {
            radio.events(scanner).compactMap {
                if case .lePeriodicAdvertisingSyncEstablished(let event) = $0 { event } else { nil }
            }
        }
        var reports: [LEPeriodicAdvertisingReport] {
            radio.events(scanner).compactMap {
                if case .lePeriodicAdvertisingReport(let event) = $0 { event } else { nil }
            }
        }
        var reportTimes: [Instant] {
            radio.timedEvents(scanner).compactMap { time, event in
                if case .lePeriodicAdvertisingReport = event { time } else { nil }
            }
        }
        var losses: [LEPeriodicAdvertisingSyncLost] {
            radio.events(scanner).compactMap {
                if case .lePeriodicAdvertisingSyncLost(let event) = $0 { event } else { nil }
            }
        }

        /// The packets of the train on the air.
        var trainPackets: [AirPacket] { radio.air.filter { $0.accessAddress != AccessAddress.advertising } }
    }

    @Test(arguments: [LEPHY.le1M, .le2M, .leCoded])
    func `who looks for a train finds it, and hears it at its interval`(_ secondary: LEPHY) throws {
        var scene = Scene(secondary: secondary)
        #expect(scene.sync() == .success)
        scene.radio.run(.seconds(3))
        let sync = try #require(scene.established.first)
        #expect(scene.established.count == 1)
        #expect(sync.status == .success && sync.advertiser == scene.radio.address(scene.advertiser))
        #expect(sync.setIdentifier == 5 && sync.phy == secondary && sync.interval == 80)
        #expect(scene.reports.count > 20)
        #expect(scene.reports.allSatisfy { $0.data == [1, 2, 3] && $0.dataStatus == 0 && $0.handle == sync.handle })
        // One may be left out where an event of the set itself is on the air.
        let times = zip(scene.reportTimes, scene.reportTimes.dropFirst()).map { ($1 - $0).nanoseconds }
        #expect(times.allSatisfy { $0 % 100_000_000 == 0 })
        #expect(times.count { $0 == 100_000_000 } > 20)
    }

    @Test func `SyncInfo says where and when the train is`() throws {
        let scene = {
            // So often that some begin between the making of the field and its packet.
            var scene = Scene(interval: 8)
            scene.radio.run(.seconds(10))
            return scene
        }()
        var checked = 0
        for heard in scene.radio.extendedPackets where heard.fields.flags.contains(.syncInfo) {
            let info = heard.fields.syncInfo
            let from = heard.packet.time + info.offset
            let unit = Delay.microseconds(info.packetOffset & 0x2000 == 0 ? 30 : 300)
            guard let packet = scene.trainPackets.first(where: { $0.time >= from && $0.time < from + unit }) else {
                continue
            }
            checked += 1
            #expect(packet.accessAddress == info.accessAddress)
            #expect(CRC24.register(over: packet.pdu, initial: info.crcInit) == packet.crc)
            let selection = ChannelSelection.second(accessAddress: info.accessAddress)
            #expect(packet.channel == selection.channel(event: UInt64(info.eventCounter), map: info.channelMap))
            #expect(info.interval == 8)
        }
        #expect(checked >= 50)
    }

    @Test(arguments: [1, 247, 248, 600, 1650]) func `data of any length is one chain`(_ count: Int) throws {
        let data = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 3) }
        var scene = Scene(data: data)
        scene.sync()
        scene.radio.run(.seconds(2))
        let reports = scene.reports
        let end = try #require(reports.firstIndex { $0.dataStatus == 0 })
        #expect(reports[...end].flatMap(\.data) == data)
        #expect(reports[..<end].allSatisfy { $0.dataStatus == 1 })
    }

    @Test func `a chain whose link is lost is cut, and the next one is whole`() throws {
        let data = [UInt8](repeating: 7, count: 600)
        var scene = Scene(data: data)
        scene.sync()
        scene.radio.run(.seconds(1))
        scene.radio.send(LESetExtendedScanEnable(isEnabled: false), to: scene.scanner)
        scene.radio.run(.milliseconds(100))
        scene.radio.clear()
        let scanner = scene.scanner
        scene.radio.run(atMost: .seconds(1)) { radio in
            radio.events(scanner).contains { if case .lePeriodicAdvertisingReport = $0 { true } else { false } }
        }
        scene.radio.radio.loseNext(1, from: scene.advertiser, to: scanner)
        scene.radio.run(.milliseconds(50))
        #expect(scene.reports.last?.dataStatus == 2 && scene.reports.last?.data == [])
        scene.radio.clear()
        scene.radio.run(.milliseconds(100))
        #expect(scene.reports.flatMap(\.data) == data)
        #expect(scene.reports.last?.dataStatus == 0)
    }

    @Test func `who doesn't hear the train for the time-out has lost it`() throws {
        var scene = Scene()
        scene.sync()
        scene.radio.run(.seconds(1))
        let handle = try #require(scene.established.first).handle
        let last = try #require(scene.reportTimes.last)
        scene.radio.radio.setLoss(1, between: scene.scanner, and: scene.advertiser)
        scene.radio.run(.seconds(3))
        #expect(scene.losses == [LEPeriodicAdvertisingSyncLost(handle: handle)])
        let time = scene.radio.time(of: scene.scanner) {
            if case .lePeriodicAdvertisingSyncLost = $0 { true } else { false }
        }
        #expect(time == last + .seconds(1))
    }

    @Test func `a train that isn't heard once wasn't found`() {
        var scene = Scene()
        scene.radio.run(.milliseconds(200))
        scene.sync()
        let scanner = scene.scanner
        // AUX_ADV_IND is heard, and then nothing.
        scene.radio.run(atMost: .seconds(1)) { !$0.extendedReports(scanner).isEmpty }
        scene.radio.radio.setLoss(1, between: scanner, and: scene.advertiser)
        scene.radio.run(.seconds(3))
        #expect(scene.established.map(\.status) == [.failedToBeEstablished])
        #expect(scene.losses.isEmpty)
    }

    @Test func `a receiver leaves out as many events as it was told`() {
        var scene = Scene()
        scene.sync(skip: 4)
        scene.radio.run(.seconds(5))
        for (one, next) in zip(scene.reportTimes, scene.reportTimes.dropFirst()) {
            #expect(next - one == .milliseconds(500))
        }
        #expect(scene.reports.count >= 9)
    }

    @Test func `the list names those that may be followed`() {
        var scene = Scene()
        let list = LEAddDeviceToPeriodicAdvertiserList(
            advertiser: scene.radio.address(scene.advertiser), setIdentifier: 5)
        #expect(scene.radio.status(list, to: scene.scanner) == .success)
        #expect(scene.radio.status(list, to: scene.scanner) == .invalidParameters)
        scene.radio.scanExtended(scene.scanner)
        scene.radio.send(LEPeriodicAdvertisingCreateSync(options: 1), to: scene.scanner)
        #expect(scene.radio.status(LEClearPeriodicAdvertiserList(), to: scene.scanner) == .commandDisallowed)
        scene.radio.run(.seconds(1))
        #expect(scene.established.map(\.status) == [.success])
        #expect(scene.radio.status(LEClearPeriodicAdvertiserList(), to: scene.scanner) == .success)
    }

    @Test func `a search is called off, and following is ended`() throws {
        var scene = Scene()
        let cancel = LEPeriodicAdvertisingCreateSyncCancel()
        #expect(scene.radio.status(cancel, to: scene.scanner) == .commandDisallowed)
        let sync = LEPeriodicAdvertisingCreateSync(setIdentifier: 5, advertiser: scene.radio.address(scene.advertiser))
        scene.radio.send(sync, to: scene.scanner)
        #expect(scene.radio.status(sync, to: scene.scanner) == .commandDisallowed)
        #expect(scene.radio.status(cancel, to: scene.scanner) == .success)
        #expect(scene.established.map(\.status) == [.operationCancelledByHost])
        scene.radio.clear()
        scene.sync()
        scene.radio.run(.seconds(1))
        let handle = try #require(scene.established.first).handle
        #expect(scene.radio.status(sync, to: scene.scanner) == .connectionAlreadyExists)
        let terminate = LEPeriodicAdvertisingTerminateSync(handle: handle)
        #expect(scene.radio.status(terminate, to: scene.scanner) == .success)
        #expect(scene.radio.status(terminate, to: scene.scanner) == .unknownAdvertisingIdentifier)
        scene.radio.clear()
        scene.radio.run(.seconds(2))
        #expect(scene.reports.isEmpty && scene.losses.isEmpty)
    }

    @Test func `a train waits for its set, and goes on without it`() {
        var settings = RadioSettings()
        settings.capturesAir = true
        var radio = TestRadio(settings)
        let id = radio.add(1)
        func count() -> Int { radio.air.count { $0.accessAddress != AccessAddress.advertising } }
        radio.send(LESetExtendedAdvertisingParameters(setIdentifier: 5), to: id)
        radio.send(LESetPeriodicAdvertisingParameters(), to: id)
        #expect(radio.status(LESetPeriodicAdvertisingEnable(enable: 1), to: id) == .success)
        radio.run(.seconds(1))
        #expect(count() == 0)
        #expect(radio.advertiseSet(id) == .success)
        radio.run(.seconds(1))
        #expect(count() >= 9)
        radio.clear()
        radio.send(LESetExtendedAdvertisingEnable(isEnabled: false), to: id)
        radio.run(.seconds(1))
        #expect((9...11).contains(count()))
        #expect(radio.status(LERemoveAdvertisingSet(handle: 0), to: id) == .commandDisallowed)
        radio.clear()
        radio.send(LESetPeriodicAdvertisingEnable(enable: 0), to: id)
        radio.run(.seconds(1))
        #expect(count() == 0)
        #expect(radio.status(LERemoveAdvertisingSet(handle: 0), to: id) == .success)
    }

    @Test func `only sets that can't be answered have trains`() {
        var radio = TestRadio()
        let id = radio.add(1)
        let parameters = LESetPeriodicAdvertisingParameters()
        #expect(radio.status(parameters, to: id) == .unknownAdvertisingIdentifier)
        for properties in [LEAdvertisingProperties.connectable, .scannable, .anonymous, .legacy] {
            radio.send(LESetExtendedAdvertisingParameters(properties: properties), to: id)
            #expect(radio.status(parameters, to: id) == .invalidParameters)
        }
        #expect(radio.status(LESetPeriodicAdvertisingData(data: [1]), to: id) == .commandDisallowed)
        #expect(radio.status(LESetPeriodicAdvertisingEnable(enable: 1), to: id) == .commandDisallowed)
    }
}
