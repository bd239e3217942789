/// Decimal numbers as text, exact: what counts hundredths needs no binary fraction on its way to a person.
enum Decimal {
    /// `number` × 10^`exponent`: `36.6` for 366 and -1.
    static func text(_ number: Int64, exponent: Int) -> String {
        guard exponent < 0 else {
            return number == 0 ? "0" : String(number) + String(repeating: "0", count: exponent)
        }
        let digits = String(number.magnitude)
        let padded = String(repeating: "0", count: max(0, 1 - exponent - digits.count)) + digits
        return (number < 0 ? "-" : "") + padded.dropLast(-exponent) + "." + padded.suffix(-exponent)
    }

    /// An IEEE 11073-20601 FLOAT. Five mantissas stand for what is no number.
    static func float(_ bits: UInt32) -> DecodedField.Value {
        let mantissa = Int32(bitPattern: bits << 8) >> 8
        let exponent = Int(Int8(bitPattern: UInt8(truncatingIfNeeded: bits >> 24)))
        switch mantissa {
        case 0x7F_FFFF: return .text("not a number")
        case -0x80_0000: return .text("not at this resolution")
        case 0x7F_FFFE: return .text("infinite")
        case -0x7F_FFFE: return .text("negatively infinite")
        case -0x7F_FFFF: return .text("reserved")
        default: return .number(text(Int64(mantissa), exponent: exponent))
        }
    }
}
