import BLEWire
import Testing

/// A PDU's type as an argument of a test.
struct PDUType: Sendable, CustomTestStringConvertible {
    let type: any WirePDU.Type
    var testDescription: String { type.name.description }

    static let all = WireCatalogue.all.map(PDUType.init)
}

@Suite struct CatalogueTests {
    @Test func `opcodes of commands are unique`() {
        let opcodes = HCICatalogue.commands.map { $0.opcode }
        #expect(Set(opcodes).count == opcodes.count)
    }

    @Test func `bits of supported commands are unique and within 64 octets`() {
        let bits = HCICatalogue.commands.compactMap { $0.supportedBit }
        #expect(Set(bits).count == bits.count)
        #expect(bits.allSatisfy { (0..<512).contains($0) })
    }

    @Test func `codes of events are unique`() {
        let codes = HCICatalogue.events.map { [$0.eventCode.rawValue, $0.subeventCode?.rawValue ?? 0] }
        #expect(Set(codes).count == codes.count)
    }

    @Test func `every LE event has a subevent code and no other event has`() {
        for event in HCICatalogue.events { #expect((event.subeventCode != nil) == (event.eventCode == .leMeta)) }
    }

    @Test func `codes of signalling commands, ATT, SMP and the link layer are unique`() {
        #expect(Set(L2CAPCatalogue.signals.map { $0.code }).count == L2CAPCatalogue.signals.count)
        #expect(Set(ATTCatalogue.all.map { $0.opcode }).count == ATTCatalogue.all.count)
        #expect(SMPCatalogue.all.map { $0.code.rawValue } == Array(1...14))
        #expect(Set(LLCatalogue.control.map { $0.opcode }).count == LLCatalogue.control.count)
        #expect(Set(LLCatalogue.advertising.map { $0.type }).count == LLCatalogue.advertising.count)
    }

    @Test(arguments: PDUType.all) func `names its section of the specification`(_ pdu: PDUType) {
        #expect((1...7).contains(pdu.type.section.volume))
        #expect(pdu.type.section.description.contains("."))
        #expect(!pdu.type.name.description.isEmpty)
    }

    @Test func `every command of the catalogue is decoded by its opcode`() throws {
        for type in HCICatalogue.commands {
            let octets = try Generated(type, seed: 1).octets
            let command = try unsafe HCICommand(opcode: type.opcode, parameters: octets.span.bytes)
            #expect(command.opcode == type.opcode)
            if case .unknown = command { Issue.record("\(type.name) is unknown") }
        }
    }

    @Test func `every event of the catalogue is decoded by its codes`() throws {
        for type in HCICatalogue.events {
            var octets = try Generated(type, seed: 1).octets
            if let subevent = type.subeventCode { octets.insert(subevent.rawValue, at: 0) }
            let event = try unsafe HCIEvent(type.eventCode, parameters: octets.span.bytes)
            if case .unknown = event { Issue.record("\(type.name) is unknown") }
            #expect(event.packet()[1] == type.eventCode.rawValue)
        }
    }

    @Test func `every signalling command of the catalogue is decoded by its code`() throws {
        for type in L2CAPCatalogue.signals {
            let octets = try Generated(type, seed: 1).octets
            let signal = unsafe L2CAPSignal(type.code, data: octets.span.bytes)
            #expect(signal.code == type.code)
            if case .unknown = signal { Issue.record("\(type.name) is unknown") }
            if case .malformed(_, let error) = signal { Issue.record("\(type.name): \(error)") }
        }
    }
}

extension CatalogueTests {
    @Test func `every SMP command of the catalogue is decoded by its code and written back`() throws {
        for type in SMPCatalogue.all {
            let octets = [type.code.rawValue] + (try Generated(type, seed: 1).octets)
            let packet = try SMPPacket(decoding: octets)
            #expect(packet.code == type.code)
            #expect(try packet.encoded() == octets)
        }
    }

    @Test(arguments: [0x00, 0x0F, 0xFF] as [UInt8]) func `an SMP code that isn't defined is named`(_ code: UInt8) {
        #expect(throws: WireError.unknown(what: "SMP code", value: UInt64(code))) {
            try SMPPacket(decoding: [code, 1, 2])
        }
    }

    @Test func `a key doesn't print its value`() {
        let key = SMPEncryptionInformation(longTermKey: 0x1234_5678)
        for text in ["\(key)", String(reflecting: key), "\(SMPPacket.encryptionInformation(key))"] {
            #expect(!text.contains("305419896") && !text.contains("12345678"))
        }
    }
}

/// A generated PDU and its octets.
struct Generated {
    var value: any WirePDU
    var octets: [UInt8]
    var limits: Int
    var breakage: Generator<Seeded>.Breakage?

    init<PDU: WirePDU>(_ type: PDU.Type, seed number: UInt64, breaking: Int? = nil) throws {
        var generator = Generator(random: Seeded(seed(type.name.description) &+ number), breaking: breaking)
        var value = PDU()
        try value.visitFields(&generator)
        self.value = value
        octets = generator.octets
        limits = generator.limits
        breakage = generator.breakage
    }
}
