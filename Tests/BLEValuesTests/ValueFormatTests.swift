import BLEValues
import BLEWire
import Testing

/// Values of characteristics, decoded by the table.
@Suite struct ValueFormatTests {
    private func decoded(_ characteristic: UInt16, _ hex: String) throws -> [String]? {
        let format = try #require(ValueFormat.of(characteristic))
        return format.decode(try #require(Hex.octets(hex)))?.map(\.text)
    }

    @Test(
        arguments: [
            (0x2A19, "64", ["level 100 %"]),
            (0x2A37, "00 3D", ["rate 61 bpm"]),
            (0x2A37, "01 2C01", ["rate 300 bpm"]),
            (
                0x2A37, "18 3D 6400 0004 0002",
                ["rate 61 bpm", "energy 100 kJ", "RR interval 1024 / 1024 s", "RR interval 512 / 1024 s"]
            ),
            (0x2A38, "01", ["location chest"]), (0x2A38, "77", ["location 119"]),
            (0x2A6E, "2909", ["temperature 23.45 °C"]), (0x2A6E, "CEFF", ["temperature -0.50 °C"]),
            (0x2A6F, "8813", ["humidity 50.00 %"]), (0x2A6D, "00770F00", ["pressure 101350.4 Pa"]),
            (0x2A07, "F8", ["power -8 dBm"]),
            // 366 × 10^-1, and 12 × 10^2.
            (0x2A1C, "00 6E0100FF", ["temperature 36.6 °C"]), (0x2A1C, "01 0C000002", ["temperature 1200 °F"]),
            (0x2A1C, "00 FFFF7F00", ["temperature not a number °C"]),
            (0x2A29, "52617672", ["Ravr"]), (0x2A29, "526100", ["Ra"]), (0x2A00, "", [""]),
        ] as [(UInt16, String, [String])])
    func `decodes what is laid out as published`(characteristic: UInt16, hex: String, fields: [String]) throws {
        #expect(try decoded(characteristic, hex) == fields)
    }

    @Test(
        arguments: [
            (0x2A19, ""), (0x2A37, "01 2C"), (0x2A37, "10 3D 01"), (0x2A1C, "00 6E01"), (0x2A29, "FF"),
        ] as [(UInt16, String)])
    func `decodes nothing where the value isn't laid out like this`(characteristic: UInt16, hex: String) throws {
        #expect(try decoded(characteristic, hex) == nil)
    }

    @Test func `has no layout for what the table doesn't know`() {
        #expect(ValueFormat.of(0xFFF1) == nil)
    }
}
