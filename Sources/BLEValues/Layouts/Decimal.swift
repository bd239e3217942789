/// Decimal numbers as text, exact: what counts hundredths needs no binary fraction on its way to a person.
enum Decimal {
    /// `number` × 10^`exponent`: `36.6` for 366 and -1.
    static func text(_ number: Int128, exponent: Int) -> String {
        guard exponent < 0 else {
            return number == 0 ? "0" : String(number) + String(repeating: "0", count: exponent)
        }
        let digits = String(number.magnitude)
        let padded = String(repeating: "0", count: max(0, 1 - exponent - digits.count)) + digits
        return (number < 0 ? "-" : "") + padded.dropLast(-exponent) + "." + padded.suffix(-exponent)
    }

    /// A number with the exponents M, d and b. Halves are written out, without zeros at the end: 1/8 is 0.125.
    static func text(_ number: Int128, scale: Scale) -> String {
        // An eighth is 125 thousandths.
        let factor = (0..<abs(scale.binary)).reduce(Int128(scale.multiplier)) { factor, _ in
            factor &* (scale.binary < 0 ? 5 : 2)
        }
        let (product, overflow) = number.multipliedReportingOverflow(by: factor)
        guard !overflow else { return String(number) }
        guard scale.binary < 0 else { return text(product, exponent: scale.decimal) }
        return trimmed(text(product, exponent: scale.decimal + scale.binary))
    }

    private static func trimmed(_ text: String) -> String {
        guard text.contains(".") else { return text }
        var text = text
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return text
    }

    /// With four digits that count; for positive numbers.
    static func rounded(_ number: Double) -> String {
        var scaled = number
        var exponent = 0
        while scaled < 1000, exponent > -20 {
            scaled *= 10
            exponent -= 1
        }
        while scaled >= 9999.5 {
            scaled /= 10
            exponent += 1
        }
        return trimmed(text(Int128(scaled + 0.5), exponent: exponent))
    }

    /// An IEEE 11073-20601 FLOAT. Five mantissas stand for what is no number.
    static func float(_ bits: UInt32) -> DecodedField.Value {
        let mantissa = Int32(bitPattern: bits << 8) >> 8
        let exponent = Int(Int8(bitPattern: UInt8(truncatingIfNeeded: bits >> 24)))
        return medical(Int(mantissa), exponent: exponent, largest: 0x7F_FFFF)
    }

    /// An IEEE 11073-20601 SFLOAT: the same in 12 and 4 bits.
    static func shortFloat(_ bits: UInt16) -> DecodedField.Value {
        let mantissa = Int16(bitPattern: bits << 4) >> 4
        return medical(Int(mantissa), exponent: Int(Int16(bitPattern: bits) >> 12), largest: 0x7FF)
    }

    private static func medical(_ mantissa: Int, exponent: Int, largest: Int) -> DecodedField.Value {
        switch mantissa {
        case largest: .text("not a number")
        case -largest - 1: .text("not at this resolution")
        case largest - 1: .text("infinite")
        case -largest + 1: .text("negatively infinite")
        case -largest: .text("reserved")
        default: .number(text(Int128(mantissa), exponent: exponent))
        }
    }
}
