import BLEWire

/// RuuviTag's readings in manufacturer data, data formats 3 and 5 (docs.ruuvi.com, "Bluetooth advertisements"). Big endian.
package enum RuuviTag {
    package static let company: UInt16 = 0x0499

    /// What the data behind the company identifier says; nil where its format isn't known.
    package static func decode(_ data: ArraySlice<UInt8>) -> DecodedValue? {
        let octets = Array(data)
        switch octets.first {
        case 3 where octets.count >= 14: return DecodedValue(format3(octets))
        case 5 where octets.count >= 24: return DecodedValue(format5(octets))
        default: return nil
        }
    }

    private static func number(_ octets: [UInt8], _ index: Int) -> Int128 {
        Int128(octets[index]) << 8 | Int128(octets[index + 1])
    }

    private static func signed(_ octets: [UInt8], _ index: Int) -> Int128 {
        Int128(Int16(truncatingIfNeeded: number(octets, index)))
    }

    private static func field(_ name: String, _ number: Int128, _ exponent: Int, _ unit: String) -> DecodedField {
        DecodedField(name, .number(Decimal.text(number, exponent: exponent)), unit: unit)
    }

    private static func acceleration(_ octets: [UInt8], _ index: Int) -> [DecodedField] {
        ["X", "Y", "Z"].enumerated().map { place, axis in
            let number = signed(octets, index + 2 * place)
            return number == -0x8000 ? unknown("acceleration \(axis)") : field("acceleration \(axis)", number, -3, "gₙ")
        }
    }

    private static func unknown(_ name: String) -> DecodedField { DecodedField(name, .text("not known")) }

    private static func format3(_ octets: [UInt8]) -> [DecodedField] {
        // Sign and whole degrees, then hundredths.
        let degrees = Int128(octets[2] & 0x7F) * 100 + Int128(octets[3])
        return [
            DecodedField("sensor", .text("RuuviTag")), field("humidity", Int128(octets[1]) * 5, -1, "%"),
            field("temperature", octets[2] >> 7 == 1 ? -degrees : degrees, -2, "°C"),
            field("pressure", number(octets, 4) + 50_000, 0, "Pa"),
        ] + acceleration(octets, 6) + [field("battery", number(octets, 12), -3, "V")]
    }

    private static func format5(_ octets: [UInt8]) -> [DecodedField] {
        var fields = [DecodedField("sensor", .text("RuuviTag"))]
        let temperature = signed(octets, 1)
        fields.append(temperature == -0x8000 ? unknown("temperature") : field("temperature", temperature * 5, -3, "°C"))
        let humidity = number(octets, 3)
        fields.append(humidity == 0xFFFF ? unknown("humidity") : field("humidity", humidity * 25, -4, "%"))
        let pressure = number(octets, 5)
        fields.append(pressure == 0xFFFF ? unknown("pressure") : field("pressure", pressure + 50_000, 0, "Pa"))
        fields += acceleration(octets, 7)
        // 11 bits of millivolts above 1.6 V, 5 of 2 dBm above -40.
        let power = number(octets, 13)
        fields.append(power >> 5 == 0x7FF ? unknown("battery") : field("battery", (power >> 5) + 1600, -3, "V"))
        fields.append(power & 0x1F == 0x1F ? unknown("power") : field("power", (power & 0x1F) * 2 - 40, 0, "dBm"))
        fields.append(octets[15] == 0xFF ? unknown("movements") : field("movements", Int128(octets[15]), 0, ""))
        let sequence = number(octets, 16)
        fields.append(sequence == 0xFFFF ? unknown("measurement") : field("measurement", sequence, 0, ""))
        let address = octets[18..<24].map { Hex.octet($0) }.joined(separator: ":")
        return fields + [DecodedField("address", .text(address))]
    }
}
