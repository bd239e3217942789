import BLEWire
import Testing

/// One PDU as octets and as a value.
private struct Sample: Sendable, CustomTestStringConvertible {
    let hex: String
    let packet: ATTPacket
    var testDescription: String { hex }
    init(_ hex: String, _ packet: ATTPacket) {
        self.hex = hex
        self.packet = packet
    }
}

private let custom = BluetoothUUID(full: 0x0001_0203_0405_0607_0809_0A0B_0C0D_0E0F)

private let samples: [Sample] = [
    Sample("01 0A 05 00 01", .errorResponse(.init(request: .readRequest, handle: 5, error: .invalidHandle))),
    Sample("02 00 02", .exchangeMTURequest(.init(receiveMTU: 512))),
    Sample("03 17 00", .exchangeMTUResponse(.init(receiveMTU: 23))),
    Sample("04 01 00 FF FF", .findInformationRequest(.init(startingHandle: 1, endingHandle: 0xFFFF))),
    Sample("05 01 04 00 02 29", .findInformationResponse(.init(format: 1, information: [4, 0, 2, 0x29]))),
    Sample(
        "06 01 00 FF FF 00 28 0D 18",
        .findByTypeValueRequest(
            .init(startingHandle: 1, endingHandle: 0xFFFF, attributeType: 0x2800, value: [0x0D, 0x18]))),
    Sample("07 10 00 17 00", .findByTypeValueResponse(.init(handles: [.init(found: 0x10, groupEnd: 0x17)]))),
    Sample(
        "08 01 00 20 00 03 28",
        .readByTypeRequest(.init(startingHandle: 1, endingHandle: 0x20, attributeType: 0x2803))),
    Sample(
        "08 01 00 20 00 0F 0E 0D 0C 0B 0A 09 08 07 06 05 04 03 02 01 00",
        .readByTypeRequest(.init(startingHandle: 1, endingHandle: 0x20, attributeType: custom))),
    Sample("09 05 0A 00 01 02 03", .readByTypeResponse(.init(length: 5, data: [0x0A, 0, 1, 2, 3]))),
    Sample("0A 03 00", .readRequest(.init(handle: 3))),
    Sample("0B", .readResponse(.init(value: []))),
    Sample("0B 01 02", .readResponse(.init(value: [1, 2]))),
    Sample("0C 03 00 16 00", .readBlobRequest(.init(handle: 3, offset: 22))),
    Sample("0D FF", .readBlobResponse(.init(value: [0xFF]))),
    Sample("0E 03 00 07 00", .readMultipleRequest(.init(handles: [.init(3), .init(7)]))),
    Sample("0F 01 02 03", .readMultipleResponse(.init(values: [1, 2, 3]))),
    Sample(
        "10 01 00 FF FF 00 28",
        .readByGroupTypeRequest(.init(startingHandle: 1, endingHandle: 0xFFFF, groupType: 0x2800))),
    Sample("11 06 01 00 04 00 01 18", .readByGroupTypeResponse(.init(length: 6, data: [1, 0, 4, 0, 1, 0x18]))),
    Sample("12 07 00 01", .writeRequest(.init(handle: 7, value: [1]))),
    Sample("13", .writeResponse(.init())),
    Sample("16 07 00 02 00 01", .prepareWriteRequest(.init(handle: 7, offset: 2, value: [1]))),
    Sample("17 07 00 02 00 01", .prepareWriteResponse(.init(handle: 7, offset: 2, value: [1]))),
    Sample("18 01", .executeWriteRequest(.init(flags: 1))),
    Sample("19", .executeWriteResponse(.init())),
    Sample("1B 03 00", .handleValueNotification(.init(handle: 3, value: []))),
    Sample("1D 03 00 01", .handleValueIndication(.init(handle: 3, value: [1]))),
    Sample("1E", .handleValueConfirmation(.init())),
    Sample("20 03 00 07 00", .readMultipleVariableRequest(.init(handles: [.init(3), .init(7)]))),
    Sample("21 01 00 AA", .readMultipleVariableResponse(.init(list: [1, 0, 0xAA]))),
    Sample("23 03 00 01 00 AA", .multipleHandleValueNotification(.init(list: [3, 0, 1, 0, 0xAA]))),
    Sample("52 07 00 01", .writeCommand(.init(handle: 7, value: [1]))),
    Sample(
        "D2 07 00 01 01 02 03 04 05 06 07 08 09 0A 0B 0C",
        .signedWriteCommand(.init(handle: 7, valueAndSignature: [1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]))),
]

@Suite struct ATTPacketTests {
    @Test(arguments: samples) private func `reads a PDU from its octets`(sample: Sample) throws {
        let octets = try #require(Hex.octets(sample.hex))
        #expect(try ATTPacket(decoding: octets) == sample.packet)
    }

    @Test(arguments: samples) private func `writes a PDU as its octets`(sample: Sample) throws {
        #expect(Hex.string(try sample.packet.encoded(), separator: " ") == sample.hex)
    }

    @Test func `every PDU of the catalogue has a sample`() throws {
        let covered = Set(samples.compactMap { Hex.octets($0.hex)?.first })
        #expect(ATTCatalogue.all.map { $0.opcode.rawValue }.filter { !covered.contains($0) } == [])
    }

    @Test func `opcodes are unique and rise`() {
        let opcodes = ATTCatalogue.all.map { $0.opcode.rawValue }
        #expect(opcodes == opcodes.sorted())
        #expect(Set(opcodes).count == opcodes.count)
    }

    @Test func `an opcode that is not defined is unknown`() {
        #expect(throws: WireError.unknown(what: "ATT opcode", value: 0xBF)) { try ATTPacket(decoding: [0xBF, 0]) }
    }

    @Test func `an empty PDU lacks its opcode`() {
        #expect(throws: WireError.truncated(field: "Attribute Opcode", offset: 0, needed: 1, available: 0)) {
            try ATTPacket(decoding: [])
        }
    }

    @Test func `a type of three octets is an error`() {
        #expect(throws: WireError.truncated(field: "Attribute Type", offset: 7, needed: 6, available: 1)) {
            try ATTPacket(decoding: [0x08, 1, 0, 0xFF, 0xFF, 3, 0x28, 0])
        }
    }

    @Test(arguments: [UInt8(2), 0x7F, 0xFF]) func `flags other than 0 and 1 are out of range`(flags: UInt8) {
        #expect(throws: WireError.outOfRange(field: "Flags", offset: 1, value: UInt64(flags))) {
            try ATTPacket(decoding: [0x18, flags])
        }
    }

    @Test func `octets behind a PDU of fixed length are an error`() {
        #expect(throws: WireError.trailing(offset: 3, count: 1)) { try ATTPacket(decoding: [0x0A, 1, 0, 0]) }
    }

    @Test func `cold users get the same octets without the enumeration`() throws {
        #expect(try ATTReadRequest(handle: 3).pdu() == [0x0A, 3, 0])
    }

    @Test(arguments: [(UInt8(0x02), ATTKind.request), (0x0B, .response), (0x1B, .notification), (0x1D, .indication)])
    func `an opcode knows its kind`(opcode: UInt8, kind: ATTKind) {
        #expect(ATTOpcode(rawValue: opcode).kind == kind)
    }

    @Test func `the command flag tells an unknown command from an unknown request`() {
        #expect(ATTOpcode(rawValue: 0xFF).kind == .unknownCommand)
        #expect(ATTOpcode(rawValue: 0xBF).kind == .unknownRequest)
    }
}
