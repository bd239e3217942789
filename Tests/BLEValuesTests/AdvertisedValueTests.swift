import BLEValues
import BLEWire
import Testing

/// What beacons and sensors say in their advertisements.
@Suite struct AdvertisedValueTests {
    private let beacon = "4C00 0215 F7826DA64FA24E988024BC5B71E0893E 0001 0102 C5"

    private func decoded(_ service: UInt16, _ hex: String) throws -> String? {
        ServiceData.decode(service: service, try #require(Hex.octets(hex)))?.text
    }

    @Test func `decodes an iBeacon`() throws {
        let data = try #require(Hex.octets(beacon))
        #expect(
            ManufacturerData.decode(data)?.fields.map(\.text) == [
                "beacon iBeacon", "uuid F7826DA6-4FA2-4E98-8024-BC5B71E0893E", "major 1", "minor 258",
                "power at 1 m -59 dBm",
            ])
        #expect(ManufacturerData.decode(Array(data.dropLast())) == nil)
    }

    @Test(
        arguments: [
            ("4C00 1005 0B1C 6D9A 2E", "kind Nearby Info"),
            ("4C00 0C02 0102 1001 00", "kind Handoff, kind Nearby Info"),
            ("4C00 FE00", "kind type 0xFE"), ("4C00", nil), ("4C00 10", nil), ("4C00 1002 01", nil),
        ] as [(String, String?)])
    func `names Apple's kinds`(hex: String, text: String?) throws {
        #expect(ManufacturerData.decode(try #require(Hex.octets(hex)))?.text == text)
    }

    @Test func `names the company of manufacturer data`() {
        #expect(ManufacturerData.company(of: [0x4C, 0x00, 1]) == 0x004C)
        #expect(AssignedNumbers.name(ofCompany: 0x004C) == "Apple, Inc.")
        #expect(ManufacturerData.company(of: [0x4C]) == nil)
    }

    @Test(
        arguments: [
            (
                "00 EE 00010203040506070809 0A0B0C0D0E0F 0000",
                "beacon Eddystone-UID, power at 0 m -18 dBm, namespace 00010203040506070809, instance 0A0B0C0D0E0F"
            ),
            (
                "10 EB 01 6578616D706C65 08 2F61",
                "beacon Eddystone-URL, power at 0 m -21 dBm, url https://www.example.org/a"
            ),
            (
                "20 00 0BB8 1780 00000010 00000064",
                "beacon Eddystone-TLM, battery 3000 mV, temperature 23.50 °C, advertisements 16, uptime 10.0 s"
            ),
        ] as [(String, String)])
    func `decodes Eddystone's frames`(hex: String, text: String) throws {
        #expect(try decoded(Eddystone.service, hex) == text)
    }

    @Test(arguments: ["", "00 EE 00", "10 EB", "10 EB 09", "10 EB 01 FF", "20 01 0BB8 1780 00000010 00000064", "30"])
    func `decodes nothing of other frames`(hex: String) throws {
        #expect(try decoded(Eddystone.service, hex) == nil)
    }

    // The two valid values are those of Ruuvi's own description of the format, with what it says they mean.
    @Test(
        arguments: [
            (
                "9904 05 12FC 5394 C37C 0004 FFFC 040C AC36 42 00CD CBB8334C884F",
                "sensor RuuviTag, temperature 24.300 °C, humidity 53.4900 %, pressure 100044 Pa, acceleration X 0.004 gₙ, "
                    + "acceleration Y -0.004 gₙ, acceleration Z 1.036 gₙ, battery 2.977 V, power 4 dBm, movements 66, "
                    + "measurement 205, address CB:B8:33:4C:88:4F"
            ),
            (
                "9904 05 8000 FFFF FFFF 8000 8000 8000 FFFF FF FFFF FFFFFFFFFFFF",
                "sensor RuuviTag, temperature not known, humidity not known, pressure not known, "
                    + "acceleration X not known, acceleration Y not known, acceleration Z not known, battery not known, "
                    + "power not known, movements not known, measurement not known, address FF:FF:FF:FF:FF:FF"
            ),
            (
                "9904 03 29 1A1E CE1E FC18 03E8 0000 0BB8",
                "sensor RuuviTag, humidity 20.5 %, temperature 26.30 °C, pressure 102766 Pa, acceleration X -1.000 gₙ, "
                    + "acceleration Y 1.000 gₙ, acceleration Z 0.000 gₙ, battery 3.000 V"
            ),
            (
                "9904 03 00 8145 0000 0000 0000 0000 0000",
                "sensor RuuviTag, humidity 0.0 %, temperature -1.69 °C, pressure 50000 Pa, acceleration X 0.000 gₙ, "
                    + "acceleration Y 0.000 gₙ, acceleration Z 0.000 gₙ, battery 0.000 V"
            ),
            ("9904 06", nil), ("9904 05 12FC", nil), ("9904", nil),
        ] as [(String, String?)])
    func `decodes RuuviTag's readings`(hex: String, text: String?) throws {
        #expect(ManufacturerData.decode(try #require(Hex.octets(hex)))?.text == text)
    }

    @Test(
        arguments: [
            (
                "5020 AA01 DA E12E342D58A8 0D10 04 FE00 4802",
                "sensor MiBeacon, Product 0x01AA, Frame 218, Address A8:58:2D:34:2E:E1, Temperature 25.4 °C, Humidity 58.4 %"
            ),
            (
                "7120 9800 9C 795B0C6D8DC4 0D 0710 03 170000",
                "sensor MiBeacon, Product 0x0098, Frame 156, Address C4:8D:6D:0C:5B:79, Capability 0x0D, Illuminance 23 lx"
            ),
            (
                "5858 5B05 00 112233445566 00",
                "sensor MiBeacon, Product 0x055B, Frame 0, Address 66:55:44:33:22:11 (encrypted)"
            ),
            (
                "5020 AA01 DA E12E342D58A8 0D10 04 FE",
                "sensor MiBeacon, Product 0x01AA, Frame 218, "
                    + "Address A8:58:2D:34:2E:E1 (ends within its object)"
            ),
            ("4020 AA01 01 FF0F 01 05", "sensor MiBeacon, Product 0x01AA, Frame 1, object 0x0FFF 05"),
            ("1020 AA01 DA E12E", "sensor MiBeacon, Product 0x01AA, Frame 218 (Address has 6 octets, but there are 2)"),
            ("5020 AA", nil),
        ] as [(String, String?)])
    func `decodes Xiaomi's readings`(hex: String, text: String?) throws {
        #expect(try decoded(MiBeacon.service, hex) == text)
    }

    @Test(
        arguments: [
            (
                "A4C138ABCDEF 00E1 32 55 0BA2 07",
                "address A4:C1:38:AB:CD:EF, temperature 22.5 °C, humidity 50 %, battery 85 %, battery 2.978 V, measurement 7"
            ),
            (
                "EFCDAB38C1A4 6AFF D207 A20B 55 08 05",
                "address A4:C1:38:AB:CD:EF, temperature -1.50 °C, humidity 20.02 %, battery 2.978 V, battery 85 %, "
                    + "measurement 8, flags 0x05"
            ),
            ("EFCDAB38C1A4", nil),
        ] as [(String, String?)])
    func `decodes thermometers with open firmware`(hex: String, text: String?) throws {
        #expect(try decoded(Thermometer.service, hex) == text)
    }
}
