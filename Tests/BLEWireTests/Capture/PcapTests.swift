import BLEWire
import Testing

@Suite struct PcapTests {
    private let record = Pcap.Record(unixNanoseconds: 1_700_000_000_123_456_789, packet: [1, 2, 3])

    private func file(_ records: [Pcap.Record]) -> [UInt8] {
        var octets = Pcap.fileHeader(linkType: 256)
        for record in records { record.append(to: &octets) }
        return octets
    }

    @Test func `what was written is read back`() {
        var reader = PcapReader(file([record, record]))
        #expect(reader.linkType == 256)
        let records = [reader.next(), reader.next(), reader.next()]
        #expect(records == [record, record, nil])
        #expect(reader.fault == nil)
    }

    @Test func `a file of microseconds in the other order is read`() throws {
        let hex = "A1B2C3D4 0002 0004 00000000 00000000 0000FFFF 00000100" + "6553F100 0001E240 00000001 00000005 AA"
        var reader = PcapReader(try #require(Hex.octets(hex)))
        let read = reader.next()
        #expect(read?.unixNanoseconds == 1_700_000_000_123_456_000)
        #expect(read?.packet == [0xAA])
        #expect(read?.originalLength == 5)
    }

    @Test(arguments: 1...18) func `a last record that is cut is reported and what came before is kept`(missing: Int) {
        var reader = PcapReader(Array(file([record, record]).dropLast(missing)))
        let records = [reader.next(), reader.next()]
        #expect(records == [record, nil])
        let needed = missing > 3 ? 16 : 19
        #expect(reader.fault == .cutRecord(offset: 43, needed: needed, available: 19 - missing))
    }

    @Test func `other files are refused`() {
        #expect(PcapReader([]).fault == .notACapture)
        #expect(PcapReader([UInt8](repeating: 9, count: 24)).fault == .notACapture)
        var octets = file([])
        octets[4] = 1
        #expect(PcapReader(octets).fault == .unsupportedVersion(1))
    }
}

@Suite struct AirCaptureTests {
    @Test(
        arguments: [
            (37, 2402), (0, 2404), (10, 2424), (38, 2426), (11, 2428), (36, 2478), (39, 2480),
        ] as [(UInt8, Int)]
    ) func `a channel has its frequency`(channel: UInt8, megahertz: Int) {
        #expect(2402 + 2 * Int(AirCapture.radioChannel(channel)) == megahertz)
    }

    @Test func `an advertisement is laid out with the radio's header`() {
        let capture = AirCapture(
            channel: 38, phy: .le1M, rssi: -60, accessAddress: 0x8E89_BED6, direction: .advertising,
            pdu: [0x02, 0x00], crc: 0x0A0B0C, isCRCValid: true)
        #expect(
            Hex.string(capture.packet()) == "0C" + "C4" + "0000" + "D6BE898E" + "130C" + "D6BE898E" + "0200" + "0C0B0A")
    }

    @Test func `flags say direction, PHY and whether the CRC fits`() {
        var capture = AirCapture(
            channel: 5, phy: .le2M, rssi: 0, accessAddress: 0x5065_5B5D, direction: .peripheralToCentral, pdu: [1, 0],
            crc: 0, isCRCValid: false)
        #expect(Array(capture.packet()[8..<10]) == [0x93, 0x45])
        capture.direction = .centralToPeripheral
        capture.isCRCValid = true
        #expect(Array(capture.packet()[8..<10]) == [0x13, 0x4D])
    }

    @Test func `a coded packet has its coding indicator behind the access address`() {
        let capture = AirCapture(
            channel: 5, phy: .codedS2, rssi: 0, accessAddress: 0x5065_5B5D, direction: .centralToPeripheral,
            pdu: [1, 0], crc: 0, isCRCValid: true)
        #expect(Array(capture.packet()[14..<17]) == [1, 1, 0])
    }
}
