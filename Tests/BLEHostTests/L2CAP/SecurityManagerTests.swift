import BLEHost
import BLEWire
import Testing

@Suite struct SecurityManagerTests {
    static let off = HostConfiguration.pairing { $0.isEnabled = false }

    @Test func `tells a central that asks for pairing that there is none, where it is off`() {
        var bench = HostBench.linked(as: .peripheral, Self.off)
        bench.receive([0x01, 0x03, 0x00, 0x01, 0x10, 0x07, 0x07], on: .securityManager)
        #expect(bench.sentPDUs() == [Recombiner.PDU(channel: .securityManager, payload: [0x05, 0x05])])
    }

    @Test func `tells a peripheral that asks for security that there is none, where it is off`() {
        var bench = HostBench.linked(as: .central, Self.off)
        bench.receive([0x0B, 0x01], on: .securityManager)
        #expect(bench.sentPDUs() == [Recombiner.PDU(channel: .securityManager, payload: [0x05, 0x05])])
    }

    static let silent: [[UInt8]] = [[], [0x05, 0x05], [0x05], [0x05, 1, 2], [0x0E, 0x01]]

    @Test(arguments: silent) func `has nothing to say to a failure, a key press and nothing`(_ pdu: [UInt8]) {
        var bench = HostBench.linked(as: .peripheral)
        bench.receive(pdu, on: .securityManager)
        #expect(bench.data.isEmpty)
        #expect(bench.host.pairingCount == 0)
    }

    @Test func `has no key for a central that wants to encrypt`() {
        var bench = HostBench.linked(as: .peripheral)
        bench.receive(LELongTermKeyRequest(handle: HostBench.handle).packet())
        #expect(bench.opcodes == [.leLongTermKeyRequestNegativeReply])
    }
}
