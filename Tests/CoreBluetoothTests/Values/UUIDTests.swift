import CoreBluetooth
import Testing

/// Contract 126 to 128: UUIDs.
struct UUIDTests {
    @Test(arguments: [
        ("180D", "0000180D-0000-1000-8000-00805F9B34FB"), ("12345678", "12345678-0000-1000-8000-00805F9B34FB"),
        ("180D", "0000180D"),
    ])
    func `126 short forms equal and hash like their long form`(short: String, long: String) {
        #expect(CBUUID(string: short) == CBUUID(string: long))
        #expect(CBUUID(string: short).hash == CBUUID(string: long).hash)
        #expect([CBUUID(string: short): 1][CBUUID(string: long)] == 1)
        #expect(Set([CBUUID(string: short), CBUUID(string: long)]).count == 1)
    }

    @Test func `126 others differ`() {
        #expect(CBUUID(string: "180D") != CBUUID(string: "180F"))
        #expect(!CBUUID(string: "180D").isEqual("180D"))
    }

    @Test(arguments: [
        ("180F", "Battery"), ("180D", "Heart Rate"), ("2A29", "Manufacturer Name String"),
        ("2901", "Characteristic User Description"), ("2902", "Client Characteristic Configuration"),
        ("0000180F-0000-1000-8000-00805F9B34FB", "Battery"), ("FFF0", "FFF0"),
        ("71da3fd1-7e10-41c1-b16f-4430b506cde7", "71DA3FD1-7E10-41C1-B16F-4430B506CDE7"),
    ])
    func `127 descriptions are names where there are any`(uuid: String, description: String) {
        #expect("\(CBUUID(string: uuid))" == description)
    }

    @Test(
        arguments: [
            ("fff0", "FFF0", [0xFF, 0xF0]), ("0000fff0", "0000FFF0", [0, 0, 0xFF, 0xF0]),
            (
                "71da3fd1-7e10-41c1-b16f-4430b506cde7", "71DA3FD1-7E10-41C1-B16F-4430B506CDE7",
                [
                    0x71, 0xDA, 0x3F, 0xD1, 0x7E, 0x10, 0x41, 0xC1, 0xB1, 0x6F, 0x44, 0x30, 0xB5, 0x06, 0xCD, 0xE7,
                ]
            ),
        ] as [(String, String, [UInt8])])
    func `128 strings are upper case and data is big-endian, both of the form given`(
        text: String, string: String, octets: [UInt8]
    ) {
        let uuid = CBUUID(string: text)
        #expect(uuid.uuidString == string)
        #expect(uuid.data == Data(octets))
        #expect(CBUUID(data: Data(octets)).uuidString == string)
        // Of a slice whose indices don't begin at 0.
        #expect(CBUUID(data: Data([9] + octets)[1...]) == uuid)
    }

    @Test func `a UUID of Foundation or Core Foundation keeps its bits`() throws {
        let text = "71DA3FD1-7E10-41C1-B16F-4430B506CDE7"
        #expect(CBUUID(nsuuid: try #require(UUID(uuidString: text))).uuidString == text)
        #expect(CBUUID().data == Data(count: 16))
        let uuid = CBUUID(string: text)
        #expect(uuid.copy() as? CBUUID === uuid)
    }

    @available(*, deprecated)
    @Test func `the deprecated initialiser still works`() throws {
        let uuid = try #require(CFUUIDCreateFromString(nil, cfString("71DA3FD1-7E10-41C1-B16F-4430B506CDE7")))
        #expect(CBUUID(cfuuid: uuid).uuidString == "71DA3FD1-7E10-41C1-B16F-4430B506CDE7")
    }

    private func cfString(_ text: String) -> CFString? {
        text.withCString { CFStringCreateWithCString(nil, $0, CFStringBuiltInEncodings.UTF8.rawValue) }
    }
}
