import BLEWire
import Testing

@Suite struct DissectionTests {
    @Test func `an advertising report is printed down to its AD structures`() throws {
        let octets = try #require(Hex.octets("04 3E 0F 02 01 00 01 55 44 33 22 11 C0 03 02 01 06 C4"))
        #expect(
            Dissection.packet(h4: octets).lines == [
                "HCI Event, Event_Code 0x3E, 15 octets",
                "  HCI_LE_Advertising_Report [Vol 4, Part E, 7.7.65.2]",
                "    [4..<5] Num_Reports: 1 (0x01)",
                "    Report[0]",
                "      [5..<6] Event_Type: 0 (0x00)",
                "      [6..<7] Address_Type: 1 (0x01)",
                "      [7..<13] Address: C0:11:22:33:44:55",
                "      [13..<14] Length: 3",
                "      [14..<17] Data: 02 01 06",
                "      [17..<18] RSSI: -60",
                "    AD Flags: 06",
            ])
    }

    @Test func `a notification is printed layer by layer`() throws {
        let octets = try #require(Hex.octets("02 40 20 09 00 05 00 04 00 1B 03 00 06 48"))
        #expect(
            Dissection.packet(h4: octets).lines == [
                "HCI ACL Data, Connection_Handle 0x0040, Packet_Boundary_Flag 2, 9 octets",
                "  L2CAP, Channel ID 0x0004, PDU Length 5",
                "    ATT_HANDLE_VALUE_NTF [Vol 3, Part F, 3.4.7.1]",
                "      [10..<12] Attribute Handle: 3 (0x0003)",
                "      [12..<14] Attribute Value: 06 48",
            ])
    }

    @Test func `codes are printed with their names`() throws {
        let status = try #require(Hex.octets("04 0F 04 0C 01 0D 20"))
        #expect(
            Array(Dissection.packet(h4: status).lines.dropFirst(2)) == [
                "    [3..<4] Status: 12 (0x0C) Command Disallowed",
                "    [4..<5] Num_HCI_Command_Packets: 1 (0x01)",
                "    [5..<7] Command_Opcode: 8205 (0x200D) HCI_LE_Create_Connection",
            ])
    }

    @Test func `it stops at the field that is cut and says why`() throws {
        let octets = try #require(Hex.octets("04 05 03 00 40 00"))
        let dissection = Dissection.packet(h4: octets)
        #expect(dissection.error == .truncated(field: "Reason", offset: 6, needed: 1, available: 0))
        #expect(dissection.lines.last == "    !! Reason at octet 6 needs 1 octets, 0 are there")
        #expect(dissection.lines.dropLast().last == "    [4..<6] Connection_Handle: 64 (0x0040)")
    }

    @Test func `it stops at the value that is not allowed`() throws {
        let octets = try #require(Hex.octets("01 0A 20 01 02"))
        let dissection = Dissection.packet(h4: octets)
        #expect(dissection.error == .outOfRange(field: "Advertising_Enable", offset: 4, value: 2))
        #expect(dissection.lines.dropLast().last == "    [4..<5] Advertising_Enable: 2 (0x02)")
    }

    @Test func `a first fragment is told as such`() throws {
        let octets = try #require(Hex.octets("02 40 20 06 00 09 00 04 00 1B 03"))
        #expect(Dissection.packet(h4: octets).lines.last == "    [9..<11] The first 2 octets: 1B 03")
        #expect(Dissection.packet(h4: octets).error == nil)
    }

    @Test func `octets without any meaning are no trap`() {
        for first in 0...255 as ClosedRange<UInt8> {
            for length in 0..<8 { _ = Dissection.packet(h4: [first] + [UInt8](repeating: 0xFF, count: length)) }
        }
        #expect(
            Dissection.packet(h4: []).error == .truncated(field: "H4 indicator", offset: 0, needed: 1, available: 0))
    }
}
