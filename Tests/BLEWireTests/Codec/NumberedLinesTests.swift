import BLEWire
import Testing

/// Tables that are searched where they lie.
@Suite struct NumberedLinesTests {
    private static let table = NumberedLines(
        """
        0000 nothing
        00FF
         first
          second
        1800 Generic Access
        180A Device Information
        FFFF last
         of all
        """)

    @Test(
        arguments: [
            (0, "nothing"), (0xFF, ""), (0x1800, "Generic Access"), (0x180A, "Device Information"), (0xFFFF, "last"),
            (1, nil), (0x1801, nil), (0xFFFE, nil),
        ] as [(UInt16, String?)])
    func `finds what stands behind a number`(number: UInt16, line: String?) {
        #expect(Self.table.line(of: number) == line)
    }

    @Test(
        arguments: [(0, ""), (0xFF, " first\n  second"), (0x1800, ""), (0xFFFF, " of all"), (2, nil)]
            as [(UInt16, String?)])
    func `finds the lines that go on with an entry`(number: UInt16, block: String?) {
        #expect(Self.table.block(of: number) == block)
    }

    @Test func `finds nothing in an empty table`() {
        #expect(NumberedLines("").line(of: 0) == nil)
        #expect(NumberedLines("").block(of: 0xFFFF) == nil)
    }

    @Test func `finds numbers by their lines`() {
        #expect(Self.table.numbers { $0.contains("n") } == [0, 0x1800, 0x180A])
    }

    @Test func `finds every name of an assigned UUID, and none between them`() throws {
        let all = UUIDNames.uuids { _ in true }
        #expect(all.count > 600)
        #expect(all == all.sorted())
        for uuid in all { #expect(UUIDNames.name(of: uuid)?.isEmpty == false) }
        let known = Set(all)
        for uuid in UInt16.min...UInt16.max where !known.contains(uuid) { #expect(UUIDNames.name(of: uuid) == nil) }
    }
}
