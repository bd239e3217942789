import BLEValues
import BLEWire
import Testing

/// Values of characteristics, decoded by the table.
@Suite struct ValueLayoutTests {
    private func decoded(_ characteristic: UInt16, _ hex: String) throws -> String {
        try #require(ValueLayout.of(characteristic)).decode(try #require(Hex.octets(hex))).text
    }

    @Test(
        arguments: [
            (0x2A37, "01 2C", "(Heart Rate Measurement Value has 2 octets, but there is 1)"),
            (0x2A37, "", "(ends before Flags)"),
            (0x2A37, "08 3D", "Heart Rate Measurement Value 61 bpm (ends before Energy Expended)"),
            (0x2A37, "10 3D 0004 01", "Heart Rate Measurement Value 61 bpm, RR-interval 1 s (1 octet too many: 01)"),
            (0x2A19, "64 01 02", "100 % (2 octets too many: 01 02)"),
            (0x2A29, "FF", "(the text isn't UTF-8)"),
            (0x2A08, "EA07 02 1E 00 00 00", "2026-02-30 00:00:00 (2026-02-30 00:00:00 isn't a date)"),
            (0x2A08, "EA07 02 01 18 00 00", "2026-02-01 24:00:00 (2026-02-01 24:00:00 isn't a date)"),
            (0x2AAA, "EA07 0B 1E 14 28 00", "Session Start Time 2026-11-30 20:40:00 (ends before Time Zone)"),
        ] as [(UInt16, String, String)])
    func `tells what is missing or left over, and what it could read`(
        characteristic: UInt16, hex: String, text: String
    ) throws {
        #expect(try decoded(characteristic, hex) == text)
    }

    @Test func `has no layout for what the table doesn't know`() {
        #expect(ValueLayout.of(0xFFF1) == nil)
        #expect(ValueLayout.of(0x2A00 - 1) == nil)
    }

    @Test func `reads every layout of the table`() {
        let all = ValueLayout.characteristics
        // The Supplement's 277, one of which is for two, and those that are left to other documents.
        #expect(all.count >= 278 + 40)
        for characteristic in all {
            #expect(ValueLayout.of(characteristic) != nil, "\(Hex.number(characteristic))")
            #expect(AssignedNumbers.name(ofUUID: characteristic) != nil, "\(Hex.number(characteristic))")
        }
    }

    @Test(
        arguments: [
            "", "no bars", " Name", " Name|", " Name|u7", " Name|u72", " Name|q", " Name|u8|1,2", " Name|u8|||x",
            " Name|u8|||5", " Name|u8|||64=1", " Name|u8|||5-4=1", " Name|{}", " Name|b8\n  word", " Name|b8\n  64:bit",
            " Name|u8\n  x=y", " Name|u8\n   1=y", " Name|t0", " Name|@G", "  Name|u8",
        ])
    func `refuses lines of another form`(text: String) {
        #expect(ValueLayout(parsing: text) == nil)
    }

    @Test(
        arguments: [
            (" A|u8\n B|u8|||^!0", "01 02", "A 1, B 2"), (" A|u8\n B|u8|||^!0", "00", "A 0"),
            (" A|#b8\n  1:x\n B|u8|||0=1&2-3=2", "0B 05", "A x, B 5"), (" A|#b8\n B|u8|||0=1&2-3=2", "03", ""),
            (" A|f64", "000000000000F83F", "1.5"), (" A|f32", "0000C07F", "nan"), (" A|s64", "FFFFFFFFFFFFFFFF", "-1"),
            (" A|u64|1,0,-16", "FFFFFFFFFFFFFFFF", "281474976710655.9999847412109375"),
            (" A|b16", "0180", "bit 0; bit 15"), (" A|b8", "00", "none"), (" A|u8|3,0,4|x", "02", "96 x"),
            (" A|{n}*\n  Size|u8\n  B|u8\n  C|u8|||?", "03 01 02 02 05", "Size 3, B 1, C 2, Size 2, B 5"),
            (" A|{n}*\n  Size|u8\n  B|u8", "04 01 FF FF 02 02", "Size 4, B 1, Size 2, B 2"),
            (" A|{n}*\n  Size|u8\n  B|u8", "00 01", "Size 0 (ends before B)"),
        ])
    func `decodes by the form of a layout`(layout: String, hex: String, text: String) throws {
        #expect(try #require(ValueLayout(parsing: layout)).decode(try #require(Hex.octets(hex))).text == text)
    }

    @Test func `takes any octets of any length, and tells when they aren't a whole value`() throws {
        var random = SplitMix(seed: 20_261_130)
        for characteristic in ValueLayout.characteristics {
            let layout = try #require(ValueLayout.of(characteristic))
            let name = Hex.number(characteristic)
            for length in 0...64 {
                // Small numbers make more flags that fields follow.
                let octets = (0..<length).map { _ in
                    UInt8(truncatingIfNeeded: random.next() >> (random.next() & 1 == 0 ? 56 : 60))
                }
                let decoded = layout.decode(octets)
                #expect(decoded == layout.decode(octets), "\(name) \(octets)")
                guard decoded.problem == nil, let last = octets.last, last != 0 else { continue }
                // A whole value without its last octet is another one, or none.
                #expect(layout.decode(octets.dropLast()) != decoded, "\(name) \(Hex.string(octets))")
            }
        }
    }
}

/// Random numbers by a seed.
private struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var number = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
        return number ^ number >> 31
    }
}
