/// One packet between host and controller, as it goes over a UART: H4 indicator first. [Vol 4, Part A, 2]
package enum HCIPacket: Equatable, Sendable {
    case command(HCICommand)
    /// A command whose parameters are wrong: its opcode is known, so it can be answered.
    case malformedCommand(HCIOpcode, WireError)
    case aclData(HCIACLData)
    case event(HCIEvent)
    /// Synchronous or isochronous data, which nothing here uses.
    case other(H4Indicator)

    /// Reads a whole packet. Throws where it isn't one, or isn't an event that its code claims it to be.
    package init(decoding packet: [UInt8]) throws(WireError) {
        guard let first = packet.first else {
            throw .truncated(field: "H4 indicator", offset: 0, needed: 1, available: 0)
        }
        switch H4Indicator(rawValue: first) {
        case .event:
            let span = unsafe packet.span.bytes
            self = .event(try HCIEvent(decoding: span.extracting(droppingFirst: 1)))
        case .aclData:
            self = .aclData(try HCIACLData(packet: packet))
        case .command:
            let span = unsafe packet.span.bytes
            var reader = WireReader(span.extracting(droppingFirst: 1))
            var opcode = HCIOpcode.nop
            var length: UInt8 = 0
            try reader.field("Command_Opcode", &opcode)
            try reader.u8("Parameter_Total_Length", &length)
            guard reader.remaining >= Int(length) else {
                throw .truncated(field: "Parameters", offset: 3, needed: Int(length), available: reader.remaining)
            }
            guard reader.remaining == Int(length) else {
                throw .trailing(offset: 3 + Int(length), count: reader.remaining - Int(length))
            }
            do throws(WireError) {
                self = .command(try HCICommand(opcode: opcode, parameters: span.extracting(droppingFirst: 4)))
            } catch {
                self = .malformedCommand(opcode, error)
            }
        case .synchronousData, .isoData:
            self = .other(H4Indicator(rawValue: first))
        default:
            throw .unknown(what: "H4 indicator", value: UInt64(first))
        }
    }
}
