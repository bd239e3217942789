extension Dissection {
    private static let commands: [HCIOpcode: any HCICommandPDU.Type] = {
        Dictionary(HCICatalogue.commands.map { ($0.opcode, $0) }, uniquingKeysWith: { first, _ in first })
    }()

    static func command(_ opcode: HCIOpcode) -> (any HCICommandPDU.Type)? { commands[opcode] }

    /// The layers from the H4 indicator on. [Vol 4, Part A, 2]
    mutating func h4() {
        guard let first = octets.first else {
            return fail(.truncated(field: "H4 indicator", offset: 0, needed: 1, available: 0))
        }
        switch H4Indicator(rawValue: first) {
        case .command: command()
        case .event: event()
        case .aclData: aclData()
        case .synchronousData: opaque("Synchronous data", in: 1..<octets.count)
        case .isoData: opaque("Isochronous data", in: 1..<octets.count)
        default: fail(.unknown(what: "H4 indicator", value: UInt64(first)))
        }
    }

    /// Checks a length in the header against what is there; answers the range of the parameters.
    private mutating func parameters(from start: Int, length: Int) -> Range<Int>? {
        let available = octets.count - start
        if available < length {
            fail(.truncated(field: "Parameters", offset: start, needed: length, available: available))
            return nil
        }
        if available > length { fail(.trailing(offset: start + length, count: available - length)) }
        return start..<(start + length)
    }

    private mutating func command() {
        guard octets.count >= 4 else {
            return fail(.truncated(field: "Command header", offset: 1, needed: 3, available: octets.count - 1))
        }
        let opcode = HCIOpcode(rawValue: UInt16(octets[1]) | UInt16(octets[2]) << 8)
        add("HCI Command, Command_Opcode \(opcode), \(octets[3]) octets")
        guard let range = parameters(from: 4, length: Int(octets[3])) else { return }
        nested {
            if let type = Self.commands[opcode] {
                $0.pdu(type, in: range)
            } else {
                $0.opaque("Unknown command", in: range)
            }
        }
    }

    private mutating func event() {
        guard octets.count >= 3 else {
            return fail(.truncated(field: "Event header", offset: 1, needed: 2, available: octets.count - 1))
        }
        let code = HCIEventCode(rawValue: octets[1])
        add("HCI Event, Event_Code \(Hex.prefixed(code.rawValue)), \(octets[2]) octets")
        guard let range = parameters(from: 3, length: Int(octets[2])) else { return }
        nested { $0.event(code, in: range) }
    }

    private mutating func event(_ code: HCIEventCode, in range: Range<Int>) {
        guard code == .leMeta else {
            guard let type = HCICatalogue.events.first(where: { $0.eventCode == code }) else {
                return opaque("Unknown event", in: range)
            }
            if let complete = pdu(type, in: range) as? HCICommandComplete { returned(complete, behind: range) }
            return
        }
        guard let first = range.first else {
            return fail(.truncated(field: "Subevent_Code", offset: range.lowerBound, needed: 1, available: 0))
        }
        let subevent = LESubeventCode(rawValue: octets[first])
        guard let type = HCICatalogue.events.first(where: { $0.subeventCode == subevent }) else {
            return opaque("Unknown LE event", in: range)
        }
        switch pdu(type, in: (first + 1)..<range.upperBound) {
        case let event as LEAdvertisingReport: for report in event.reports { advertisingData(report.data) }
        case let event as LEExtendedAdvertisingReport: for report in event.reports { advertisingData(report.data) }
        default: break
        }
    }

    /// What a command has returned. [Vol 4, Part E, 7.7.14]
    private mutating func returned(_ complete: HCICommandComplete, behind range: Range<Int>) {
        guard let type = Self.commands[complete.opcode], !complete.returnParameters.isEmpty else { return }
        let start = range.upperBound - complete.returnParameters.count
        nested { $0.returned(by: type, in: start..<range.upperBound) }
    }

    private mutating func returned<Command: HCICommandPDU>(by command: Command.Type, in range: Range<Int>) {
        pdu(Command.ReturnParameters.self, in: range)
    }

    /// AD structures. [Vol 3, Part C, 11]
    private mutating func advertisingData(_ data: [UInt8]) {
        let (structures, fault) = ADReader.structures(in: data)
        nested {
            for structure in structures {
                $0.add("AD \(structure.type): \(Hex.string(structure.data, separator: " "))")
            }
            if let fault { $0.add("!! \(fault)") }
        }
    }

    /// The header of ACL data and what it carries. [Vol 4, Part E, 5.4.2]
    private mutating func aclData() {
        do throws(WireError) {
            let data = try HCIACLData(packet: octets)
            let boundary = "Packet_Boundary_Flag \(data.boundary.rawValue)"
            add("HCI ACL Data, Connection_Handle \(data.handle), \(boundary), \(data.payload.count) octets")
            nested {
                if data.boundary == .continuing {
                    $0.opaque("Continuation of an L2CAP PDU", in: data.payload)
                } else {
                    $0.l2cap(in: data.payload)
                }
            }
        } catch {
            fail(error)
        }
    }
}

extension HCIOpcode: NamedCode {
    /// The name of the command.
    package var codeName: String? { Dissection.command(self)?.name.description }
}
