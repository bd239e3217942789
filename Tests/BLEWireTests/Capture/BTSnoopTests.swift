import BLEWire
import Testing

@Suite struct BTSnoopTests {
    private let reset = BTSnoop.Record(
        unixMicroseconds: 1_700_000_000_000_000, direction: .hostToController, packet: [0x01, 0x03, 0x0C, 0x00])
    private let data = BTSnoop.Record(
        unixMicroseconds: 1_700_000_000_000_001, direction: .controllerToHost,
        packet: [0x02, 0x40, 0x20, 0x01, 0x00, 0xAA])

    private func file(_ records: [BTSnoop.Record]) -> [UInt8] {
        var octets = BTSnoop.fileHeader()
        for record in records { record.append(to: &octets) }
        return octets
    }

    @Test func `a file begins with name, version and link type`() {
        #expect(BTSnoop.fileHeader() == Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x03, 0xEA])
    }

    @Test func `a command is flagged as one towards the controller`() {
        #expect(
            Hex.string(file([reset]).dropFirst(16)) == "00000004" + "00000004" + "00000002" + "00000000"
                + "00E2E7D7274DC000" + "01030C00")
    }

    @Test func `data towards the host has the other direction and is no command`() {
        #expect(Array(file([data])[24..<28]) == [0, 0, 0, 1])
    }

    @Test func `what was written is read back`() {
        let (records, fault) = BTSnoopReader.records(in: file([reset, data]))
        #expect(records == [reset, data])
        #expect(fault == nil)
    }

    @Test(arguments: 1..<30) func `a last record that is cut is reported and what came before is kept`(missing: Int) {
        let whole = file([reset, data])
        let (records, fault) = BTSnoopReader.records(in: Array(whole.dropLast(missing)))
        #expect(records == [reset])
        let needed = missing > 6 ? 24 : 30
        #expect(fault == .cutRecord(offset: 44, needed: needed, available: 30 - missing))
    }

    @Test func `a record that claims more than any packet has ends the reading`() {
        var octets = file([reset, data])
        octets[48] = 0x7F
        let (records, fault) = BTSnoopReader.records(in: octets)
        #expect(records == [reset])
        #expect(fault == .oversizedRecord(offset: 44, length: 0x7F00_0006))
    }

    @Test func `other files are refused`() {
        #expect(BTSnoopReader([]).fault == .notACapture)
        #expect(BTSnoopReader([UInt8](repeating: 0, count: 40)).fault == .notACapture)
        var octets = file([reset])
        octets[15] = 0xEB
        #expect(BTSnoopReader(octets).fault == .unsupportedLinkType(1003))
        octets[11] = 2
        #expect(BTSnoopReader(octets).fault == .unsupportedVersion(2))
    }
}
