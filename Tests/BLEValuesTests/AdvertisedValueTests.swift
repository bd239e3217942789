import BLEValues
import BLEWire
import Testing

/// What beacons say in their advertisements.
@Suite struct AdvertisedValueTests {
    private let beacon = "4C00 0215 F7826DA64FA24E988024BC5B71E0893E 0001 0102 C5"

    @Test func `decodes an iBeacon`() throws {
        let data = try #require(Hex.octets(beacon))
        #expect(
            ManufacturerData.decode(data)?.map(\.text) == [
                "beacon iBeacon", "uuid F7826DA6-4FA2-4E98-8024-BC5B71E0893E", "major 1", "minor 258",
                "power at 1 m -59 dBm",
            ])
        #expect(ManufacturerData.decode(Array(data.dropLast())) == nil)
    }

    @Test func `names the company of manufacturer data`() {
        #expect(ManufacturerData.company(of: [0x4C, 0x00, 1]) == 0x004C)
        #expect(ManufacturerData.name(of: 0x004C) == "Apple")
        #expect(ManufacturerData.company(of: [0x4C]) == nil)
    }

    @Test(
        arguments: [
            (
                "00 EE 00010203040506070809 0A0B0C0D0E0F 0000",
                [
                    "beacon Eddystone-UID", "power at 0 m -18 dBm", "namespace 00010203040506070809",
                    "instance 0A0B0C0D0E0F",
                ]
            ),
            (
                "10 EB 01 6578616D706C65 08 2F61",
                ["beacon Eddystone-URL", "power at 0 m -21 dBm", "url https://www.example.org/a"]
            ),
            (
                "20 00 0BB8 1780 00000010 00000064",
                [
                    "beacon Eddystone-TLM", "battery 3000 mV", "temperature 23.50 °C", "advertisements 16",
                    "uptime 10.0 s",
                ]
            ),
        ] as [(String, [String])])
    func `decodes Eddystone's frames`(hex: String, fields: [String]) throws {
        #expect(Eddystone.decode(try #require(Hex.octets(hex)))?.map(\.text) == fields)
    }

    @Test(arguments: ["", "00 EE 00", "10 EB", "10 EB 09", "10 EB 01 FF", "20 01 0BB8 1780 00000010 00000064", "30"])
    func `decodes nothing of other frames`(hex: String) throws {
        #expect(Eddystone.decode(try #require(Hex.octets(hex))) == nil)
    }
}
