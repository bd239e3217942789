extension Dissection {
    /// An L2CAP PDU, or the first part of one. [Vol 3, Part A, 3.1]
    mutating func l2cap(in range: Range<Int>) {
        guard let header = L2CAPHeader(octets, at: range.lowerBound), range.count >= L2CAPHeader.length else {
            return fail(
                .truncated(
                    field: "Basic L2CAP header", offset: range.lowerBound, needed: L2CAPHeader.length,
                    available: range.count))
        }
        let body = (range.lowerBound + L2CAPHeader.length)..<range.upperBound
        let length = Int(header.payloadLength)
        add("L2CAP, Channel ID \(header.channel), PDU Length \(length)")
        nested {
            if body.count < length {
                $0.opaque("The first \(body.count) octets", in: body)
            } else if body.count > length {
                $0.fail(.trailing(offset: body.lowerBound + length, count: body.count - length))
            } else {
                $0.channel(header.channel, in: body)
            }
        }
    }

    private mutating func channel(_ channel: ChannelIdentifier, in range: Range<Int>) {
        switch channel {
        case .att: att(in: range)
        case .signalling: signalling(in: range)
        case .securityManager: securityManager(in: range)
        // Which frame begins an SDU can't be told from the frame alone. [Vol 3, Part A, 3.4.3]
        default: opaque((0x0040...0x007F).contains(channel.rawValue) ? "K-frame" : "Data", in: range)
        }
    }

    /// A command of the Security Manager Protocol. [Vol 3, Part H, 3.3]
    private mutating func securityManager(in range: Range<Int>) {
        guard let first = range.first else {
            return fail(.truncated(field: "Code", offset: range.lowerBound, needed: 1, available: 0))
        }
        let code = SMPCode(rawValue: octets[first])
        guard let type = SMPCatalogue.all.first(where: { $0.code == code }) else {
            return opaque("SMP command with unknown code", in: range)
        }
        pdu(type, in: (first + 1)..<range.upperBound)
    }

    /// A PDU of the Attribute Protocol. [Vol 3, Part F, 3.3.1]
    private mutating func att(in range: Range<Int>) {
        guard let first = range.first else {
            return fail(.truncated(field: "Attribute Opcode", offset: range.lowerBound, needed: 1, available: 0))
        }
        let opcode = ATTOpcode(rawValue: octets[first])
        guard let type = ATTCatalogue.all.first(where: { $0.opcode == opcode }) else {
            return opaque("ATT PDU with unknown opcode", in: range)
        }
        pdu(type, in: (first + 1)..<range.upperBound)
    }

    /// A signalling command. [Vol 3, Part A, 4]
    private mutating func signalling(in range: Range<Int>) {
        guard range.count >= 4 else {
            return fail(
                .truncated(field: "Signalling header", offset: range.lowerBound, needed: 4, available: range.count))
        }
        let start = range.lowerBound
        let code = L2CAPSignallingCode(rawValue: octets[start])
        let length = Int(octets[start + 2]) | Int(octets[start + 3]) << 8
        add("Signalling, Code \(Hex.prefixed(code.rawValue)), Identifier \(octets[start + 1]), Data Length \(length)")
        let data = (start + 4)..<range.upperBound
        nested {
            if length != data.count {
                $0.fail(.truncated(field: "Data", offset: data.lowerBound, needed: length, available: data.count))
            } else if let type = L2CAPCatalogue.signals.first(where: { $0.code == code }) {
                $0.pdu(type, in: data)
            } else {
                $0.opaque("Unknown command", in: data)
            }
        }
    }
}
