import BLEWire

/// Google's beacons: frames in the service data of 0xFEAA.
package enum Eddystone {
    package static let service: UInt16 = 0xFEAA

    private static let schemes = ["http://www.", "https://www.", "http://", "https://"]
    private static let endings = [".com", ".org", ".edu", ".net", ".info", ".biz", ".gov"]

    /// What a frame says; nil where it is none, or of a kind that isn't known. Known: UID, URL and plain TLM.
    package static func decode(_ frame: [UInt8]) -> [DecodedField]? {
        switch frame.first {
        case 0x00 where frame.count >= 18:
            return [
                DecodedField("beacon", .text("Eddystone-UID")), power(frame[1]),
                DecodedField("namespace", .text(Hex.string(frame[2..<12]))),
                DecodedField("instance", .text(Hex.string(frame[12..<18]))),
            ]
        case 0x10 where frame.count >= 3:
            guard let url = url(frame[2...]) else { return nil }
            return [DecodedField("beacon", .text("Eddystone-URL")), power(frame[1]), DecodedField("url", .text(url))]
        case 0x20 where frame.count == 14 && frame[1] == 0: return telemetry(frame)
        default: return nil
        }
    }

    private static func power(_ octet: UInt8) -> DecodedField {
        DecodedField("power at 0 m", .number(String(Int8(bitPattern: octet))), unit: "dBm")
    }

    /// A scheme by its number, then characters; 0 to 6 are endings with a slash, 7 to 13 without.
    private static func url(_ octets: ArraySlice<UInt8>) -> String? {
        guard let first = octets.first, Int(first) < schemes.count else { return nil }
        var url = schemes[Int(first)]
        for octet in octets.dropFirst() {
            switch octet {
            case 0..<7: url += endings[Int(octet)] + "/"
            case 7..<14: url += endings[Int(octet) - 7]
            case 0x21...0x7E: url.unicodeScalars.append(Unicode.Scalar(octet))
            default: return nil
            }
        }
        return url
    }

    /// Big endian, unlike what is Bluetooth's own.
    private static func telemetry(_ frame: [UInt8]) -> [DecodedField] {
        func number(_ range: Range<Int>) -> Int128 { frame[range].reduce(0) { $0 << 8 | Int128($1) } }
        // 8.8 bits, signed; told in hundredths of a degree.
        let temperature = Int128(Int16(truncatingIfNeeded: number(4..<6))) * 100 / 256
        return [
            DecodedField("beacon", .text("Eddystone-TLM")),
            DecodedField("battery", .number(String(number(2..<4))), unit: "mV"),
            DecodedField("temperature", .number(Decimal.text(temperature, exponent: -2)), unit: "°C"),
            DecodedField("advertisements", .number(String(number(6..<10)))),
            DecodedField("uptime", .number(Decimal.text(number(10..<14), exponent: -1)), unit: "s"),
        ]
    }
}
