import BLEWire

/// A stream from a controller, cut into pieces by the input: deframed, decoded, dissected. What was decoded is encoded
/// and must be decoded as the same.
enum HCIEventsFuzzer: Fuzzer {
    static func run(_ octets: [UInt8]) {
        var input = FuzzInput(octets)
        let size = Int(input.u8()) + 1
        var deframer = H4Deframer(side: .host)
        while !input.isAtEnd {
            deframer.feed(input.piece(size))
            while let output = deframer.next() {
                guard case .packet(let packet) = output else { continue }
                check(packet)
            }
        }
    }

    static func check(_ packet: [UInt8]) {
        let dissection = Dissection.packet(h4: packet)
        require(!dissection.lines.isEmpty, "a packet without a line")
        guard let decoded = try? HCIPacket(decoding: packet) else { return }
        switch decoded {
        case .event(let event):
            require((try? HCIPacket(decoding: event.packet())) == decoded, "an event changes when it is written")
            if case .commandComplete(let complete) = event { answer(complete) }
        case .command(let command):
            require((try? HCIPacket(decoding: command.packet())) == decoded, "a command changes when it is written")
        case .aclData(let data):
            require(data.packet == packet, "ACL data changes")
            require(data.payload.upperBound <= packet.count, "a payload past the end")
        case .malformedCommand, .other: break
        }
    }

    /// Return parameters of every command that is known, whatever the opcode says.
    private static func answer(_ complete: HCICommandComplete) {
        for command in HCICatalogue.commands { answer(complete, command) }
    }

    private static func answer<Command: HCICommandPDU>(_ complete: HCICommandComplete, _ command: Command.Type) {
        _ = try? complete.returned(by: command)
    }
}

/// A stream from a host, as a controller reads it.
enum HCICommandsFuzzer: Fuzzer {
    static func run(_ octets: [UInt8]) {
        var deframer = H4Deframer(side: .controller)
        deframer.feed(octets)
        while let output = deframer.next() {
            if case .packet(let packet) = output { HCIEventsFuzzer.check(packet) }
        }
        // The same as parameters of each command, which random opcodes seldom reach.
        guard let first = octets.first else { return }
        let command = HCICatalogue.commands[Int(first) % HCICatalogue.commands.count]
        let parameters = Array(octets.dropFirst().prefix(255))
        let opcode = command.opcode.rawValue
        HCIEventsFuzzer.check(
            [0x01, UInt8(truncatingIfNeeded: opcode), UInt8(opcode >> 8), UInt8(parameters.count)] + parameters)
    }
}

/// Advertising data: walked, read, and put together again.
enum AdvertisingDataFuzzer: Fuzzer {
    static func run(_ octets: [UInt8]) {
        let (structures, fault) = ADReader.structures(in: octets)
        let fields = ADFields(octets)
        require(fields.fault == fault, "two readers see two faults")
        var builder = ADBuilder(limit: octets.count)
        for structure in structures { builder.append(structure.type, structure.data) }
        require(octets.starts(with: builder.octets), "structures don't give the octets they came from")
        if fault == nil { require(octets[builder.octets.count...].allSatisfy { $0 == 0 }, "octets were lost") }
    }
}

/// PDUs of L2CAP signalling, ATT and the link layer. What was decoded is encoded and must be decoded as the same.
enum WireDecodersFuzzer: Fuzzer {
    static func run(_ octets: [UInt8]) {
        guard let first = octets.first else { return }
        let rest = Array(octets.dropFirst())
        if let packet = try? L2CAPSignallingPacket(decoding: rest) { check(packet) }
        if let packet = try? ATTPacket(decoding: rest) {
            let written = try? packet.encoded()
            require(written == rest, "an ATT PDU changes when it is written")
        }
        _ = try? LLControlPacket(decoding: rest)
        let all = WireCatalogue.all
        let type = all[Int(first) % all.count]
        roundTrip(type, rest)
        let channel: UInt8 = first & 1 == 0 ? 4 : 5
        let length = UInt16(truncatingIfNeeded: rest.count)
        let pdu = [UInt8(truncatingIfNeeded: length), UInt8(length >> 8), channel, 0] + rest
        HCIEventsFuzzer.check(
            HCIACLData.packet(handle: ConnectionHandle(rawValue: 1), boundary: .first, payload: pdu))
    }

    private static func check(_ packet: L2CAPSignallingPacket) {
        switch packet.signal {
        case .malformed, .unknown: return
        default:
            let pdu = Array(packet.pdu().dropFirst(L2CAPHeader.length))
            require((try? L2CAPSignallingPacket(decoding: pdu)) == packet, "a signal changes when it is written")
        }
    }

    private static func roundTrip<PDU: WirePDU>(_ type: PDU.Type, _ octets: [UInt8]) {
        guard let pdu = try? PDU(decoding: octets) else { return }
        guard let written = try? pdu.encoded() else { fatalError("\(PDU.name) was read and can't be written") }
        require((try? PDU(decoding: written)) == pdu, "\(PDU.name) changes when it is written")
    }
}

/// Capture files of both kinds.
enum CapturesFuzzer: Fuzzer {
    static func run(_ octets: [UInt8]) {
        for file in [octets, BTSnoop.fileHeader() + octets] {
            var reader = BTSnoopReader(file)
            while let record = reader.next() {
                require(record.packet.count <= file.count, "a record longer than its file")
            }
        }
        for file in [octets, Pcap.fileHeader(linkType: Pcap.linkLayerWithRadioHeader) + octets] {
            var reader = PcapReader(file)
            while let record = reader.next() {
                require(record.packet.count <= file.count, "a record longer than its file")
            }
        }
    }
}
