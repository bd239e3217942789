import BLEController
import BLEWire
import Testing

/// Advertising sets: what hosts set, and what is on the air. [Vol 6, Part B, 4.4.2]
@Suite struct ExtendedAdvertisingTests {
    private func captured() -> TestRadio {
        var settings = RadioSettings()
        settings.capturesAir = true
        return TestRadio(settings)
    }

    private func octets(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) } }

    @Test func `each ADV_EXT_IND points to the one AUX_ADV_IND, within a unit, on its channel and PHY`() throws {
        for (secondary, layer) in [(LEPHY.le1M, PhysicalLayer.le1M), (.le2M, .le2M), (.leCoded, .codedS8)] {
            var radio = captured()
            let id = radio.add(1)
            #expect(radio.advertiseSet(id, data: octets(100), secondary: secondary) == .success)
            radio.run(.milliseconds(60))
            let event = Array(radio.extendedPackets.prefix(4))
            try #require(event.count == 4)
            #expect(event.map(\.packet.channel).prefix(3) == [37, 38, 39])
            let auxiliary = event[3]
            #expect(auxiliary.packet.channel < 37)
            #expect(auxiliary.packet.phy == layer)
            #expect(auxiliary.payload.data == octets(100))
            for pointer in event.prefix(3) {
                #expect(pointer.fields.flags == [.dataInfo, .pointer])
                #expect(pointer.fields.pointer.channel == auxiliary.packet.channel)
                #expect(pointer.fields.pointer.phy == auxiliary.packet.phy.mask)
                let offset = auxiliary.packet.time - pointer.packet.time
                #expect(pointer.fields.pointer.offset <= offset)
                #expect(offset < pointer.fields.pointer.offset + pointer.fields.pointer.unit)
                #expect(pointer.fields.dataInfo == auxiliary.fields.dataInfo)
                // T_MAFS between the end of the pointer and the start of what it points to.
                let air = AirTime.packet(payload: pointer.packet.pdu.count - 2, on: .le1M)
                #expect(offset >= air + .microseconds(300))
            }
            #expect(auxiliary.fields.dataInfo >> 12 == 5)
            #expect(auxiliary.fields.advertiser == radio.address(id).bits)
        }
    }

    @Test(arguments: [1, 31, 244, 245, 246, 700, 1650])
    func `data of any length comes in as many packets as it needs, each pointing to the next`(_ count: Int) throws {
        var radio = captured()
        let id = radio.add(1)
        #expect(radio.advertiseSet(id, data: octets(count)) == .success)
        radio.run(.milliseconds(90))
        let train = radio.extendedPackets.prefix {
            $0.packet.channel >= 37 || $0.packet.time < .start + .milliseconds(80)
        }
        .filter { $0.packet.channel < 37 }
        #expect(train.flatMap(\.payload.data) == octets(count))
        for (one, next) in zip(train, train.dropFirst()) {
            let offset = next.packet.time - one.packet.time
            #expect(one.fields.pointer.offset <= offset && offset < one.fields.pointer.offset + .microseconds(30))
            #expect(one.fields.pointer.channel == next.packet.channel)
            #expect(next.fields.dataInfo == one.fields.dataInfo)
        }
        #expect(train.last?.fields.flags.contains(.pointer) == false)
        #expect(train.allSatisfy { $0.packet.pdu.count <= 257 })
    }

    @Test func `a set without data that can't be answered says everything in ADV_EXT_IND`() throws {
        var radio = captured()
        let scanner = radio.add(1)
        let id = radio.add(2)
        radio.scanExtended(scanner)
        #expect(radio.advertiseSet(id) == .success)
        radio.run(.milliseconds(500))
        #expect(radio.extendedPackets.allSatisfy { $0.packet.channel >= 37 && $0.fields.flags == .advertiser })
        let report = try #require(radio.extendedReports(scanner).first)
        #expect(report.address == radio.address(id))
        #expect(report.type == [])
        #expect(report.secondaryPHY == .none)
    }

    @Test func `legacy PDUs of a set are heard by a legacy scanner like any other`() throws {
        var radio = TestRadio()
        let scanner = radio.add(1)
        let id = radio.add(2)
        radio.scan(scanner, active: true)
        #expect(
            radio.advertiseSet(id, [.legacy, .connectable, .scannable], data: [2, 1, 6], scanResponse: [2, 9, 0x41])
                == .success)
        radio.run(.milliseconds(500))
        #expect(Set(radio.reports(scanner).map(\.type)) == [.connectableAndScannable, .scanResponse])
        #expect(Set(radio.reports(scanner).map(\.data)) == [[2, 1, 6], [2, 9, 0x41]])
    }

    @Test func `a legacy scanner doesn't know extended advertising`() {
        var radio = TestRadio()
        let scanner = radio.add(1)
        let id = radio.add(2)
        radio.scan(scanner, active: true)
        #expect(radio.advertiseSet(id, data: octets(40)) == .success)
        radio.run(.seconds(2))
        #expect(radio.reports(scanner).isEmpty && radio.extendedReports(scanner).isEmpty)
    }

    @Test func `a set ends after its duration, and after its events`() {
        var radio = TestRadio()
        let id = radio.add(1)
        let start = radio.now
        #expect(radio.advertiseSet(id, data: octets(40), duration: 50) == .success)
        radio.run(.seconds(3))
        #expect(radio.terminations(id).map(\.status) == [.advertisingTimeout])
        #expect(
            radio.time(of: id) { if case .leAdvertisingSetTerminated = $0 { true } else { false } }
                == start + .milliseconds(500))
        #expect(radio.radio.linkLayerState(of: id) == .standby)
        radio.clear()
        #expect(radio.advertiseSet(id, handle: 1, data: octets(40), maximumEvents: 7) == .success)
        radio.run(.seconds(3))
        #expect(
            radio.terminations(id)
                == [LEAdvertisingSetTerminated(status: .limitReached, advertisingHandle: 1, completedEvents: 7)])
    }

    @Test func `sets of one controller share its radio: their packets don't overlap`() {
        var radio = captured()
        let id = radio.add(1)
        for handle in UInt8(0)..<8 {
            #expect(radio.advertiseSet(id, handle: handle, data: octets(700), interval: 64) == .success)
        }
        radio.run(.seconds(5))
        let packets = radio.air.sorted { $0.time < $1.time }
        for (one, next) in zip(packets, packets.dropFirst()) {
            #expect(one.time + AirTime.packet(payload: one.pdu.count - 2, on: one.phy) <= next.time)
        }
        // Each gets its turn.
        let sets = Set(radio.extendedPackets.filter { $0.packet.channel < 37 }.map { $0.fields.dataInfo })
        #expect(sets.count == 8)
        let tooMany = radio.advertiseSet(id, handle: 9, data: octets(4))
        #expect(tooMany == .memoryCapacityExceeded)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `a set with legacy PDUs that was alone shares the radio from when another begins`(_ seed: UInt64) {
        var settings = RadioSettings()
        settings.capturesAir = true
        var radio = TestRadio(seed: seed, settings)
        let id = radio.add(1)
        #expect(radio.advertiseSet(id, [.legacy, .scannable], data: [2, 1, 6], interval: 32) == .success)
        radio.run(.milliseconds(100))
        #expect(radio.advertiseSet(id, handle: 1, data: octets(1650), interval: 32) == .success)
        radio.run(.seconds(1))
        let packets = radio.air.sorted { $0.time < $1.time }
        #expect(Set(packets.map { $0.pdu[0] & 0x0F }) == [6, 7])
        for (one, next) in zip(packets, packets.dropFirst()) {
            #expect(one.time + AirTime.packet(payload: one.pdu.count - 2, on: one.phy) <= next.time)
        }
    }

    @Test func `the number of the data changes with the data, and when the host says so`() {
        var radio = captured()
        let id = radio.add(1)
        #expect(radio.advertiseSet(id, data: octets(40)) == .success)
        radio.run(.milliseconds(150))
        radio.send(LESetExtendedAdvertisingData(data: octets(41)), to: id)
        radio.run(.milliseconds(150))
        #expect(radio.status(LESetExtendedAdvertisingData(operation: .unchanged), to: id) == .success)
        radio.run(.milliseconds(150))
        var numbers: [UInt16] = []
        for info in radio.extendedPackets.map(\.fields.dataInfo) where numbers.last != info { numbers.append(info) }
        #expect(numbers.count == 3)
    }

    @Test func `links come first: no packet of a set is sent while its controller's link is`() throws {
        var radio = captured()
        let central = radio.add(1)
        let peripheral = radio.add(2)
        radio.initiateExtended(central, to: radio.address(peripheral), interval: 8)
        #expect(radio.advertiseSet(peripheral, [.legacy, .connectable, .scannable], data: [2, 1, 6]) == .success)
        radio.run(.seconds(1))
        #expect(radio.connections(peripheral).count == 1)
        radio.clear()
        #expect(radio.advertiseSet(peripheral, handle: 1, data: octets(1650), interval: 32) == .success)
        radio.run(.seconds(2))
        let links = radio.linkPackets
        let sets = radio.extendedPackets.map(\.packet)
        #expect(links.count > 100 && sets.count > 100)
        func end(_ packet: AirPacket) -> Instant {
            packet.time + AirTime.packet(payload: packet.pdu.count - 2, on: packet.phy)
        }
        #expect(sets.allSatisfy { set in links.allSatisfy { end($0) <= set.time || end(set) <= $0.time } })
    }
}
