import BLEWire
import Testing

@Suite struct H4DeframerTests {
    private let event: [UInt8] = [0x04, 0x13, 0x05, 0x01, 0x40, 0x00, 0x01, 0x00]
    private let data: [UInt8] = [0x02, 0x40, 0x20, 0x03, 0x00, 0x01, 0x02, 0x03]
    private let resetComplete: [UInt8] = [0x04, 0x0E, 0x04, 0x05, 0x03, 0x0C, 0x00]

    private func outputs(_ deframer: inout H4Deframer) -> [H4Deframer.Output] {
        var outputs: [H4Deframer.Output] = []
        while let output = deframer.next() { outputs.append(output) }
        return outputs
    }

    @Test(arguments: 1...16) func `packets are found however the stream is cut`(size: Int) {
        var deframer = H4Deframer(side: .host)
        var found: [H4Deframer.Output] = []
        var stream = (event + data)[...]
        while !stream.isEmpty {
            deframer.feed(stream.prefix(size))
            stream = stream.dropFirst(size)
            found += outputs(&deframer)
        }
        #expect(found == [.packet(event), .packet(data)])
        #expect(deframer.pending == 0)
    }

    @Test func `a packet that is cut by the end of the stream stays pending`() {
        var deframer = H4Deframer(side: .host)
        deframer.feed(event.dropLast())
        let output = deframer.next()
        #expect(output == nil)
        #expect(deframer.pending == 7)
    }

    @Test func `an indicator that does not exist is reported once`() {
        var deframer = H4Deframer(side: .host)
        deframer.feed([0x55, 0x55, 0x55])
        #expect(outputs(&deframer) == [.synchronisationLost(indicator: 0x55)])
        deframer.feed(event)
        #expect(outputs(&deframer) == [])
    }

    @Test func `a host is synchronised again by the Command Complete of a reset`() {
        var deframer = H4Deframer(side: .host)
        deframer.feed([0x55, 0x04, 0x0E] + resetComplete + event)
        #expect(
            outputs(&deframer) == [
                .synchronisationLost(indicator: 0x55), .synchronised(skipped: 3), .packet(resetComplete),
                .packet(event),
            ])
    }

    @Test func `a packet that has begun is given up where the host resets the controller`() {
        var deframer = H4Deframer(side: .host)
        deframer.feed([0x02, 0x40, 0x20, 0xFF, 0xFF, 0x01])
        #expect(outputs(&deframer) == [])
        deframer.resynchronise()
        deframer.feed(resetComplete + event)
        #expect(outputs(&deframer) == [.synchronised(skipped: 6), .packet(resetComplete), .packet(event)])
    }

    @Test func `a controller is synchronised again by a reset`() {
        var deframer = H4Deframer(side: .controller)
        deframer.feed([0x00, 0x01, 0x03, 0x01, 0x03, 0x0C, 0x00])
        #expect(
            outputs(&deframer) == [
                .synchronisationLost(indicator: 0x00), .synchronised(skipped: 3), .packet([0x01, 0x03, 0x0C, 0x00]),
            ])
    }

    @Test func `a data packet of the greatest length passes`() {
        var deframer = H4Deframer(side: .controller)
        let packet = [0x02, 0x40, 0x00, 0xFF, 0xFF] + [UInt8](repeating: 7, count: 0xFFFF)
        deframer.feed(packet)
        #expect(deframer.next() == .packet(packet))
    }

    @Test func `the upper two bits of an isochronous length are not length`() {
        var deframer = H4Deframer(side: .controller)
        deframer.feed([0x05, 0x40, 0x00, 0x01, 0xC0, 0xAA])
        #expect(deframer.next() == .packet([0x05, 0x40, 0x00, 0x01, 0xC0, 0xAA]))
    }
}
