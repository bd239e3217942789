import BLEController
import BLEWire
import Testing

@Suite struct ScanningTests {
    private func captured() -> TestRadio {
        var settings = RadioSettings()
        settings.capturesAir = true
        return TestRadio(settings)
    }

    @Test func `a continuous scan hears each advertising event once, on the channel that it is on`() {
        var radio = captured()
        let scanner = radio.add(1)
        let id = radio.add(2)
        radio.scan(scanner, interval: 0x4000, window: 0x4000)
        radio.advertise(id, type: .nonConnectable)
        radio.run(.seconds(9))
        let events = radio.air.filter { $0.channel == 37 }.count
        #expect(radio.reports(scanner).count == events)
    }

    @Test func `a report comes at the end of the packet that it tells of`() throws {
        var radio = captured()
        let scanner = radio.add(1)
        let id = radio.add(2)
        radio.scan(scanner, interval: 0x4000, window: 0x4000)
        radio.advertise(id, type: .nonConnectable)
        radio.run(.seconds(1))
        let first = try #require(radio.air.first { $0.channel == 37 })
        #expect(radio.reportTimes(scanner).first == first.time + .microseconds(152))
    }

    @Test func `the scan takes one channel after the other, a window each`() {
        // The advertiser uses channel 38 only, so nothing is heard in two of three intervals.
        var radio = TestRadio()
        let scanner = radio.add(1)
        let id = radio.add(2)
        radio.advertise(id, type: .nonConnectable, interval: 32, channelMap: 2)
        radio.scan(scanner, interval: 1600, window: 1600)
        radio.run(.seconds(9))
        let seconds = Set(radio.reportTimes(scanner).map { Int($0.seconds) })
        #expect(seconds == [1, 4, 7])
    }

    @Test func `between windows nothing is heard`() {
        var radio = TestRadio()
        let scanner = radio.add(1)
        let id = radio.add(2)
        radio.advertise(id, type: .nonConnectable, interval: 32)
        radio.scan(scanner, interval: 1600, window: 400)
        radio.run(.seconds(20))
        let times = radio.reportTimes(scanner)
        #expect(times.count > 100)
        #expect(times.allSatisfy { $0.nanoseconds % 1_000_000_000 <= 250_000_000 })
    }

    @Test func `a passive scan sends nothing`() {
        var radio = captured()
        let scanner = radio.add(1)
        let id = radio.add(2)
        radio.scan(scanner)
        radio.advertise(id)
        radio.run(.seconds(5))
        #expect(!radio.reports(scanner).isEmpty)
        #expect(radio.reports(scanner).allSatisfy { $0.type == .connectableAndScannable })
        #expect(radio.air.allSatisfy { $0.pdu[0] & 0x0F == 0 })
    }

    @Test func `an active scan asks after one inter frame space, and is answered after another`() throws {
        var radio = captured()
        let scanner = radio.add(1)
        let id = radio.add(2)
        radio.scan(scanner, active: true, interval: 0x4000, window: 0x4000)
        radio.advertise(id)
        radio.run(.milliseconds(200))
        let packets = radio.air.filter { $0.channel == 37 }.prefix(3)
        try #require(packets.count == 3)
        #expect(packets.map { $0.pdu[0] & 0x0F } == [0, 3, 4])
        #expect(packets.map { $0.pdu.count } == [11, 14, 13])
        let times = packets.map(\.time)
        #expect(times[1] - times[0] == .microseconds(152 + 150))
        #expect(times[2] - times[1] == .microseconds(176 + 150))
        #expect(radio.reports(scanner).prefix(2).map(\.type) == [.connectableAndScannable, .scanResponse])
        #expect(radio.reportTimes(scanner).prefix(2) == [times[0] + .microseconds(152), times[2] + .microseconds(168)])
    }

    @Test func `the event goes on after a scan response`() {
        var radio = captured()
        let scanner = radio.add(1)
        let id = radio.add(2)
        radio.scan(scanner, active: true, interval: 0x4000, window: 0x4000)
        radio.advertise(id)
        radio.run(.milliseconds(100))
        #expect(radio.air.map(\.channel).prefix(5) == [37, 37, 37, 38, 39])
        #expect(radio.air[3].time - radio.air[2].time == .microseconds(168 + 340))
    }

    @Test func `filtering duplicates reports an advertiser once, and its scan response once`() {
        var radio = TestRadio()
        let scanner = radio.add(1)
        let id = radio.add(2)
        radio.scan(scanner, active: true, filterDuplicates: true)
        radio.advertise(id)
        radio.run(.seconds(2))
        radio.send(LESetAdvertisingData(data: [3, 0xFF, 1, 2]), to: id)
        radio.run(.seconds(2))
        #expect(radio.reports(scanner).map(\.type) == [.connectableAndScannable, .scanResponse])
        // A scan that begins anew has forgotten.
        radio.send(LESetScanEnable(isEnabled: true, filterDuplicates: true), to: scanner)
        radio.run(.seconds(1))
        #expect(radio.reports(scanner).count == 4)
    }

    @Test func `a full duplicate filter forgets the oldest advertiser`() {
        var radio = TestRadio()
        let scanner = radio.add(1) { $0.duplicateFilterSize = 2 }
        for last in UInt8(2)...4 { radio.advertise(radio.add(last), type: .nonConnectable) }
        radio.scan(scanner, filterDuplicates: true)
        radio.run(.seconds(5))
        #expect(radio.reports(scanner).count > 3)
    }

    @Test func `without duplicate filter every packet is reported`() {
        var radio = TestRadio()
        let scanner = radio.add(1)
        let id = radio.add(2)
        radio.scan(scanner)
        radio.advertise(id)
        radio.run(.seconds(10))
        #expect((85...100).contains(radio.reports(scanner).count))
    }

    @Test func `the accept list filters who is reported`() {
        var radio = TestRadio()
        let scanner = radio.add(1)
        let wanted = radio.add(2)
        let other = radio.add(3)
        radio.advertise(wanted)
        radio.advertise(other)
        radio.send(LEAddDeviceToFilterAcceptList(address: radio.address(wanted)), to: scanner)
        var parameters = LESetScanParameters()
        parameters.filterPolicy = 1
        radio.send(parameters, to: scanner)
        radio.send(LESetScanEnable(isEnabled: true, filterDuplicates: false), to: scanner)
        radio.run(.seconds(1))
        #expect(!radio.reports(scanner).isEmpty)
        #expect(radio.reports(scanner).allSatisfy { $0.address == radio.address(wanted) })
    }

    @Test func `a directed advertisement is reported to whom it is for`() {
        var radio = TestRadio()
        let wanted = radio.add(1)
        let other = radio.add(2)
        let id = radio.add(3)
        var parameters = LESetAdvertisingParameters()
        parameters.type = .directedLowDutyCycle
        parameters.peer = radio.address(wanted)
        parameters.intervalMinimum = 32
        radio.send(parameters, to: id)
        radio.send(LESetAdvertisingEnable(isEnabled: true), to: id)
        radio.scan(wanted)
        radio.scan(other)
        radio.run(.seconds(1))
        #expect(radio.reports(wanted).first?.type == .directed)
        #expect(radio.reports(other).isEmpty)
    }

    @Test func `two scanners that ask at once keep out of each other's way in time`() {
        var radio = TestRadio()
        let scanners = [radio.add(1), radio.add(2)]
        let id = radio.add(3)
        for scanner in scanners { radio.scan(scanner, active: true, interval: 0x4000, window: 0x4000) }
        radio.advertise(id, interval: 32)
        radio.run(.seconds(5))
        for scanner in scanners { #expect(radio.reports(scanner).contains { $0.type == .scanResponse }) }
    }

    @Test func `a device doesn't hear itself`() {
        var radio = TestRadio()
        let id = radio.add(1)
        radio.advertise(id)
        radio.scan(id)
        radio.run(.seconds(2))
        #expect(radio.reports(id).isEmpty)
    }

    @Test func `parameters can't be changed while scanning, and a window longer than the interval is refused`() {
        var radio = TestRadio()
        let id = radio.add(1)
        var parameters = LESetScanParameters()
        parameters.interval = 16
        parameters.window = 17
        #expect(radio.status(parameters, to: id) == .invalidParameters)
        radio.scan(id)
        parameters.window = 16
        #expect(radio.status(parameters, to: id) == .commandDisallowed)
    }

    @Test func `100 advertisers are all found within a second`() {
        var radio = TestRadio()
        let scanner = radio.add(0)
        for last in UInt8(1)...100 { radio.advertise(radio.add(last)) }
        radio.scan(scanner, filterDuplicates: true)
        radio.run(.seconds(1))
        #expect(Set(radio.reports(scanner).map(\.address)).count == 100)
    }
}
