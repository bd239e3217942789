import BLEWire
import Testing

/// Rules that hold for every PDU that is declared.
@Suite struct EveryPDUTests {
    @Test(arguments: PDUType.all) func `what is generated is read, written and read again`(_ pdu: PDUType) throws {
        for number in 0..<20 as Range<UInt64> { try roundTrip(pdu.type, number) }
    }

    private func roundTrip<PDU: WirePDU>(_ type: PDU.Type, _ number: UInt64) throws {
        let generated = try Generated(type, seed: number)
        let read = try PDU(decoding: generated.octets)
        #expect(read == generated.value as? PDU)
        let written = try read.encoded()
        #expect(try PDU(decoding: written) == read)
    }

    @Test(arguments: PDUType.all) func `the initial value can be written and read back`(_ pdu: PDUType) throws {
        try initial(pdu.type)
    }

    private func initial<PDU: WirePDU>(_ type: PDU.Type) throws {
        // These two must hold one report at least, and begin with none.
        let mustNotBeEmpty: [String] = [
            "HCI_LE_Advertising_Report", "HCI_LE_Directed_Advertising_Report", "HCI_LE_Extended_Advertising_Report",
        ]
        if mustNotBeEmpty.contains(type.name.description) { return }
        #expect(try PDU(decoding: PDU().encoded()) == PDU())
    }

    @Test(arguments: PDUType.all) func `cut at any length it is read or refused`(_ pdu: PDUType) throws {
        for number in 0..<5 as Range<UInt64> { try cut(pdu.type, number) }
    }

    private func cut<PDU: WirePDU>(_ type: PDU.Type, _ number: UInt64) throws {
        let octets = try Generated(type, seed: number).octets
        for length in 0..<octets.count {
            do throws(WireError) {
                let read = try PDU(decoding: Array(octets[..<length]))
                // What a cut PDU can still be read as is a PDU of its own.
                #expect(try read.encoded().count >= length)
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
    }

    @Test(arguments: PDUType.all) func `with any octet changed it is read or refused`(_ pdu: PDUType) throws {
        for number in 0..<2 as Range<UInt64> { try lie(pdu.type, number) }
    }

    private func lie<PDU: WirePDU>(_ type: PDU.Type, _ number: UInt64) throws {
        let octets = try Generated(type, seed: number).octets
        for index in octets.indices.prefix(300) {
            for value in [0x00, 0x01, 0x7F, 0xFF, ~octets[index]] as [UInt8] {
                var changed = octets
                changed[index] = value
                guard let read = try? PDU(decoding: changed) else { continue }
                #expect(try PDU(decoding: read.encoded()) == read)
            }
        }
    }

    @Test(arguments: PDUType.all) func `a value just outside a limit is refused by name`(_ pdu: PDUType) throws {
        for number in 0..<3 as Range<UInt64> {
            let limits = try Generated(pdu.type, seed: number).limits
            for limit in 0..<min(limits, 60) { try broken(pdu.type, number, limit) }
        }
    }

    private func broken<PDU: WirePDU>(_ type: PDU.Type, _ number: UInt64, _ limit: Int) throws {
        let generated = try Generated(type, seed: number, breaking: limit)
        let breakage = try #require(generated.breakage)
        do throws(WireError) {
            _ = try PDU(decoding: generated.octets)
            Issue.record("\(breakage) is accepted")
        } catch {
            switch (breakage, error) {
            case (.value(let field, let offset), .outOfRange(let found, let place, _)):
                #expect(found == field && place == offset)
            case (.count(let field, _), .tooLong(let found, _, _)): #expect(found == field)
            default: Issue.record("\(breakage) gives \(error)")
            }
        }
    }

    @Test(arguments: PDUType.all) func `octets behind it are refused, or belong to its last field`(
        _ pdu: PDUType
    ) throws {
        try trailing(pdu.type)
    }

    private func trailing<PDU: WirePDU>(_ type: PDU.Type) throws {
        let generated = try Generated(type, seed: 7)
        guard let read = try? PDU(decoding: generated.octets + [0x01]) else { return }
        #expect(try read.encoded().count == generated.octets.count + 1)
    }

    @Test(arguments: PDUType.all) func `the dissector names every octet`(_ pdu: PDUType) throws {
        try dissect(pdu.type)
    }

    private func dissect<PDU: WirePDU>(_ type: PDU.Type) throws {
        let octets = try Generated(type, seed: 3).octets
        var dissector = Dissector(octets, in: 0..<octets.count)
        var value = PDU()
        try value.visitFields(&dissector)
        #expect(try value == PDU(decoding: octets))
        #expect(dissector.offset == octets.count)
        var next = 0
        for line in dissector.lines where line.contains("..<") {
            let numbers = line.split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
            #expect(numbers.first == next)
            next = numbers.last ?? 0
        }
        #expect(next == octets.count)
    }

    @Test(arguments: PDUType.all) func `the dissector stops at a cut field and keeps what came before`(
        _ pdu: PDUType
    ) throws {
        try dissectCut(pdu.type)
    }

    private func dissectCut<PDU: WirePDU>(_ type: PDU.Type) throws {
        let octets = try Generated(type, seed: 3).octets
        for length in 0..<octets.count {
            var dissector = Dissector(octets, in: 0..<length)
            var value = PDU()
            let isRead = (try? value.visitFields(&dissector)) != nil
            let isDecoded = (try? PDU(decoding: Array(octets[..<length]))) != nil
            #expect(isRead == isDecoded)
        }
    }
}
