import BLEController
import BLEWire
import Testing

@Suite struct ArbitrationTests {
    private func captured(_ seed: UInt64 = 1) -> TestRadio {
        var settings = RadioSettings()
        settings.capturesAir = true
        return TestRadio(seed: seed, settings)
    }

    @Test func `a central spreads the anchor points of its links`() throws {
        var radio = captured()
        let central = radio.add(100)
        for last in UInt8(1)...7 { _ = try radio.connect(central, to: radio.add(last), interval: 24) }
        radio.clear()
        radio.run(.milliseconds(300))
        let sent = radio.linkPackets.filter { $0.direction == .centralToPeripheral }
        #expect(sent.count == 70)
        #expect(zip(sent.dropFirst(), sent).allSatisfy { $0.time - $1.time >= .microseconds(1250) })
    }

    @Test func `no two packets that one radio sends or receives overlap`() throws {
        var radio = captured()
        let central = radio.add(100) { $0.aclPacketCount = 60 }
        var handles: [ConnectionHandle] = []
        for (last, interval) in [(UInt8(1), UInt16(6)), (2, 8), (3, 24), (4, 40), (5, 7)] {
            handles.append(try radio.connect(central, to: radio.add(last), interval: interval, timeout: 400).central)
        }
        radio.clear()
        for handle in handles {
            radio.pump(central, handle, [[UInt8]](repeating: [UInt8](repeating: 1, count: 27), count: 400), credits: 12)
        }
        radio.run(.seconds(2))
        let packets = radio.linkPackets
        for (first, second) in zip(packets, packets.dropFirst()) {
            let end = first.time + AirTime.packet(payload: first.pdu.count - 2, on: first.phy)
            #expect(second.time >= end)
        }
        #expect(radio.disconnections(central).isEmpty)
    }

    @Test func `all links of a busy central get their data through`() throws {
        var radio = TestRadio()
        let central = radio.add(100) { $0.aclPacketCount = 80 }
        var peripherals: [ControllerID] = []
        for last in UInt8(1)...20 {
            let peripheral = radio.add(last)
            peripherals.append(peripheral)
            let handle = try radio.connect(central, to: peripheral, interval: 24, timeout: 400).central
            radio.pump(central, handle, (0..<100).map { [UInt8($0), last] }, credits: 4)
        }
        radio.run(.seconds(20))
        for (place, peripheral) in peripherals.enumerated() {
            #expect(radio.data(peripheral).map(\.payloadOctets) == (0..<100).map { [UInt8($0), UInt8(place + 1)] })
        }
        #expect(radio.disconnections(central).isEmpty)
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func `a device with links in both roles keeps them, wherever their anchor points lie`(_ seed: UInt64) throws {
        var radio = TestRadio(seed: seed)
        let middle = radio.add(1)
        let above = [radio.add(2), radio.add(3), radio.add(4)]
        let below = [radio.add(5), radio.add(6)]
        for central in above { _ = try radio.connect(central, to: middle, interval: 6, timeout: 100) }
        for peripheral in below { _ = try radio.connect(middle, to: peripheral, interval: 6, timeout: 100) }
        #expect(radio.radio.linkLayerState(of: middle) == [.connectedAsCentral, .connectedAsPeripheral])
        radio.clear()
        for (index, central) in above.enumerated() {
            guard let handle = radio.radio.linkHandles(of: central).first else { continue }
            radio.pump(central, handle, (0..<200).map { [UInt8(index), UInt8($0)] }, credits: 8)
        }
        radio.run(.seconds(20))
        #expect(radio.disconnections(middle).isEmpty)
        #expect(radio.data(middle).count == 600)
    }

    @Test func `two centrals whose anchor points meet at one peripheral take turns`() throws {
        var met = 0
        for seed in UInt64(1)...60 {
            var radio = captured(seed)
            let peripheral = radio.add(1)
            let centrals = [radio.add(2), radio.add(3)]
            for central in centrals { _ = try radio.connect(central, to: peripheral, interval: 6, timeout: 100) }
            radio.clear()
            radio.run(.microseconds(7499))
            let anchors = radio.linkPackets.filter { $0.direction == .centralToPeripheral }.map(\.time)
            guard anchors.count == 2, anchors[1] - anchors[0] < .microseconds(300) else { continue }
            met += 1
            radio.run(.seconds(5))
            #expect(radio.disconnections(peripheral).isEmpty)
            for central in centrals { #expect(radio.disconnections(central).isEmpty) }
        }
        #expect(met > 0)
    }

    @Test func `a device that streams on a link is still found and can still scan`() throws {
        var radio = TestRadio()
        let central = radio.add(1)
        let peripheral = radio.add(2)
        let stranger = radio.add(3)
        let handle = try radio.connect(central, to: peripheral, interval: 320, timeout: 400).central
        radio.pump(central, handle, [[UInt8]](repeating: [UInt8](repeating: 1, count: 27), count: 20_000), credits: 8)
        radio.advertise(central, type: .nonConnectable)
        radio.scan(stranger)
        radio.advertise(stranger)
        radio.scan(central)
        radio.run(.seconds(5))
        #expect(radio.reports(stranger).filter { $0.address == radio.address(central) }.count > 10)
        #expect(radio.reports(central).filter { $0.address == radio.address(stranger) }.count > 10)
    }

    @Test func `a central that streams can still make a second link`() throws {
        var radio = TestRadio()
        let central = radio.add(1)
        let peripheral = radio.add(2)
        let handle = try radio.connect(central, to: peripheral, interval: 320, timeout: 400).central
        radio.pump(central, handle, [[UInt8]](repeating: [UInt8](repeating: 1, count: 27), count: 20_000), credits: 8)
        _ = try radio.connect(central, to: radio.add(3), interval: 24)
        radio.run(.seconds(2))
        #expect(radio.disconnections(central).isEmpty)
    }
}
