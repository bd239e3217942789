import BLEWire
import Testing

/// Packets that other programs made and read: `Tests/Vectors/<layer>/*.vec`.
@Suite struct VectorTests {
    private static let hci = VectorRecord.all(in: "hci")
    private static let all =
        hci + VectorRecord.all(in: "l2cap") + VectorRecord.all(in: "att")
        + VectorRecord.all(in: "smp")

    @Test func `there are vectors`() {
        #expect(Self.all.count >= 130)
        #expect(Self.all.allSatisfy { !$0.octets.isEmpty })
    }

    @Test(arguments: all) func `its fields have the values that went in`(_ record: VectorRecord) {
        let dissection = Dissection.packet(h4: record.octets)
        #expect(dissection.error == nil)
        #expect(dissection.lines.contains { $0.contains(record.name + " [Vol") })
        // What is left of "    [6..<8] Name: 24 (0x0018)" is "Name: 24".
        let values = dissection.lines.compactMap { line -> String? in
            guard let end = line.firstIndex(of: "]"), line.contains("..<") else { return nil }
            let text = line[line.index(end, offsetBy: 2)...]
            return String(text.firstRange(of: " (0x").map { text[..<$0.lowerBound] } ?? text)
        }
        var rest = values[...]
        for field in record.fields {
            if let index = rest.firstIndex(of: field) {
                rest = rest[(index + 1)...]
            } else {
                Issue.record("no \(field) in \(values)")
            }
        }
    }

    @Test(arguments: hci) func `it is read and written back octet for octet`(_ record: VectorRecord) throws {
        switch try HCIPacket(decoding: record.octets) {
        case .command(let command): #expect(command.packet() == record.octets)
        case .event(let event): #expect(event.packet() == record.octets)
        default: Issue.record("neither command nor event")
        }
    }

    @Test(arguments: VectorRecord.all(in: "l2cap")) func `a signalling command is written back octet for octet`(
        _ record: VectorRecord
    ) throws {
        let packet = try L2CAPSignallingPacket(decoding: Array(record.octets.dropFirst(9)))
        #expect(packet.pdu() == Array(record.octets.dropFirst(5)))
    }
}
