import BLETransport
import Testing

/// On a socket pair that keeps records apart, as the kernel's user channel does.
@Suite struct UserChannelTransportTests {
    private let pair = SocketPair(keepsRecords: true)

    @Test func `takes each record for a packet`() {
        let transport = UserChannelTransport(descriptor: pair.ours)
        pair.write([0x04, 0x0E, 0x00])
        pair.write([0x02, 0x40, 0x20, 0x00, 0x00])
        var packets: [[UInt8]] = []
        #expect(transport.receive(into: &packets) == .open)
        #expect(packets == [[0x04, 0x0E, 0x00], [0x02, 0x40, 0x20, 0x00, 0x00]])
    }

    @Test func `writes each packet as a record`() {
        let transport = UserChannelTransport(descriptor: pair.ours)
        #expect(transport.send([[0x01, 0x03, 0x0C, 0x00], [0x01, 0x01, 0x10, 0x00]]) == .open)
        #expect(pair.read() == [0x01, 0x03, 0x0C, 0x00])
        #expect(pair.read() == [0x01, 0x01, 0x10, 0x00])
        #expect(pair.read() == [])
    }

    @Test func `keeps the packets that the kernel has no room for, whole and in order`() {
        let transport = UserChannelTransport(descriptor: pair.ours)
        let packets: [[UInt8]] = (0..<1000).map { number in
            [0x02, UInt8(truncatingIfNeeded: number), UInt8(number >> 8), 0x00, 0x08]
                + [UInt8](repeating: 0, count: 2048)
        }
        #expect(transport.send(packets) == .open)
        #expect(transport.wantsWrite)
        var received: [[UInt8]] = []
        while received.count < packets.count {
            let packet = pair.read()
            if packet.isEmpty {
                #expect(transport.flush() == .open)
            } else {
                received.append(packet)
            }
        }
        #expect(received == packets)
        #expect(!transport.wantsWrite)
    }

    @Test func `says that the adapter is gone`() {
        let transport = UserChannelTransport(descriptor: pair.ours)
        pair.closeTheirs()
        var packets: [[UInt8]] = []
        #expect(transport.receive(into: &packets) == .closed(reason: "the adapter was removed"))
    }
}
