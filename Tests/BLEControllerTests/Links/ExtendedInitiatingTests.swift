import BLEController
import BLEWire
import Testing

/// Links that begin on secondary channels. [Vol 6, Part B, 4.4.4]
@Suite struct ExtendedInitiatingTests {
    private func captured() -> TestRadio {
        var settings = RadioSettings()
        settings.capturesAir = true
        return TestRadio(settings)
    }

    @Test(
        arguments: [
            (.le1M, .le1M, .le1M), (.le1M, .le2M, .le1M), (.leCoded, .leCoded, .leCoded), (.le1M, .leCoded, .le1M),
        ] as [(LEPHY, LEPHY, PHYSet)])
    func `the link has the PHY of the advertisement, and carries data`(
        _ primary: LEPHY, _ secondary: LEPHY, _ phys: PHYSet
    ) throws {
        var radio = captured()
        let central = radio.add(1)
        let peripheral = radio.add(2)
        #expect(
            radio.advertiseSet(
                peripheral, handle: 3, .connectable, data: [2, 1, 6], primary: primary, secondary: secondary)
                == .success)
        #expect(radio.initiateExtended(central, to: radio.address(peripheral), phys: phys) == .success)
        radio.run(atMost: .seconds(5)) { !$0.connections(central).isEmpty && !$0.connections(peripheral).isEmpty }
        let own = try #require(radio.connections(central).first)
        let other = try #require(radio.connections(peripheral).first)
        #expect(own.status == .success && own.role == .central && own.peer == radio.address(peripheral))
        #expect(other.status == .success && other.role == .peripheral && other.peer == radio.address(central))
        #expect(
            radio.terminations(peripheral)
                == [LEAdvertisingSetTerminated(status: .success, advertisingHandle: 3, handle: other.handle)])
        #expect(
            try radio.returned(by: LEReadPHY(handle: own.handle), of: central)
                == .init(handle: own.handle, transmitPHY: secondary, receivePHY: secondary))
        radio.sendData([1, 2, 3], to: central, own.handle)
        radio.sendData([4, 5], to: peripheral, other.handle)
        radio.run(.seconds(1))
        #expect(radio.data(peripheral).map(\.payloadOctets) == [[1, 2, 3]])
        #expect(radio.data(central).map(\.payloadOctets) == [[4, 5]])
        #expect(radio.disconnections(central).isEmpty)
        // Algorithm #2 in any case.
        let algorithms = radio.events(central).compactMap {
            if case .leChannelSelectionAlgorithm(let event) = $0 { event.algorithm } else { nil }
        }
        #expect(algorithms == [1])
    }

    @Test func `request and response follow after one inter frame space each, the window after its delay`() throws {
        var radio = captured()
        let central = radio.add(1)
        let peripheral = radio.add(2)
        #expect(radio.advertiseSet(peripheral, .connectable, data: [2, 1, 6], secondary: .le2M) == .success)
        radio.initiateExtended(central, to: radio.address(peripheral))
        radio.run(atMost: .seconds(5)) { $0.linkPackets.count > 0 }
        let request = try #require(radio.air.firstIndex { $0.pdu[0] & 0x0F == 5 })
        let packets = radio.air[(request - 1)...(request + 1)]
        #expect(Set(packets.map(\.channel)).count == 1)
        #expect(packets.map(\.phy) == [.le2M, .le2M, .le2M])
        #expect(packets.map { $0.pdu[0] & 0x0F } == [7, 5, 8])
        for (one, next) in zip(packets, packets.dropFirst()) {
            let air = AirTime.packet(payload: one.pdu.count - 2, on: .le2M)
            #expect(next.time - one.time == air + .microseconds(150))
        }
        let end = radio.air[request].time + AirTime.packet(payload: 34, on: .le2M)
        let first = try #require(radio.linkPackets.first)
        #expect(first.time - end == .microseconds(2500))
        #expect(first.phy == .le2M)
    }

    @Test func `an initiator that doesn't hear AUX_CONNECT_RSP goes on, and its advertiser gives the link up`() throws {
        var radio = captured()
        let central = radio.add(1)
        let peripheral = radio.add(2)
        #expect(radio.advertiseSet(peripheral, .connectable, data: [2, 1, 6]) == .success)
        radio.initiateExtended(central, to: radio.address(peripheral))
        radio.run(atMost: .seconds(5)) { radio in radio.air.contains { $0.pdu[0] & 0x0F == 5 } }
        radio.radio.loseNext(1, from: peripheral, to: central)
        radio.run(.seconds(2))
        #expect(radio.connections(central).isEmpty)
        #expect(radio.radio.linkLayerState(of: central) == .initiating)
        #expect(radio.disconnections(peripheral).map(\.reason) == [.failedToBeEstablished])
    }

    @Test func `legacy advertisers are connected to by the extended command, and sets with legacy PDUs by the old one`()
        throws
    {
        var radio = TestRadio()
        let ids = (UInt8(1)...4).map { radio.add($0) }
        radio.advertise(ids[1])
        radio.initiateExtended(ids[0], to: radio.address(ids[1]))
        #expect(
            radio.advertiseSet(ids[3], [.legacy, .connectable, .scannable], data: [2, 1, 6]) == .success)
        radio.initiate(ids[2], to: radio.address(ids[3]))
        radio.run(.seconds(1))
        for id in ids { #expect(radio.connections(id).map(\.status) == [.success]) }
        #expect(radio.terminations(ids[3]).map(\.status) == [.success])
    }

    @Test func `an extended advertiser isn't found by the old command`() {
        var radio = TestRadio()
        let central = radio.add(1)
        let peripheral = radio.add(2)
        #expect(radio.advertiseSet(peripheral, .connectable, data: [2, 1, 6]) == .success)
        radio.initiate(central, to: radio.address(peripheral))
        radio.run(.seconds(3))
        #expect(radio.connections(central).isEmpty)
    }

    @Test func `directed extended advertising is for whom it names`() {
        var radio = TestRadio()
        let wanted = radio.add(1)
        let other = radio.add(2)
        let peripheral = radio.add(3)
        let target = radio.address(wanted)
        #expect(radio.advertiseSet(peripheral, [.connectable, .directed]) { $0.peer = target } == .success)
        radio.initiateExtended(other, to: radio.address(peripheral))
        radio.run(.seconds(2))
        #expect(radio.connections(other).isEmpty)
        radio.initiateExtended(wanted, to: radio.address(peripheral))
        radio.run(.seconds(2))
        #expect(radio.connections(wanted).map(\.status) == [.success])
    }

    @Test func `two initiators: one gets the link, the other goes on`() {
        var radio = TestRadio()
        let first = radio.add(1)
        let second = radio.add(2)
        let peripheral = radio.add(3)
        for id in [first, second] { radio.initiateExtended(id, to: radio.address(peripheral)) }
        #expect(radio.advertiseSet(peripheral, .connectable, data: [2, 1, 6]) == .success)
        radio.run(.seconds(3))
        #expect(radio.connections(first).count + radio.connections(second).count == 1)
        #expect(radio.connections(peripheral).count == 1)
    }
}
