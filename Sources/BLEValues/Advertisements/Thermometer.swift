import BLEWire

/// Two forms in which thermometers with open firmware tell their readings in the service data of Environmental Sensing:
/// ATC1441's, big endian, and pvvx's, little endian (github.com/pvvx/ATC_MiThermometer).
package enum Thermometer {
    package static let service: UInt16 = 0x181A

    private static let layout = ValueLayout(
        parsing: """
             address|address
             temperature|s16|1,-2,0|°C
             humidity|u16|1,-2,0|%
             battery|u16|1,-3,0|V
             battery|u8||%
             measurement|u8
             flags|h8
            """)

    /// What the data says; nil where it has neither form.
    package static func decode(_ data: [UInt8]) -> DecodedValue? {
        switch data.count {
        case 15: return layout?.decode(data)
        case 13:
            func number(_ index: Int) -> UInt16 { UInt16(data[index]) << 8 | UInt16(data[index + 1]) }
            let temperature = Int128(Int16(bitPattern: number(6)))
            return DecodedValue([
                DecodedField("address", .text(data[..<6].map { Hex.octet($0) }.joined(separator: ":"))),
                DecodedField("temperature", .number(Decimal.text(temperature, exponent: -1)), unit: "°C"),
                DecodedField("humidity", .number(String(data[8])), unit: "%"),
                DecodedField("battery", .number(String(data[9])), unit: "%"),
                DecodedField("battery", .number(Decimal.text(Int128(number(10)), exponent: -3)), unit: "V"),
                DecodedField("measurement", .number(String(data[12]))),
            ])
        default: return nil
        }
    }
}
