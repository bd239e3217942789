import BLEWire
import Testing

@Suite struct L2CAPTests {
    @Test func `a PDU has its length and channel in front`() {
        #expect(L2CAPHeader.pdu(channel: .att, payload: [0x0A, 0x03, 0x00]) == [3, 0, 4, 0, 0x0A, 0x03, 0x00])
    }

    @Test func `a header that is not whole is none`() {
        #expect(L2CAPHeader([3, 0, 4], at: 0) == nil)
        #expect(L2CAPHeader([3, 0, 4, 0], at: 1) == nil)
        #expect(L2CAPHeader([9, 3, 0, 4, 0], at: 1) == L2CAPHeader(payloadLength: 3, channel: .att))
    }

    @Test func `a parameter update request is laid out as the specification says`() throws {
        let request = L2CAPConnectionParameterUpdateRequest(
            intervalMinimum: 6, intervalMaximum: 0x0C80, latency: 4, supervisionTimeout: 0x0258)
        let pdu: [UInt8] = [12, 0, 5, 0, 0x12, 0x07, 8, 0, 6, 0, 0x80, 0x0C, 4, 0, 0x58, 0x02]
        #expect(request.pdu(identifier: 7) == pdu)
        let packet = try L2CAPSignallingPacket(decoding: Array(pdu.dropFirst(4)))
        #expect(packet == L2CAPSignallingPacket(identifier: 7, signal: .connectionParameterUpdateRequest(request)))
        #expect(packet.pdu() == pdu)
    }

    @Test func `identifier 0 is refused`() {
        #expect(throws: WireError.outOfRange(field: "Identifier", offset: 1, value: 0)) {
            try L2CAPSignallingPacket(decoding: [0x13, 0, 2, 0, 0, 0])
        }
    }

    @Test func `a length that is not that of the data is refused`() {
        #expect(throws: WireError.truncated(field: "Data", offset: 4, needed: 3, available: 2)) {
            try L2CAPSignallingPacket(decoding: [0x13, 1, 3, 0, 0, 0])
        }
        #expect(throws: WireError.trailing(offset: 5, count: 1)) {
            try L2CAPSignallingPacket(decoding: [0x13, 1, 1, 0, 0, 0])
        }
    }

    @Test func `a command that LE does not know keeps its code and identifier for the reject`() throws {
        let packet = try L2CAPSignallingPacket(decoding: [0x0A, 9, 2, 0, 2, 0])
        #expect(packet.identifier == 9)
        #expect(packet.signal == .unknown(L2CAPSignallingCode(rawValue: 0x0A)))
    }

    @Test func `a command that is cut keeps its code and identifier for the reject`() throws {
        let packet = try L2CAPSignallingPacket(decoding: [0x13, 9, 1, 0, 2])
        #expect(packet.identifier == 9)
        let error = WireError.truncated(field: "Result", offset: 0, needed: 2, available: 1)
        #expect(packet.signal == .malformed(.connectionParameterUpdateResponse, error))
    }
}
