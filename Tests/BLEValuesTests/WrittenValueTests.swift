import BLEValues
import BLEWire
import Testing

/// Values as they are written on a command line.
@Suite struct WrittenValueTests {
    @Test(arguments: [("0102ff", "0102FF"), ("0x01 02", "0102"), ("01:02:ff", "0102FF"), ("", "")])
    func `reads octets in hexadecimal`(text: String, hex: String) {
        #expect(WrittenValue.hexadecimal(text) == Hex.octets(hex))
    }

    @Test(arguments: ["1", "0g", "0:1", "0x1"])
    func `refuses what isn't octets`(text: String) {
        #expect(WrittenValue.hexadecimal(text) == nil)
    }

    @Test(
        arguments: [
            ("u8", "255", "FF"), ("u16", "300", "2C01"), ("u16", "0xABCD", "CDAB"), ("u32", "1", "01000000"),
            ("u64", "1", "0100000000000000"), ("i8", "-1", "FF"), ("i16", "-2", "FEFF"), ("i32", "-0x10", "F0FFFFFF"),
            ("i64", "-1", "FFFFFFFFFFFFFFFF"), ("f32", "1.5", "0000C03F"), ("f64", "-2", "00000000000000C0"),
        ])
    func `writes numbers of a type, little endian`(type: String, text: String, hex: String) {
        #expect(WrittenValue.number(text, as: type) == Hex.octets(hex))
        #expect(WrittenValue.types.contains(type))
    }

    @Test(
        arguments: [
            ("u8", "256"), ("u8", "-1"), ("i8", "128"), ("u16", "1.5"), ("u16", "0x-1"), ("f32", "x"), ("u7", "1"),
        ])
    func `refuses what has no room in the type`(type: String, text: String) {
        #expect(WrittenValue.number(text, as: type) == nil)
    }
}
