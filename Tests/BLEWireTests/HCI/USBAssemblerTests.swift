import BLEWire
import Testing

@Suite struct USBAssemblerTests {
    private func packets(_ indicator: H4Indicator, _ transfers: [[UInt8]]) -> [[UInt8]] {
        var assembler = USBAssembler(indicator)
        var found: [[UInt8]] = []
        for transfer in transfers { assembler.feed(transfer, into: &found) }
        return found
    }

    @Test func `an event in one transfer gets its indicator`() {
        #expect(packets(.event, [[0x0E, 4, 1, 3, 0x0C, 0]]) == [[4, 0x0E, 4, 1, 3, 0x0C, 0]])
    }

    @Test func `an event is put together from transfers of 16 octets`() {
        let event = [0x3E, 20] + [UInt8](1...20)
        #expect(packets(.event, [Array(event[..<16]), Array(event[16...])]) == [[4] + event])
    }

    @Test func `a packet that fills its last transfer ends without a shorter one`() {
        let event = [0x3E, 30] + [UInt8](1...30)
        let next: [UInt8] = [0x0E, 4, 1, 3, 0x0C, 0]
        #expect(packets(.event, [Array(event[..<16]), Array(event[16...]), next]) == [[4] + event, [4] + next])
    }

    @Test func `an empty transfer between two packets changes nothing`() {
        let data: [UInt8] = [0x40, 0x20, 3, 0, 1, 2, 3]
        #expect(packets(.aclData, [data, [], data]) == [[2] + data, [2] + data])
    }

    @Test func `a header may be cut anywhere, and two packets may come at once`() {
        let data: [UInt8] = [0x40, 0x20, 3, 0, 1, 2, 3]
        for cut in 0...data.count {
            #expect(packets(.aclData, [Array(data[..<cut]), data[cut...] + data]) == [[2] + data, [2] + data])
        }
    }

    @Test func `what is missing at the end is counted`() {
        var assembler = USBAssembler(.aclData)
        var found: [[UInt8]] = []
        assembler.feed([0x40, 0x20, 3, 0, 1], into: &found)
        #expect(found.isEmpty)
        #expect(assembler.pending == 5)
    }
}
