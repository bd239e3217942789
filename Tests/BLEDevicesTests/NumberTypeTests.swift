import BLEDevices
import Testing

@Suite struct NumberTypeTests {
    @Test(arguments: [
        (NumberType.u8, 255.0, 0, [0xFF] as [UInt8]), (.i8, -128, 0, [0x80]), (.u16, 500, 0, [0xF4, 0x01]),
        (.i16, -21.5, 2, [0x9A, 0xF7]), (.u24, 70000, 0, [0x70, 0x11, 0x01]), (.i24, -1, 0, [0xFF, 0xFF, 0xFF]),
        (.u32, 101325, 1, [0x02, 0x76, 0x0F, 0x00]), (.u48, 1, 0, [1, 0, 0, 0, 0, 0]),
        (.i64, -2, 0, [0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]), (.f32, 1, 0, [0, 0, 0x80, 0x3F]),
        // The examples of IEEE 11073-20601: 36.4 as a mantissa of 364 and an exponent of -1.
        (.float, 36.4, 1, [0x6C, 0x01, 0x00, 0xFF]), (.sfloat, 36.4, 1, [0x6C, 0xF1]), (.sfloat, -5, 0, [0xFB, 0x0F]),
    ])
    func `a number is laid out by its type, and read again`(
        type: NumberType, number: Double, places: Int, octets: [UInt8]
    ) {
        #expect(type.octets(number, places: places) == octets)
        #expect(type.number(octets, places: places, isBigEndian: false) == number)
        #expect(type.number(octets.reversed(), places: places, isBigEndian: true) == number)
        #expect(type.number(Array(octets.dropLast()), places: places, isBigEndian: false) == nil)
    }

    @Test(arguments: [
        (NumberType.u8, 256.0, 0), (.u8, -1, 0), (.i8, 128, 0), (.i16, 327.68, 2), (.u24, 16_777_216, 0),
        (.u64, 18_446_744_073_709_551_616, 0), (.sfloat, 2046, 0), (.float, 8_388_606, 0), (.sfloat, 1, 9),
    ])
    func `a number that has no room is refused`(type: NumberType, number: Double, places: Int) {
        #expect(type.octets(number, places: places) == nil)
    }
}
