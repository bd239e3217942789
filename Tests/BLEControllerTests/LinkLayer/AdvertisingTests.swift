import BLEController
import BLEWire
import Testing

@Suite struct AdvertisingTests {
    private func captured(_ type: LEAdvertisingType, interval: UInt16 = 160, channelMap: UInt8 = 7) -> [AirPacket] {
        var settings = RadioSettings()
        settings.capturesAir = true
        var radio = TestRadio(settings)
        let id = radio.add(1)
        radio.advertise(id, type: type, interval: interval, channelMap: channelMap)
        radio.run(.seconds(20))
        return radio.air
    }

    @Test func `an event is one packet on each of the three channels, the next after the time for an answer`() {
        let packets = captured(.connectableAndScannable)
        #expect(packets.prefix(6).map(\.channel) == [37, 38, 39, 37, 38, 39])
        // 9 octets of payload take 152 µs, and 340 µs are left for answers.
        #expect(packets[1].time - packets[0].time == .microseconds(152 + 340))
        #expect(packets[2].time - packets[1].time == .microseconds(152 + 340))
    }

    @Test func `without answers the next packet of the event comes after one inter frame space`() {
        let packets = captured(.nonConnectable)
        #expect(packets[1].time - packets[0].time == .microseconds(152 + 150))
    }

    @Test(arguments: [32, 160, 1600] as [UInt16])
    func `events are an interval and 0 to 10 ms apart`(_ interval: UInt16) {
        let starts = captured(.nonConnectable, interval: interval).filter { $0.channel == 37 }.map(\.time)
        let base = Delay.microseconds(Int64(interval) * 625)
        let delays = zip(starts.dropFirst(), starts).map { $0 - $1 - base }
        #expect(delays.allSatisfy { $0 >= .zero && $0 <= .milliseconds(10) })
        #expect(Set(delays).count > delays.count / 2)
    }

    @Test(arguments: [(1, [37]), (2, [38]), (4, [39]), (5, [37, 39]), (6, [38, 39])] as [(UInt8, [UInt8])])
    func `only the channels of the map are used`(_ map: UInt8, _ channels: [UInt8]) {
        let used = captured(.nonConnectable, channelMap: map).map(\.channel)
        #expect(Array(used.prefix(channels.count)) == channels)
        #expect(Set(used) == Set(channels))
    }

    @Test(arguments: [
        (LEAdvertisingType.connectableAndScannable, "20 09 010000EEFFC0 020106"),
        (.scannable, "06 09 010000EEFFC0 020106"),
        (.nonConnectable, "02 09 010000EEFFC0 020106"),
        (.directedLowDutyCycle, "21 0C 010000EEFFC0 000000000000"),
    ])
    func `the packet is the PDU of its type`(_ type: LEAdvertisingType, _ octets: String) {
        #expect(captured(type).first?.pdu == hex(octets))
    }

    @Test func `every packet has a CRC that fits, and the access address of advertising`() {
        let packets = captured(.connectableAndScannable)
        #expect(packets.allSatisfy { $0.isCRCValid && $0.accessAddress == 0x8E89_BED6 && $0.phy == .le1M })
        #expect(packets.allSatisfy { CRC24.register(over: $0.pdu, initial: 0x55_5555) == $0.crc })
    }

    @Test func `high duty cycle directed advertising repeats within 3.75 ms and ends after 1.28 s`() throws {
        var settings = RadioSettings()
        settings.capturesAir = true
        var radio = TestRadio(settings)
        let id = radio.add(1)
        var parameters = LESetAdvertisingParameters()
        parameters.type = .directedHighDutyCycle
        parameters.peer = DeviceAddress(0x0000_0000_0042)
        radio.send(parameters, to: id)
        radio.send(LESetAdvertisingEnable(isEnabled: true), to: id)
        radio.run(.seconds(2))
        let starts = radio.air.filter { $0.channel == 37 }.map(\.time)
        #expect(zip(starts.dropFirst(), starts).allSatisfy { $0 - $1 == .microseconds(3750) })
        let end = try #require(radio.time(of: id) { TestRadio.isConnectionComplete($0) })
        #expect(end == .start + .milliseconds(1280))
        #expect(radio.connections(id).map(\.status) == [.advertisingTimeout])
        #expect(radio.states(id) == [.advertising, .standby])
    }

    @Test func `new data is on the air with the next packet`() {
        var radio = TestRadio()
        let scanner = radio.add(1)
        let id = radio.add(2)
        radio.advertise(id, data: [2, 1, 6])
        radio.scan(scanner)
        radio.run(.milliseconds(500))
        radio.clear()
        radio.send(LESetAdvertisingData(data: [3, 0xFF, 1, 2]), to: id)
        radio.run(.milliseconds(500))
        #expect(!radio.reports(scanner).isEmpty)
        #expect(radio.reports(scanner).allSatisfy { $0.data == [3, 0xFF, 1, 2] })
    }

    @Test func `advertising that was disabled is no longer heard`() {
        var radio = TestRadio()
        let scanner = radio.add(1)
        let id = radio.add(2)
        radio.advertise(id)
        radio.scan(scanner)
        radio.run(.milliseconds(500))
        radio.send(LESetAdvertisingEnable(isEnabled: false), to: id)
        radio.clear()
        radio.run(.seconds(1))
        #expect(radio.reports(scanner).isEmpty)
    }

    @Test func `parameters can't be changed while advertising, and wrong ones are refused`() {
        var radio = TestRadio()
        let id = radio.add(1) { $0.supportsPrivacy = false }
        var parameters = LESetAdvertisingParameters()
        parameters.intervalMinimum = 200
        parameters.intervalMaximum = 100
        #expect(radio.status(parameters, to: id) == .invalidParameters)
        parameters.intervalMaximum = 200
        parameters.ownAddressType = .resolvableOrPublic
        #expect(radio.status(parameters, to: id) == .unsupportedFeature)
        parameters.ownAddressType = .randomDevice
        #expect(radio.status(parameters, to: id) == .success)
        // There is no random address yet.
        #expect(radio.status(LESetAdvertisingEnable(isEnabled: true), to: id) == .invalidParameters)
        radio.send(LESetRandomAddress(address: DeviceAddress(0xC000_0000_0001, .randomDevice)), to: id)
        #expect(radio.status(LESetAdvertisingEnable(isEnabled: true), to: id) == .success)
        #expect(radio.status(parameters, to: id) == .commandDisallowed)
        #expect(radio.status(LESetAdvertisingEnable(isEnabled: false), to: id) == .success)
        #expect(radio.status(LESetAdvertisingEnable(isEnabled: false), to: id) == .success)
    }

    @Test func `31 octets of data and of scan response fit and come whole`() {
        var radio = TestRadio()
        let scanner = radio.add(1)
        let id = radio.add(2)
        let data = [UInt8](repeating: 0xAA, count: 31)
        let response = [UInt8](repeating: 0xBB, count: 31)
        radio.advertise(id, data: data, scanResponse: response)
        radio.scan(scanner, active: true)
        radio.run(.milliseconds(500))
        #expect(Set(radio.reports(scanner).map(\.data)) == [data, response])
    }

    @Test func `a filter policy answers only those of the accept list`() {
        for policy in UInt8(0)...3 {
            var radio = TestRadio()
            let scanner = radio.add(1)
            let id = radio.add(2)
            radio.send(LEAddDeviceToFilterAcceptList(address: DeviceAddress(0x42)), to: id)
            var parameters = LESetAdvertisingParameters()
            parameters.intervalMinimum = 32
            parameters.intervalMaximum = 32
            parameters.filterPolicy = policy
            radio.send(parameters, to: id)
            radio.send(LESetAdvertisingEnable(isEnabled: true), to: id)
            radio.scan(scanner, active: true)
            radio.run(.milliseconds(500))
            #expect(radio.reports(scanner).contains { $0.type == .scanResponse } == (policy & 1 == 0))
            radio.send(LESetScanEnable(isEnabled: false, filterDuplicates: false), to: scanner)
            radio.initiate(scanner, to: radio.address(id))
            radio.run(.seconds(1))
            #expect(radio.connections(id).isEmpty == (policy & 2 == 2))
        }
    }
}
