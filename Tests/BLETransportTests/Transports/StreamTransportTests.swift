import BLETransport
import Testing

private let reset: [UInt8] = [0x01, 0x03, 0x0C, 0x00]
private let resetDone: [UInt8] = [0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]

@Suite struct StreamTransportTests {
    private let pair = SocketPair()
    private func transport(outputLimit: Int = 1 << 22) -> StreamTransport {
        StreamTransport(descriptor: pair.ours, outputLimit: outputLimit)
    }

    @Test func `delivers packets`() {
        let transport = transport()
        pair.write(resetDone + resetDone)
        var packets: [[UInt8]] = []
        #expect(transport.receive(into: &packets) == .open)
        #expect(packets == [resetDone, resetDone])
    }

    @Test(
        arguments: [
            [0x01, 0x01, 0xFC, 0x03, 0x01, 0x02, 0x04],
            [0x02, 0x40, 0x20, 0x05, 0x00, 0x01, 0x00, 0x04, 0x00, 0x02],
            [0x02, 0x40, 0x20, 0x00, 0x00],
            [0x03, 0x40, 0x00, 0x02, 0x01, 0x01],
            [0x04, 0xFF, 0x00],
            [0x05, 0x40, 0x00, 0x01, 0xC0, 0xAA],
        ] as [[UInt8]])
    func `puts a packet together wherever it is cut`(packet: [UInt8]) {
        let transport = transport()
        for cut in 0...packet.count {
            var packets: [[UInt8]] = []
            pair.write(Array(packet[..<cut]))
            #expect(transport.receive(into: &packets) == .open)
            pair.write(Array(packet[cut...]))
            #expect(transport.receive(into: &packets) == .open)
            #expect(packets == [packet], "cut at \(cut)")
        }
    }

    @Test func `skips what is on a serial line before the answer to the first reset`() {
        let transport = StreamTransport(descriptor: pair.ours, .serial)
        pair.write([0x00, 0x55, 0x04, 0xFF, 0x02] + resetDone + resetDone)
        var packets: [[UInt8]] = []
        #expect(transport.receive(into: &packets) == .open)
        #expect(packets == [resetDone, resetDone])
    }

    @Test func `finds its place on a serial line again when the controller is reset`() {
        let transport = StreamTransport(descriptor: pair.ours, .serial)
        var packets: [[UInt8]] = []
        // An octet was lost: all that follows is taken for the end of a long packet.
        pair.write(resetDone + [0x02, 0x40, 0x20, 0xFF, 0xFF, 0x01, 0x04, 0xFF, 0x00])
        #expect(transport.receive(into: &packets) == .open)
        #expect(packets == [resetDone])
        #expect(transport.send([[0x01, 0x01, 0x10, 0x00], reset]) == .open)
        pair.write([0x04, 0xFF, 0x00, 0x55] + resetDone + [0x04, 0xFF, 0x00])
        #expect(transport.receive(into: &packets) == .open)
        #expect(packets == [resetDone, resetDone, [0x04, 0xFF, 0x00]])
    }

    @Test func `delivers what was written before the other side closed`() {
        let transport = transport()
        pair.write(resetDone)
        pair.closeTheirs()
        var packets: [[UInt8]] = []
        #expect(transport.receive(into: &packets) == .closed(reason: "the other side closed"))
        #expect(packets == [resetDone])
    }

    @Test func `says that the other side closed in the middle of a packet`() {
        let transport = transport()
        pair.write(resetDone + resetDone.prefix(5))
        pair.closeTheirs()
        var packets: [[UInt8]] = []
        #expect(transport.receive(into: &packets) == .closed(reason: "the other side closed 5 octets into a packet"))
        #expect(packets == [resetDone])
    }

    @Test func `closes on octets that aren't H4, after the packets before them`() {
        let transport = transport()
        pair.write(resetDone + [0x7F, 0x01, 0x02] + resetDone)
        var packets: [[UInt8]] = []
        #expect(
            transport.receive(into: &packets)
                == .closed(reason: "0x7F came where an H4 packet indicator belongs"))
        #expect(packets == [resetDone])
    }

    @Test func `writes the packets of one call at once`() {
        let records = SocketPair(keepsRecords: true)
        let transport = StreamTransport(descriptor: records.ours)
        #expect(transport.send([reset, resetDone, reset]) == .open)
        #expect(records.read() == reset + resetDone + reset)
    }

    @Test func `keeps what doesn't fit and sends it when there is room`() {
        let transport = transport()
        let packet: [UInt8] = [0x02, 0x40, 0x20, 0xFF, 0xFF] + (0..<0xFFFF).map { UInt8(truncatingIfNeeded: $0) }
        let packets = [[UInt8]](repeating: packet, count: 16)
        #expect(transport.send(packets) == .open)
        #expect(transport.wantsWrite)
        #expect(transport.send([reset]) == .open)
        var received: [UInt8] = []
        while transport.wantsWrite {
            received += pair.read()
            #expect(transport.flush() == .open)
        }
        received += pair.read()
        #expect(received == packets.flatMap { $0 } + reset)
    }

    @Test func `closes when the other side leaves more unread than the limit`() {
        let transport = transport(outputLimit: 1_000_000)
        let packet: [UInt8] = [0x02, 0x40, 0x20, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 0xFFFF)
        var status = TransportStatus.open
        var sent = 0
        while status == .open, sent < 100 {
            status = transport.send([packet])
            sent += 1
        }
        #expect(status == .closed(reason: "the other side has left \(transport.waitingCount) octets unread"))
        #expect(transport.waitingCount < 1_100_000)
    }

    @Test func `tells when the other side is gone on writing, and still gives what it wrote`() {
        let transport = transport()
        pair.write(resetDone)
        pair.closeTheirs()
        #expect(transport.send([reset]) == .closed(reason: "the other side closed"))
        var packets: [[UInt8]] = []
        _ = transport.receive(into: &packets)
        #expect(packets == [resetDone])
    }

    @Test func `is closed after close`() {
        let transport = transport()
        transport.close()
        var packets: [[UInt8]] = []
        #expect(transport.receive(into: &packets) == .closed(reason: "closed on this side"))
        #expect(transport.send([reset]) == .closed(reason: "closed on this side"))
    }
}
