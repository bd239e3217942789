import BLEController
import BLEWire
import Testing

@Suite struct ConnectionEventTests {
    private func linked(
        interval: UInt16 = 6, latency: UInt16 = 0, seed: UInt64 = 1, buffers: Int = 30
    ) throws -> (TestRadio, ControllerID, ControllerID, ConnectionHandle, ConnectionHandle) {
        var settings = RadioSettings()
        settings.capturesAir = true
        var radio = TestRadio(seed: seed, settings)
        let central = radio.add(1) { $0.aclPacketCount = buffers }
        let peripheral = radio.add(2) { $0.aclPacketCount = buffers }
        let handles = try radio.connect(central, to: peripheral, interval: interval, latency: latency, timeout: 200)
        radio.clear()
        return (radio, central, peripheral, handles.central, handles.peripheral)
    }

    /// Packets of a link by event: those that follow each other by one inter frame space.
    private func events(_ packets: [AirPacket]) -> [[AirPacket]] {
        var events: [[AirPacket]] = []
        var end = Instant.start
        for packet in packets {
            let length = AirTime.packet(payload: packet.pdu.count - 2, on: packet.phy)
            if packet.time - end == .microseconds(150), !events.isEmpty {
                events[events.count - 1].append(packet)
            } else {
                events.append([packet])
            }
            end = packet.time + length
        }
        return events
    }

    @Test func `an event without data is two empty packets, 150 µs apart`() throws {
        var (radio, _, _, _, _) = try linked()
        radio.run(.milliseconds(75))
        let events = events(radio.linkPackets)
        #expect(events.count == 10)
        #expect(events.allSatisfy { $0.count == 2 && $0[1].time - $0[0].time == .microseconds(80 + 150) })
        #expect(radio.linkPackets.allSatisfy { $0.pdu.count == 2 && $0.pdu[0] & 0b11 == 0b01 && $0.isCRCValid })
    }

    @Test(arguments: [true, false])
    func `eleven packets of 27 octets fit an event of 7.5 ms, each 676 µs after the other`(_ fromCentral: Bool) throws {
        var (radio, central, peripheral, own, other) = try linked()
        let payloads = (0..<30).map { [UInt8](repeating: UInt8($0), count: 27) }
        for payload in payloads {
            radio.sendData(payload, to: fromCentral ? central : peripheral, fromCentral ? own : other)
        }
        radio.run(.milliseconds(30))
        let full = events(radio.linkPackets).filter { $0.count > 2 }
        #expect(full.map { $0.count / 2 }.prefix(2) == [11, 11])
        let data = try #require(full.first).filter { $0.pdu.count == 29 }
        #expect(zip(data.dropFirst(), data).allSatisfy { $0.time - $1.time == .microseconds(676) })
        #expect(radio.data(fromCentral ? peripheral : central).map(\.payloadOctets) == payloads)
    }

    @Test func `the last packet of an event ends one inter frame space before the next anchor point, or earlier`()
        throws
    {
        for interval in [UInt16(6), 7, 9, 24] {
            var (radio, central, _, own, _) = try linked(interval: interval)
            radio.pump(central, own, [[UInt8]](repeating: [UInt8](repeating: 1, count: 27), count: 2000), credits: 30)
            radio.run(.seconds(1))
            let events = events(radio.linkPackets)
            for (event, next) in zip(events, events.dropFirst()) {
                guard let last = event.last, let anchor = next.first?.time else { continue }
                let end = last.time + AirTime.packet(payload: last.pdu.count - 2, on: .le1M)
                #expect(anchor - end >= .microseconds(150))
            }
        }
    }

    @Test func `MD is set while there is more to send, and ends the event where it isn't`() throws {
        var (radio, central, _, own, _) = try linked()
        for octet in UInt8(0)..<3 { radio.sendData([octet], to: central, own) }
        radio.run(.milliseconds(8))
        let sent = radio.linkPackets.filter { $0.direction == .centralToPeripheral && $0.pdu.count > 2 }
        #expect(sent.map { $0.pdu[0] & 0x10 } == [0x10, 0x10, 0])
    }

    @Test func `sequence numbers alternate, and acknowledge`() throws {
        var (radio, central, _, own, _) = try linked()
        for octet in UInt8(0)..<4 { radio.sendData([octet], to: central, own) }
        radio.run(.milliseconds(8))
        let sent = radio.linkPackets.filter { $0.direction == .centralToPeripheral }.map { $0.pdu[0] >> 3 & 1 }
        #expect(zip(sent.dropFirst(), sent).allSatisfy { $0 != $1 })
    }

    @Test func `a packet of the host counts as completed when its last fragment is acknowledged, not before`() throws {
        var (radio, central, _, own, _) = try linked()
        radio.sendData([UInt8](repeating: 7, count: 60), to: central, own)
        radio.run(.milliseconds(8))
        let packets = radio.linkPackets
        let last = try #require(packets.last { $0.direction == .centralToPeripheral && $0.pdu.count > 2 })
        #expect(last.pdu.count == 2 + 6)
        // The acknowledgement is the answer: 64 + 80 µs + 150 µs + 80 µs later.
        let answer = last.time + AirTime.packet(payload: 6, on: .le1M) + .microseconds(150 + 80)
        #expect(radio.time(of: central) { if case .numberOfCompletedPackets = $0 { true } else { false } } == answer)
    }

    @Test func `a peripheral's packet counts as completed with the central's next packet`() throws {
        var (radio, _, peripheral, _, other) = try linked()
        radio.sendData([1, 2, 3], to: peripheral, other)
        radio.run(.milliseconds(20))
        let sent = try #require(radio.linkPackets.first { $0.direction == .peripheralToCentral && $0.pdu.count > 2 })
        let next = try #require(radio.linkPackets.first { $0.direction == .centralToPeripheral && $0.time > sent.time })
        let completed = radio.time(of: peripheral) { if case .numberOfCompletedPackets = $0 { true } else { false } }
        #expect(completed == next.time + .microseconds(80))
    }

    @Test func `fragments of a long packet are one start and continuations, and reach the host as such`() throws {
        var (radio, central, peripheral, own, _) = try linked()
        radio.sendData([UInt8](0..<60), to: central, own)
        radio.run(.milliseconds(8))
        let sent = radio.linkPackets.filter { $0.pdu.count > 2 }
        #expect(sent.map { $0.pdu[0] & 0b11 } == [0b10, 0b01, 0b01])
        #expect(sent.map { Int($0.pdu[1]) } == [27, 27, 6])
        #expect(radio.data(peripheral).map(\.boundary) == [.first, .continuing, .continuing])
        #expect(radio.data(peripheral).flatMap(\.payloadOctets) == [UInt8](0..<60))
    }

    @Test func `a continuation from the host is no start on the air`() throws {
        var (radio, central, peripheral, own, _) = try linked()
        radio.send(packet: HCIACLData.packet(handle: own, boundary: .firstFromHost, payload: [1]), to: central)
        radio.send(packet: HCIACLData.packet(handle: own, boundary: .continuing, payload: [2]), to: central)
        radio.run(.milliseconds(8))
        #expect(radio.data(peripheral).map(\.boundary) == [.first, .continuing])
    }

    @Test func `each event is on the channel of the algorithm`() throws {
        var (radio, _, _, _, _) = try linked()
        radio.run(.seconds(1))
        let sent = radio.linkPackets.filter { $0.direction == .centralToPeripheral }
        let selection = ChannelSelection.second(accessAddress: sent[0].accessAddress)
        let channels = sent.map(\.channel)
        let start = try #require(
            (UInt64(0)..<20).first { first in
                channels.prefix(10).enumerated().allSatisfy {
                    selection.channel(event: first + UInt64($0.offset), map: .all) == $0.element
                }
            })
        #expect(channels == channels.indices.map { selection.channel(event: start + UInt64($0), map: .all) })
    }

    @Test func `with latency a peripheral sleeps through as many events, and wakes when it has something`() throws {
        var (radio, _, peripheral, _, other) = try linked(interval: 24, latency: 4)
        radio.run(.milliseconds(600))
        var answers = radio.linkPackets.filter { $0.direction == .peripheralToCentral }
        #expect(zip(answers.dropFirst(), answers).allSatisfy { $0.time - $1.time == .milliseconds(150) })
        radio.clear()
        radio.sendData([1], to: peripheral, other)
        radio.run(.milliseconds(31))
        answers = radio.linkPackets.filter { $0.direction == .peripheralToCentral }
        #expect(answers.first?.pdu.count == 3)
    }

    @Test func `data for a sleeping peripheral comes with the first event that it listens to`() throws {
        var (radio, central, peripheral, own, _) = try linked(interval: 24, latency: 4)
        radio.sendData([5], to: central, own)
        radio.run(.milliseconds(160))
        #expect(radio.data(peripheral).map(\.payloadOctets) == [[5]])
    }

    @Test(arguments: [0.1, 0.3, 0.5])
    func `under loss everything arrives once and in order, both ways`(_ loss: Double) throws {
        var (radio, central, peripheral, own, other) = try linked(interval: 12)
        radio.radio.setLoss(loss, between: central, and: peripheral)
        let down = (0..<300).map { [UInt8($0 & 0xFF), UInt8($0 >> 8)] + [UInt8](repeating: 1, count: $0 % 40) }
        let up = (0..<300).map { [UInt8($0 & 0xFF), UInt8($0 >> 8), 9] }
        radio.pump(central, own, down, credits: 30)
        radio.pump(peripheral, other, up, credits: 30)
        radio.run(.seconds(60))
        #expect(joined(radio.data(peripheral)) == down)
        #expect(joined(radio.data(central)) == up)
    }

    @Test func `packets with a wrong CRC are asked for again`() throws {
        var (radio, central, peripheral, own, _) = try linked(interval: 12)
        radio.radio.setCorruption(0.3, between: central, and: peripheral)
        let down = (0..<200).map { [UInt8]($0 % 3 == 0 ? [UInt8($0)] : [UInt8($0), 1, 2, 3, 4, 5]) }
        radio.pump(central, own, down, credits: 30)
        radio.run(.seconds(20))
        #expect(joined(radio.data(peripheral)) == down)
    }

    @Test func `losing exactly the next packet costs one event`() throws {
        var (radio, central, peripheral, own, _) = try linked()
        radio.radio.loseNext(1, from: central, to: peripheral)
        radio.sendData([1], to: central, own)
        radio.run(.milliseconds(16))
        let sent = radio.linkPackets.filter { $0.pdu.count > 2 }
        #expect(sent.count == 2)
        #expect(sent[1].time - sent[0].time == .microseconds(7500))
        #expect(sent[0].pdu[0] & 0x08 == sent[1].pdu[0] & 0x08)
        #expect(radio.data(peripheral).count == 1)
    }

    @Test func `a lost acknowledgement brings the packet again, and the host sees it once`() throws {
        var (radio, central, peripheral, own, _) = try linked()
        radio.radio.loseNext(1, from: peripheral, to: central)
        radio.sendData([1], to: central, own)
        radio.run(.milliseconds(30))
        #expect(radio.linkPackets.filter { $0.pdu.count > 2 }.count == 2)
        #expect(radio.data(peripheral).map(\.payloadOctets) == [[1]])
    }

    private func joined(_ data: [HCIACLData]) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        for fragment in data {
            if fragment.boundary == .first { packets.append([]) }
            packets[packets.count - 1] += fragment.payloadOctets
        }
        return packets
    }
}
