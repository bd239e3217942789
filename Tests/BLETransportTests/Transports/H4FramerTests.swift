import BLETransport
import Testing

/// One packet of each kind, each with a payload whose octets look like indicators of other packets.
private let samples: [[UInt8]] = [
    [0x01, 0x03, 0x0C, 0x00],
    [0x01, 0x01, 0xFC, 0x03, 0x01, 0x02, 0x04],
    [0x02, 0x40, 0x20, 0x05, 0x00, 0x01, 0x00, 0x04, 0x00, 0x02],
    [0x02, 0x40, 0x20, 0x00, 0x00],
    [0x02, 0x40, 0x20, 0x01, 0x01] + [UInt8](repeating: 0x04, count: 257),
    [0x03, 0x40, 0x00, 0x02, 0x01, 0x01],
    [0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00],
    [0x04, 0xFF, 0x00],
    [0x05, 0x40, 0x00, 0x02, 0x00, 0xAA, 0xBB],
    [0x05, 0x40, 0x00, 0x01, 0xC0, 0xAA],
]

@Suite struct H4FramerTests {
    private func frames(_ pieces: [[UInt8]]) throws -> [[UInt8]] {
        var framer = H4Framer()
        var packets: [[UInt8]] = []
        for piece in pieces { try framer.push(piece.span.bytes, into: &packets) }
        return packets
    }

    @Test(arguments: samples) func `gives a packet back as it came`(packet: [UInt8]) throws {
        #expect(try frames([packet]) == [packet])
    }

    @Test(arguments: samples) func `puts a packet together that comes octet by octet`(packet: [UInt8]) throws {
        #expect(try frames(packet.map { [$0] }) == [packet])
    }

    @Test func `cuts a stream of packets alike wherever it is broken`() throws {
        let stream = samples.flatMap { $0 }
        for cut in 0...stream.count {
            #expect(try frames([Array(stream[..<cut]), Array(stream[cut...])]) == samples, "cut at \(cut)")
        }
    }

    @Test func `cuts a stream alike when it is broken twice within any packet`() throws {
        let stream = samples[1] + samples[2] + samples[6]
        for first in 0..<stream.count {
            for second in first..<stream.count {
                let pieces = [stream[..<first], stream[first..<second], stream[second...]].map(Array.init)
                #expect(try frames(pieces) == [samples[1], samples[2], samples[6]])
            }
        }
    }

    @Test(arguments: [0x00, 0x06, 0x7F, 0xFF] as [UInt8])
    func `refuses an octet that is no packet indicator`(octet: UInt8) {
        #expect(throws: H4Framer.UnknownIndicator(octet: octet)) { try frames([[octet]]) }
    }

    @Test func `gives the packets before an octet that is no packet indicator`() {
        var framer = H4Framer()
        var packets: [[UInt8]] = []
        #expect(throws: H4Framer.UnknownIndicator(octet: 0x00)) {
            try framer.push((samples[6] + [0x00]).span.bytes, into: &packets)
        }
        #expect(packets == [samples[6]])
    }

    @Test func `holds what isn't whole`() throws {
        var framer = H4Framer()
        var packets: [[UInt8]] = []
        try framer.push(([0x04, 0x0E, 0x04, 0x01] as [UInt8]).span.bytes, into: &packets)
        #expect(packets.isEmpty)
        #expect(framer.heldCount == 4)
    }
}
