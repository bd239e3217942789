import BLEHost
import BLEWire
import Testing

@Suite struct RecombinerTests {
    /// A PDU of five octets on the ATT channel.
    static let pdu: [UInt8] = [0x05, 0x00, 0x04, 0x00, 1, 2, 3, 4, 5]
    static let whole = Recombiner.PDU(channel: .att, payload: [1, 2, 3, 4, 5])

    struct Fragment: Sendable {
        var boundary: HCIACLData.Boundary
        var octets: [UInt8]
        init(_ boundary: HCIACLData.Boundary, _ octets: some Sequence<UInt8>) {
            self.boundary = boundary
            self.octets = Array(octets)
        }
    }

    /// What comes of fragments, one after the other.
    static func recombine(
        _ fragments: [Fragment], _ recombiner: inout Recombiner
    ) throws -> (pdus: [Recombiner.PDU], faults: [Recombiner.Fault]) {
        var pdus: [Recombiner.PDU] = []
        var faults: [Recombiner.Fault] = []
        for fragment in fragments {
            let packet = HCIACLData.packet(
                handle: HostBench.handle, boundary: fragment.boundary, payload: fragment.octets)
            let result = recombiner.receive(try HCIACLData(packet: packet))
            if let pdu = result.pdu { pdus.append(pdu) }
            if let fault = result.fault { faults.append(fault) }
        }
        return (pdus, faults)
    }

    @Test(arguments: 1..<9) func `puts a PDU together wherever it was cut`(_ cut: Int) throws {
        var recombiner = Recombiner()
        let fragments = [Fragment(.first, Self.pdu[..<cut]), Fragment(.continuing, Self.pdu[cut...])]
        let result = try Self.recombine(fragments, &recombiner)
        #expect(result.pdus == [Self.whole])
        #expect(result.faults.isEmpty)
        #expect(!recombiner.isPartial)
    }

    @Test func `H16 puts a PDU together from single octets`() throws {
        var recombiner = Recombiner()
        let fragments = Self.pdu.enumerated().map { Fragment($0.offset == 0 ? .first : .continuing, [$0.element]) }
        #expect(try Self.recombine(fragments, &recombiner).pdus == [Self.whole])
    }

    @Test func `takes a PDU without payload`() throws {
        var recombiner = Recombiner()
        let result = try Self.recombine([Fragment(.first, [0, 0, 4, 0])], &recombiner)
        #expect(result.pdus == [Recombiner.PDU(channel: .att, payload: [])])
    }

    @Test func `takes the start flag of hosts for a start`() throws {
        var recombiner = Recombiner()
        #expect(try Self.recombine([Fragment(.firstFromHost, Self.pdu)], &recombiner).pdus == [Self.whole])
    }

    struct Spoilt: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var fragments: [Fragment]
        var faults: [Recombiner.Fault]
        /// Whether one whole PDU comes out all the same.
        var pdus = 0
    }

    static let spoilt: [Spoilt] = [
        Spoilt(
            testDescription: "a continuation without a start", fragments: [Fragment(.continuing, pdu)],
            faults: [.continuationWithoutStart]),
        Spoilt(
            testDescription: "a start before the end",
            fragments: [Fragment(.first, pdu[..<6]), Fragment(.first, pdu)], faults: [.startBeforeEnd], pdus: 1),
        Spoilt(
            testDescription: "a start before the header's end",
            fragments: [Fragment(.first, pdu[..<2]), Fragment(.first, pdu)], faults: [.startBeforeEnd], pdus: 1),
        Spoilt(
            testDescription: "the end twice",
            fragments: [
                Fragment(.first, pdu[..<6]), Fragment(.continuing, pdu[6...]), Fragment(.continuing, pdu[6...]),
            ],
            faults: [.continuationWithoutStart], pdus: 1),
        Spoilt(
            testDescription: "more in the start than the length says", fragments: [Fragment(.first, pdu + [6])],
            faults: [.tooMuchData]),
        Spoilt(
            testDescription: "more in the end than the length says",
            fragments: [Fragment(.first, pdu[..<6]), Fragment(.continuing, pdu[6...] + [6])], faults: [.tooMuchData]),
        Spoilt(testDescription: "an empty start", fragments: [Fragment(.first, [])], faults: [.emptyFragment]),
        Spoilt(
            testDescription: "an empty continuation in between",
            fragments: [
                Fragment(.first, pdu[..<6]), Fragment(.continuing, []), Fragment(.continuing, pdu[6...]),
            ], faults: [.emptyFragment], pdus: 1),
        Spoilt(
            testDescription: "an empty start in between",
            fragments: [Fragment(.first, pdu[..<6]), Fragment(.first, []), Fragment(.continuing, pdu[6...])],
            faults: [.startBeforeEnd, .continuationWithoutStart]),
        Spoilt(
            testDescription: "a flag that LE doesn't have", fragments: [Fragment(.complete, pdu)],
            faults: [.boundaryFlag]),
        Spoilt(
            testDescription: "a length beyond the MTU, all of it there",
            fragments: [Fragment(.first, [0x06, 0x02, 0x04, 0x00] + [UInt8](repeating: 0, count: 518))],
            faults: [.tooLong]),
        Spoilt(
            testDescription: "a length beyond the MTU, in two parts",
            fragments: [
                Fragment(.first, [0x06, 0x02, 0x04, 0x00] + [UInt8](repeating: 0, count: 500)),
                Fragment(.continuing, [UInt8](repeating: 0, count: 18)),
            ], faults: [.tooLong]),
        Spoilt(
            testDescription: "a length of 65535 that never comes", fragments: [Fragment(.first, [0xFF, 0xFF, 4, 0])],
            faults: [.tooLong]),
        Spoilt(
            testDescription: "a channel that isn't there", fragments: [Fragment(.first, [1, 0, 0x3E, 0, 9])],
            faults: [.unknownChannel]),
        Spoilt(
            testDescription: "a channel that isn't there, in two parts",
            fragments: [Fragment(.first, [2, 0, 0x3E, 0, 9]), Fragment(.continuing, [9])], faults: [.unknownChannel]),
        Spoilt(
            testDescription: "too much on a channel that isn't there",
            fragments: [Fragment(.first, [2, 0, 0x3E, 0, 9]), Fragment(.continuing, [9, 9])],
            faults: [.unknownChannel, .tooMuchData]),
        Spoilt(
            testDescription: "the parts in the wrong order",
            fragments: [Fragment(.continuing, pdu[6...]), Fragment(.first, pdu[..<6])],
            faults: [.continuationWithoutStart]),
    ]

    @Test(arguments: spoilt) func `H13, H14, H15 and H17 spoils only the PDU that the fault is in`(
        _ order: Spoilt
    ) throws {
        var recombiner = Recombiner()
        let result = try Self.recombine(order.fragments, &recombiner)
        #expect(result.faults == order.faults)
        #expect(result.pdus == Array(repeating: Self.whole, count: order.pdus))
        // The next PDU is whole whatever came before it.
        #expect(try Self.recombine([Fragment(.first, Self.pdu)], &recombiner).pdus == [Self.whole])
    }

    @Test func `loses nothing to any order of three fragments but the PDU itself`() throws {
        let parts = [
            Fragment(.first, Self.pdu[..<3]), Fragment(.continuing, Self.pdu[3..<6]),
            Fragment(.continuing, Self.pdu[6...]),
        ]
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            var recombiner = Recombiner()
            _ = try Self.recombine(order.map { parts[$0] }, &recombiner)
            #expect(try Self.recombine([Fragment(.first, Self.pdu)], &recombiner).pdus == [Self.whole])
        }
    }
}
