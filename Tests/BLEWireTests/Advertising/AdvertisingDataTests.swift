import BLEWire
import Testing

@Suite struct AdvertisingDataTests {
    private func fields(_ hex: String) throws -> ADFields { ADFields(try #require(Hex.octets(hex))) }

    @Test func `flags, name, power and appearance are read`() throws {
        let fields = try fields("02 01 06 05 09 42 61 6E 64 02 0A F8 03 19 40 03")
        #expect(fields.flags == 0x06)
        #expect(fields.name == "Band")
        #expect(fields.txPower == -8)
        #expect(fields.appearance == 0x0340)
        #expect(fields.fault == nil)
    }

    @Test func `the complete name goes before the shortened one`() throws {
        #expect(try fields("03 09 41 42 02 08 41").name == "AB")
        #expect(try fields("02 08 41").name == "A")
    }

    @Test func `service lists of all widths are joined in their order, each service once`() throws {
        let fields = try fields(
            "05 02 0D 18 0F 18 03 03 0D 18 05 05 78 56 34 12 11 07 FB 34 9B 5F 80 00 00 80 00 10 00 00 0A 18 00 00")
        #expect(fields.services == [0x180D, 0x180F, BluetoothUUID(bits32: 0x1234_5678), 0x180A])
    }

    @Test func `octets behind the last whole UUID of a list are left out`() throws {
        #expect(try fields("04 03 0D 18 FF").services == [0x180D])
    }

    @Test func `solicited services are kept apart`() throws {
        let fields = try fields("03 14 0D 18")
        #expect(fields.solicitedServices == [0x180D])
        #expect(fields.services == [])
    }

    @Test func `service data has its service in front, and may be empty`() throws {
        let fields = try fields("05 16 0F 18 64 2A 03 16 0D 18 05 20 78 56 34 12")
        #expect(
            fields.serviceData == [
                .init(service: 0x180F, data: [0x64, 0x2A]), .init(service: 0x180D, data: []),
                .init(service: BluetoothUUID(bits32: 0x1234_5678), data: []),
            ])
    }

    @Test func `manufacturer data begins with the company`() throws {
        #expect(try fields("05 FF 4C 00 02 15").manufacturerData == [0x4C, 0x00, 0x02, 0x15])
        #expect(try fields("02 FF 4C").manufacturerData == nil)
    }

    @Test func `a length of zero ends the data`() throws {
        let fields = try fields("02 01 06 00 00 00")
        #expect(fields.flags == 6)
        #expect(fields.fault == nil)
    }

    @Test func `octets behind the end are reported and not read`() throws {
        let fields = try fields("02 01 06 00 02 0A 04")
        #expect(fields.txPower == nil)
        #expect(fields.fault == .dataBehindEnd(offset: 3))
    }

    @Test func `a length past the end is reported, what came before holds`() throws {
        let fields = try fields("02 01 06 09 09 41 42")
        #expect(fields.flags == 6)
        #expect(fields.name == nil)
        #expect(fields.fault == .overrun(offset: 3, length: 9, available: 3))
    }

    @Test func `a structure with a type and no data is one`() {
        let (structures, fault) = ADReader.structures(in: [0x01, 0x09, 0x02, 0x01, 0x06])
        #expect(structures == [ADStructure(.completeLocalName, []), ADStructure(.flags, [6])])
        #expect(fault == nil)
    }

    /// Each between a whole structure in front and, where the walk goes on, one behind.
    static let broken: [(String, goesOn: Bool)] = [
        ("01 16", true), ("01 02", true), ("01 06", true), ("01 01", true), ("01 0A", true), ("03 0A 01 02", true),
        ("02 FF 4C", true), ("01 FF", true), ("02 16 0F", true), ("04 20 01 02 03", true),
        ("04 02 0D 18 FF", true), ("10 06" + String(repeating: " 01", count: 15), true),
        ("12 06" + String(repeating: " 01", count: 17), true), ("03 19 40 03", true), ("02 19 40", true),
        ("00", false), ("00 00 00", false), ("09 09 41 42", false), ("FF 09", false), ("1E FF 4C 00", false),
    ]

    @Test(arguments: broken)
    func `P01 what is whole is used and the rest dropped`(_ hex: String, goesOn: Bool) throws {
        let fields = try fields("02 01 06 " + hex + " 03 08 41 42")
        #expect(fields.flags == 6)
        #expect((fields.shortenedName == "AB") == goesOn)
        #expect(fields.completeName == nil && fields.manufacturerData == nil && fields.serviceData.isEmpty)
        #expect(fields.txPower == nil)
        // Of a list the whole UUIDs count.
        let whole = hex.hasPrefix("04 02") || hex.hasPrefix("12 06") ? 1 : 0
        #expect(fields.services.count == whole)
        // However much of it has come.
        let octets = try #require(Hex.octets("02 01 06 " + hex))
        for count in 3...octets.count { #expect(ADFields(Array(octets.prefix(count))).flags == 6) }
    }

    @Test func `P01 an extended advertisement of 1650 octets is read to its end`() {
        let structure: [UInt8] = [0xFF, 0xFF, 0x4C, 0x00] + Array(repeating: 7, count: 252)
        var octets: [UInt8] = []
        for _ in 0..<6 { octets += structure }
        octets += Array(repeating: 0, count: 1650 - octets.count - 3) + [2, 1, 6]
        #expect(ADReader.structures(in: octets).structures.count == 6)
        #expect(ADFields(octets).manufacturerData?.count == 254)
        #expect(ADFields(octets).fault == .dataBehindEnd(offset: 1536))
        #expect(ADFields(Array(repeating: 1, count: 1650)).fault == nil)
    }

    @Test func `a name that is no UTF-8 is repaired`() throws {
        #expect(try fields("04 09 41 FF 42").name == "A\u{FFFD}B")
    }
}

@Suite struct AdvertisingBuilderTests {
    @Test func `structures are put one after another`() {
        var builder = ADBuilder()
        builder.appendFlags([.generalDiscoverable, .brEDRNotSupported])
        builder.appendName("Band")
        builder.appendServices([0x180D])
        #expect(Hex.string(builder.octets) == "020106" + "050942616E64" + "03030D18")
    }

    @Test func `a name that does not fit is shortened between code points`() {
        var builder = ADBuilder(limit: 8)
        builder.appendName("ab\u{1F600}\u{1F600}")
        #expect(builder.octets == [7, 0x08, 0x61, 0x62, 0xF0, 0x9F, 0x98, 0x80])
    }

    @Test func `a name of which nothing fits is left out`() {
        var builder = ADBuilder(limit: 3)
        let isAdded = builder.appendName("\u{1F600}")
        #expect(!isAdded)
        #expect(builder.octets.isEmpty)
    }

    @Test func `services that find no room are handed back and the list is incomplete`() {
        var builder = ADBuilder(limit: 6)
        let left = builder.appendServices([0x1800, 0x1801, 0x180D])
        #expect(left == [0x180D])
        #expect(builder.octets == [5, 0x02, 0x00, 0x18, 0x01, 0x18])
    }

    @Test func `services of one width go into one list, whatever the order`() throws {
        let long = try #require(BluetoothUUID("71DA3FD1-7E10-41C1-B16F-4430B506CDE7"))
        var builder = ADBuilder()
        let left = builder.appendServices([0x180D, long, 0x180F])
        #expect(left == [])
        #expect(Hex.string(builder.octets) == "05030D180F18" + "1107E7CD06B530446FB1C141107ED13FDA71")
    }

    @Test func `the limit is never passed`() {
        var builder = ADBuilder()
        builder.append(.manufacturerSpecific, [UInt8](repeating: 1, count: 29))
        #expect(builder.octets.count == 31)
        let isAdded = builder.append(.flags, [])
        #expect(!isAdded)
    }
}
