import BLETestSupport
import BLEWire
import Testing

/// What Wireshark's own dissector says about our captures.
@Suite(.enabled(if: Tshark.path != nil, "tshark is not installed")) struct TsharkTests {
    /// Codes that the oldest tshark in use doesn't know are left out: it calls those unknown, not wrong.
    private static let records = ["hci", "l2cap", "att"].flatMap { VectorRecord.all(in: $0) }

    @Test func `nothing in a capture of all vectors is malformed`() async throws {
        var octets = BTSnoop.fileHeader()
        for (index, record) in Self.records.enumerated() {
            BTSnoop.Record(
                unixMicroseconds: 1_700_000_000_000_000 + Int64(index),
                direction: record.octets.first == 1 ? .hostToController : .controllerToHost, packet: record.octets
            ).append(to: &octets)
        }
        #expect(try await Tshark.run(octets, "btsnoop", filter: Tshark.isWrong) == [])
        let times = try await Tshark.run(octets, "btsnoop", fields: ["frame.time_epoch"])
        #expect(times.count == Self.records.count)
        #expect(times.first == "1700000000.000000000")
    }

    @Test func `packets of the air have the right CRC and direction`() async throws {
        var octets = Pcap.fileHeader(linkType: Pcap.linkLayerWithRadioHeader)
        for (index, capture) in try Self.air().enumerated() {
            Pcap.Record(unixNanoseconds: 1_700_000_000_000_000_000 + Int64(index) * 1000, packet: capture.packet())
                .append(to: &octets)
        }
        #expect(try await Tshark.run(octets, "pcap", filter: Tshark.isWrong + " || btle.crc.incorrect") == [])
        let lines = try await Tshark.run(
            octets, "pcap", fields: ["btle_rf.channel", "btle.access_address", "btle.length"])
        #expect(
            lines == ["0\t0x8e89bed6\t9", "12\t0x8e89bed6\t34", "7\t0x50655b5d\t6", "8\t0x50655b5d\t0"])
    }

    /// An advertisement, a CONNECT_IND, a request and an empty answer.
    private static func air() throws -> [AirCapture] {
        let link: UInt32 = 0x5065_5B5D
        let crcInit: UInt32 = 0x12_3456
        var connect = LLConnectInd()
        connect.initiator = 0x001B_DC11_2233
        connect.advertiser = 0xC122_3344_5566
        connect.accessAddress = link
        connect.crcInit = crcInit
        let version: [UInt8] = [0x03, 0x06, 0x0C, 0x09, 0x4C, 0x00, 0x34, 0x12]
        return [
            capture(37, 0x8E89_BED6, .advertising, [0x40, 9, 0x66, 0x55, 0x44, 0x33, 0x22, 0xC1, 2, 1, 6]),
            capture(38, 0x8E89_BED6, .advertising, try [0x85, 34] + connect.encoded()),
            capture(6, link, .centralToPeripheral, version, crcInit),
            capture(7, link, .peripheralToCentral, [0x05, 0x00], crcInit),
        ]
    }

    private static func capture(
        _ channel: UInt8, _ accessAddress: UInt32, _ direction: AirCapture.Direction, _ pdu: [UInt8],
        _ crcInit: UInt32 = CRC24.advertisingInit
    ) -> AirCapture {
        AirCapture(
            channel: channel, phy: .le1M, rssi: -60, accessAddress: accessAddress, direction: direction, pdu: pdu,
            crc: CRC24.register(over: pdu, initial: crcInit), isCRCValid: true)
    }
}
