import BLEWire
import Testing

@Suite struct HCIPacketTests {
    @Test func `a command's packet has indicator, opcode, length and parameters`() {
        #expect(HCIReset().packet() == [0x01, 0x03, 0x0C, 0x00])
        let command = LESetScanEnable(isEnabled: true, filterDuplicates: false)
        #expect(command.packet() == [0x01, 0x0C, 0x20, 0x02, 0x01, 0x00])
    }

    @Test func `a command's packet is read back as the same command`() throws {
        let join = HCIRavningJoin(address: DeviceAddress(0xC011_2233_4455, .randomDevice), deviceName: "band")
        #expect(try HCIPacket(decoding: join.packet()) == .command(.ravningJoin(join)))
    }

    @Test func `a command with wrong parameters still tells its opcode`() throws {
        let packet: [UInt8] = [0x01, 0x0C, 0x20, 0x02, 0x02, 0x00]
        let error = WireError.outOfRange(field: "LE_Scan_Enable", offset: 0, value: 2)
        #expect(try HCIPacket(decoding: packet) == .malformedCommand(.leSetScanEnable, error))
    }

    @Test func `a command that is not known keeps its octets`() throws {
        let packet: [UInt8] = [0x01, 0x34, 0xFC, 0x02, 0xAA, 0xBB]
        #expect(try HCIPacket(decoding: packet) == .command(.unknown(HCIOpcode(rawValue: 0xFC34), [0xAA, 0xBB])))
    }

    @Test func `a value outside its limits is sent as it is, for the controller to judge`() throws {
        let command = LESetRandomAddress(address: DeviceAddress(0xC011_2233_4455, .randomDevice))
        #expect(command.packet() == [0x01, 0x05, 0x20, 0x06, 0x55, 0x44, 0x33, 0x22, 0x11, 0xC0])
        let update = LESetDataLength(handle: ConnectionHandle(rawValue: 1), transmitOctets: 0, transmitTime: 328)
        #expect(update.packet() == [0x01, 0x22, 0x20, 0x06, 0x01, 0x00, 0x00, 0x00, 0x48, 0x01])
    }

    @Test func `a Command Complete carries the return parameters behind credits and opcode`() throws {
        let packet = HCIReadBDAddr.completed(.init(address: DeviceAddress(0x0102_0304_0506)))
        #expect(packet == [0x04, 0x0E, 0x0A, 0x01, 0x09, 0x10, 0x00, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01])
        guard case .event(.commandComplete(let event)) = try HCIPacket(decoding: packet) else {
            Issue.record("not a Command Complete")
            return
        }
        #expect(try event.returned(by: HCIReadBDAddr.self).address == DeviceAddress(0x0102_0304_0506))
    }

    @Test func `a failed command may return its status alone`() throws {
        let event = HCICommandComplete(opcode: .leReadBufferSize, returnParameters: [0x0C])
        #expect(event.status == .commandDisallowed)
        #expect(try event.returned(by: LEReadBufferSize.self).status == .commandDisallowed)
    }

    @Test func `return parameters of a newer version of a command are read as far as they are known`() throws {
        let event = HCICommandComplete(opcode: .leReadBufferSize, returnParameters: [0, 0xFB, 0x00, 0x08, 0xEE])
        #expect(try event.returned(by: LEReadBufferSize.self).totalACLDataPackets == 8)
    }

    @Test func `an advertising report is read`() throws {
        let octets: [UInt8] = [
            0x04, 0x3E, 0x0F, 0x02, 0x01, 0x00, 0x01, 0x55, 0x44, 0x33, 0x22, 0x11, 0xC0, 0x03, 0x02, 0x01, 0x06, 0xC4,
        ]
        let report = LEAdvertisingReport.Report(
            type: .connectableAndScannable, address: DeviceAddress(0xC011_2233_4455, .randomDevice),
            data: [0x02, 0x01, 0x06], rssi: -60)
        let event = LEAdvertisingReport(reports: [report])
        #expect(try HCIPacket(decoding: octets) == .event(.leAdvertisingReport(event)))
        #expect(event.packet() == octets)
    }

    @Test func `an event whose length is not its own is refused`() {
        #expect(throws: WireError.truncated(field: "Event_Parameters", offset: 2, needed: 4, available: 3)) {
            try HCIPacket(decoding: [0x04, 0x05, 0x04, 0x00, 0x01, 0x00])
        }
        #expect(throws: WireError.trailing(offset: 6, count: 1)) {
            try HCIPacket(decoding: [0x04, 0x05, 0x04, 0x00, 0x01, 0x00, 0x13, 0xFF])
        }
    }

    @Test func `the quick form of Number Of Completed Packets is the same packet`() {
        let handle = ConnectionHandle(rawValue: 0x0040)
        let event = HCINumberOfCompletedPackets(completed: [HCICompletedPackets(handle: handle, count: 0x0102)])
        #expect(HCINumberOfCompletedPackets.packet(handle: handle, count: 0x0102) == event.packet())
    }

    @Test func `ACL data names its payload without copying it`() throws {
        let handle = ConnectionHandle(rawValue: 0x0040)
        let packet = HCIACLData.packet(handle: handle, boundary: .first, payload: [1, 2, 3])
        #expect(packet == [0x02, 0x40, 0x20, 0x03, 0x00, 0x01, 0x02, 0x03])
        let data = try HCIACLData(packet: packet)
        #expect(data.handle == handle && data.boundary == .first && data.broadcast == 0)
        #expect(data.payload == 5..<8)
    }

    @Test func `ACL data whose length is not its own is refused`() {
        #expect(throws: WireError.truncated(field: "Data", offset: 5, needed: 4, available: 1)) {
            try HCIACLData(packet: [0x02, 0x40, 0x20, 0x04, 0x00, 0x01])
        }
        #expect(throws: WireError.truncated(field: "ACL header", offset: 1, needed: 4, available: 2)) {
            try HCIACLData(packet: [0x02, 0x40, 0x20])
        }
    }
}
