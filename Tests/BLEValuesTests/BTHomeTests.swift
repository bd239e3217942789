import BLEValues
import BLEWire
import Testing

/// BTHome's readings; the expected ones are what PyPI's bthome-ble 3.25.0 gives.
@Suite struct BTHomeTests {
    @Test(
        arguments: [
            ("40 02CA09 03BF13", "Temperature 25.06 °C, Humidity 50.55 %"), ("40 0161", "Battery 97 %"),
            ("40 04138A01", "Pressure 1008.83 hPa"), ("40 05138A14", "Illuminance 13460.67 lx"),
            ("40 02F8FF", "Temperature -0.08 °C"), ("40 58EA", "Temperature -7.70 °C"),
            ("40 57EA", "Temperature -22 °C"),
            ("40 3A00 3A01", "Button none, Button press"), ("40 3C0203", "Dimmer rotate right, Steps 3"),
            ("40 50FC398964", "Timestamp 2023-06-14 03:54:36"), ("40 1A01 2101", "Door Open, Motion Detected"),
            ("40 530C 48656C6C6F20576F726C6421", "Text Hello World!"), ("40 5402 AABB", "Raw AABB"),
            ("40 F00100 F100010204", "Device type id 0x0001, Firmware version 4.2.1.0"),
            ("40 F2000106", "Firmware version 6.1.0"),
            ("40 3B0000", "Command off"), ("40 3B01030A", "Command step up 0A"),
            ("42 665544332211 0161", "Battery 97 %"),
            ("40 02CA", "(Temperature has 2 octets, but there is 1)"), ("40 53", "(ends within object 0x53)"),
            ("40 0161 99 00", "Battery 97 % (object 0x99 isn't known, nor what is behind it)"), ("40", ""),
            ("20 0161", nil), ("", nil),
        ] as [(String, String?)])
    func `decodes version 2`(hex: String, text: String?) throws {
        #expect(BTHome.decode(service: BTHome.service2, try #require(Hex.octets(hex)))?.text == text)
    }

    @Test(
        arguments: [
            ("2302CA09 0303BF13", "Temperature 25.06 °C, Humidity 50.55 %"), ("0201 61", "Battery 97 %"),
            ("021A01", "Door Open"), ("4502 0000C841", "Temperature 25.0 °C"),
            ("039901AA", "Object 0x99 01AA"), ("2302CA", "(an object has 3 octets, but there are 2)"),
            ("00", "(an object has 0 octets, but there are 0)"),
        ] as [(String, String)])
    func `decodes version 1`(hex: String, text: String) throws {
        #expect(BTHome.decode(service: BTHome.plainService1, try #require(Hex.octets(hex)))?.text == text)
    }

    @Test func `says what is to be decrypted, and decodes what comes back`() throws {
        let data = try #require(Hex.octets("41 A47266C95F73 00112233 78237214"))
        var asked: BTHome.Sealed?
        let decoded = BTHome.decode(
            service: BTHome.service2, data, address: [0x54, 0x48, 0xE6, 0x8F, 0x80, 0xA5]
        ) { sealed in
            asked = sealed
            return [0x02, 0xCA, 0x09, 0x03, 0xBF, 0x13]
        }
        #expect(decoded?.text == "Temperature 25.06 °C, Humidity 50.55 %")
        #expect(asked?.nonce == Hex.octets("5448E68F80A5 D2FC41 00112233"))
        #expect(asked?.ciphertext == Hex.octets("A47266C95F73"))
        #expect(asked?.tag == Hex.octets("78237214"))
        #expect(asked?.additional == [])
    }

    @Test func `tells what it has no key for`() throws {
        let data = try #require(Hex.octets("41 A47266C95F73 00112233 78237214"))
        let locked = "(encrypted, and there is no key that opens it)"
        #expect(BTHome.decode(service: BTHome.service2, data)?.text == locked)
        #expect(BTHome.decode(service: BTHome.service2, data, address: [1, 2, 3, 4, 5, 6])?.text == locked)
        #expect(BTHome.decode(service: BTHome.encryptedService1, data)?.text == locked)
        #expect(BTHome.decode(service: BTHome.service2, [0x41, 1], address: [1, 2, 3, 4, 5, 6])?.text == locked)
    }
}
