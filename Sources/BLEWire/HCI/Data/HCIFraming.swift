/// Packet indicators of the UART transport. [Vol 4, Part A, 2]
package struct H4Indicator: WireCode {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let command = H4Indicator(rawValue: 0x01)
    package static let aclData = H4Indicator(rawValue: 0x02)
    package static let synchronousData = H4Indicator(rawValue: 0x03)
    package static let event = H4Indicator(rawValue: 0x04)
    package static let isoData = H4Indicator(rawValue: 0x05)
}

/// Puts parameters into whole packets: H4 indicator, header, parameters. [Vol 4, Part E, 5.4]
///
/// Values outside their limits are written as they are, since the receiver judges them; what a field can't hold is
/// cut off.
enum HCIFraming {
    @inline(__always)
    static func command<PDU: HCICommandPDU>(_ command: PDU) -> [UInt8] {
        var writer = WireWriter(unchecked: 32)
        let opcode = PDU.opcode.rawValue
        writer.append(H4Indicator.command.rawValue)
        writer.append(UInt8(truncatingIfNeeded: opcode))
        writer.append(UInt8(truncatingIfNeeded: opcode >> 8))
        writer.append(0)
        return finish(command, writer, header: 4)
    }

    static func command(_ opcode: HCIOpcode, parameters: [UInt8]) -> [UInt8] {
        let parameters = parameters.prefix(0xFF)
        let head: [UInt8] = [
            H4Indicator.command.rawValue, UInt8(truncatingIfNeeded: opcode.rawValue), UInt8(opcode.rawValue >> 8),
            UInt8(parameters.count),
        ]
        return head + parameters
    }

    @inline(__always)
    static func event<PDU: HCIEventPDU>(_ event: PDU) -> [UInt8] {
        var writer = WireWriter(unchecked: 48)
        writer.append(H4Indicator.event.rawValue)
        writer.append(PDU.eventCode.rawValue)
        writer.append(0)
        if let subevent = PDU.subeventCode { writer.append(subevent.rawValue) }
        return finish(event, writer, header: 3)
    }

    static func event(_ code: HCIEventCode, parameters: [UInt8]) -> [UInt8] {
        let parameters = parameters.prefix(0xFF)
        return [H4Indicator.event.rawValue, code.rawValue, UInt8(parameters.count)] + parameters
    }

    @inline(__always)
    static func commandComplete<Values: WirePDU>(
        _ opcode: HCIOpcode, _ values: Values, allowedCommands: UInt8
    ) -> [UInt8] {
        var writer = WireWriter(unchecked: 16)
        writer.append(H4Indicator.event.rawValue)
        writer.append(HCIEventCode.commandComplete.rawValue)
        writer.append(0)
        writer.append(allowedCommands)
        writer.append(UInt8(truncatingIfNeeded: opcode.rawValue))
        writer.append(UInt8(truncatingIfNeeded: opcode.rawValue >> 8))
        return finish(values, writer, header: 3)
    }

    /// Writes the parameters and then their length in front of them.
    @inline(__always)
    private static func finish<PDU: FieldStructure>(
        _ pdu: PDU, _ writer: consuming WireWriter, header: Int
    ) -> [UInt8] {
        // An unchecked writer doesn't throw; if one did, the packet would end there.
        try? pdu.encode(into: &writer)
        var packet = writer.finish()
        if packet.count > header + 0xFF { packet.removeLast(packet.count - header - 0xFF) }
        packet[header - 1] = UInt8(packet.count - header)
        return packet
    }
}
