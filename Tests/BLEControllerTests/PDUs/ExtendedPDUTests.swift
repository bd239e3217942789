import BLEWire
import Testing

/// PDUs of extended advertising, octet by octet. [Vol 6, Part B, 2.3.4]
@Suite struct ExtendedPDUTests {
    @Test func `an ADV_EXT_IND is read and written back`() throws {
        // Channel 12, 60 units of 30 µs, 2M; DID 0x123, SID 5.
        let octets = hex("07 07 06 18 2351 0C3C20")
        let packet = try LLAdvertisingPacket(decoding: octets)
        guard case .extended(let payload) = packet.payload else { return #expect(Bool(false)) }
        #expect(payload.mode == .neither && payload.data.isEmpty)
        let fields = try payload.fields()
        #expect(fields.flags == [.dataInfo, .pointer])
        #expect(fields.dataInfo == 0x5123)
        #expect(fields.pointer.channel == 12)
        #expect(fields.pointer.offset == .microseconds(1800))
        #expect(fields.pointer.phy == .le2M)
        #expect(try packet.encoded() == octets)
    }

    @Test func `an AUX_ADV_IND has its fields in their order, and data behind them`() throws {
        var fields = LLExtendedHeader()
        fields.flags = [.advertiser, .dataInfo, .transmitPower]
        fields.advertiser = 0xC011_2233_4455
        fields.dataInfo = 0x1002
        fields.transmitPower = -4
        let payload = try LLExtendedAdvertising(mode: .connectable, header: fields, data: [2, 1, 6])
        let header = AdvertisingHeader(type: .advExtInd, transmitterIsRandom: true)
        #expect(
            try LLAdvertisingPacket(header: header, payload: .extended(payload)).encoded()
                == hex("47 0E 4A 49 5544332211C0 0210 FC 020106"))
    }

    @Test func `a header without fields has no flags`() throws {
        let payload = try LLExtendedAdvertising(mode: .neither, header: LLExtendedHeader(), data: [7])
        #expect(try payload.encoded() == [0, 7])
        #expect(try payload.fields() == LLExtendedHeader())
    }

    @Test(arguments: ["07 00", "07 01 05", "07 02 01 01", "07 04 03 10 0000", "08 02 0D 03"])
    func `what is cut is an error`(_ text: String) {
        #expect(throws: WireError.self) {
            let packet = try LLAdvertisingPacket(decoding: hex(text))
            if case .extended(let payload) = packet.payload { _ = try payload.fields() }
        }
    }

    @Test(arguments: [0, 30, 300, 245_700, 245_730, 300_000, 2_457_300] as [Int64])
    func `a pointer names the unit that the packet begins in`(_ offset: Int64) {
        let pointer = AuxiliaryPointer(channel: 36, offset: .microseconds(offset), phy: .leCoded)
        #expect(pointer.channel == 36 && pointer.phy == .leCoded)
        #expect(pointer.offset <= .microseconds(offset))
        #expect(.microseconds(offset) < pointer.offset + pointer.unit)
        #expect(pointer.unit == .microseconds(offset > 245_700 ? 300 : 30))
    }

    @Test(arguments: [0, 7500, 245_700, 1_000_000, 2_457_600, 4_000_000] as [Int64])
    func `a periodic advertiser's offset may be adjusted by 2457600 µs`(_ offset: Int64) {
        var info = SyncInfo()
        info.offset = .microseconds(offset)
        #expect(info.offset <= .microseconds(offset) && .microseconds(offset - 300) < info.offset)
        #expect((info.packetOffset & 0x4000 != 0) == (offset >= 2_457_600))
    }
}
