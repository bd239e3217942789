import BLEWire

/// Values as a person writes them on a command line.
package enum WrittenValue {
    /// The types that a number can be written in, as the options are called; little endian.
    package static let types = ["u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f32", "f64"]

    /// Octets in hexadecimal, with or without `0x` in front, and with spaces or colons between octets;
    /// nil for any other text.
    package static func hexadecimal(_ text: String) -> [UInt8]? {
        let digits = text.hasPrefix("0x") ? text.dropFirst(2) : text[...]
        return Hex.octets(String(digits.map { $0 == ":" ? " " : $0 }))
    }

    /// A number in one of the `types`, decimal or with `0x`; nil where it is none or has no room in the type.
    package static func number(_ text: String, as type: String) -> [UInt8]? {
        switch type {
        case "u8": whole(text, UInt8.self)
        case "u16": whole(text, UInt16.self)
        case "u32": whole(text, UInt32.self)
        case "u64": whole(text, UInt64.self)
        case "i8": whole(text, Int8.self)
        case "i16": whole(text, Int16.self)
        case "i32": whole(text, Int32.self)
        case "i64": whole(text, Int64.self)
        case "f32": Float(text).map { octets($0.bitPattern) }
        case "f64": Double(text).map { octets($0.bitPattern) }
        default: nil
        }
    }

    private static func whole<Number: FixedWidthInteger>(_ text: String, _ type: Number.Type) -> [UInt8]? {
        let isNegative = text.hasPrefix("-")
        let digits = isNegative ? text.dropFirst() : text[...]
        let number =
            digits.hasPrefix("0x") && !digits.dropFirst(2).hasPrefix("-") && !digits.dropFirst(2).hasPrefix("+")
            ? Number((isNegative ? "-" : "") + digits.dropFirst(2), radix: 16) : Number(text)
        guard let number else { return nil }
        return octets(number)
    }

    private static func octets<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        var rest = number
        var octets: [UInt8] = []
        for _ in 0..<Number.bitWidth / 8 {
            octets.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
        return octets
    }
}
