/// Octets as hexadecimal text and back.
package enum Hex {
    private static let digits: [Character] = Array("0123456789ABCDEF")

    /// Two upper-case digits.
    package static func octet(_ value: UInt8) -> String {
        String([digits[Int(value >> 4)], digits[Int(value & 15)]])
    }

    /// `0102FF`, or with a separator `01 02 FF`.
    package static func string(_ octets: some Sequence<UInt8>, separator: String = "") -> String {
        octets.map(octet).joined(separator: separator)
    }

    /// As many upper-case digits as the type is wide, most significant first.
    package static func number(_ value: some FixedWidthInteger & UnsignedInteger) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, value.bitWidth / 4 - text.count)) + text
    }

    /// `0x` and as many upper-case digits as the type is wide.
    package static func prefixed(_ value: some FixedWidthInteger & UnsignedInteger) -> String { "0x" + number(value) }

    /// Octets of an even number of digits, with spaces anywhere between octets; nil for anything else.
    package static func octets(_ text: some StringProtocol) -> [UInt8]? {
        var octets: [UInt8] = []
        var high: UInt8?
        for character in text.utf8 {
            let digit: UInt8
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = character - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = character - UInt8(ascii: "A") + 10
            case UInt8(ascii: " ") where high == nil: continue
            default: return nil
            }
            if let first = high {
                octets.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return high == nil ? octets : nil
    }
}
