import BLEWire
import Testing

private struct Sample: FieldStructure, Equatable {
    var first: UInt8 = 0
    var second: UInt16 = 0
    var third: UInt64 = 0
    var tail: [UInt8] = []
    mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(_ visitor: inout V) throws(WireError) {
        try visitor.u8("First", &first, in: 1...9)
        try visitor.u16("Second", &second)
        try visitor.u48("Third", &third)
        try visitor.rest("Tail", &tail)
    }
}

@Suite struct CodecKernelTests {
    @Test func `integers are written least significant octet first and read back`() throws {
        let value = Sample(first: 7, second: 0x1234, third: 0x0102_0304_0506, tail: [0xAA])
        let octets = try value.encoded()
        #expect(octets == [0x07, 0x34, 0x12, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01, 0xAA])
        #expect(try Sample(decoding: octets) == value)
    }

    @Test func `a field that is cut says which, where and how much is missing`() {
        #expect(throws: WireError.truncated(field: "Third", offset: 3, needed: 6, available: 2)) {
            try Sample(decoding: [1, 2, 3, 4, 5])
        }
    }

    @Test func `a value outside its range is refused by reader and writer`() {
        #expect(throws: WireError.outOfRange(field: "First", offset: 0, value: 0)) {
            try Sample(decoding: [0, 0, 0, 0, 0, 0, 0, 0, 0])
        }
        #expect(throws: WireError.outOfRange(field: "First", offset: 0, value: 10)) { try Sample(first: 10).encoded() }
    }
}
