/// The types that a number can be written in, little endian if nothing else is said. [Vol 3, Part G, 2.4]
package enum NumberType: String, CaseIterable, Sendable {
    case u8, u16, u24, u32, u40, u48, u64
    case i8, i16, i24, i32, i64
    /// IEEE 754.
    case f32, f64
    /// IEEE 11073-20601: FLOAT of 32 bits and SFLOAT of 16.
    case float, sfloat

    package var size: Int {
        switch self {
        case .u8, .i8: 1
        case .u16, .i16, .sfloat: 2
        case .u24, .i24: 3
        case .u32, .i32, .f32, .float: 4
        case .u40: 5
        case .u48: 6
        case .u64, .i64, .f64: 8
        }
    }

    private var isSigned: Bool { [.i8, .i16, .i24, .i32, .i64].contains(self) }

    /// The octets of a number with so many decimal places; nil where it has no room in the type.
    package func octets(_ number: Double, places: Int) -> [UInt8]? {
        switch self {
        case .f32: return Self.octets(UInt64(Float(number).bitPattern), 4)
        case .f64: return Self.octets(number.bitPattern, 8)
        case .float, .sfloat:
            let mantissaBits = self == .float ? 24 : 12
            let mantissa = Self.scaled(number, places)
            // The largest five mantissas stand for what is no number.
            let limit = Double((1 << (mantissaBits - 1)) - 3)
            let exponents = self == .float ? -128...127 : -8...7
            guard abs(mantissa) <= limit, exponents.contains(-places) else { return nil }
            let mask = UInt64(1) << UInt64(mantissaBits) - 1
            let exponent = UInt64(bitPattern: Int64(-places)) & (self == .float ? 0xFF : 0xF)
            return Self.octets(exponent << UInt64(mantissaBits) | UInt64(bitPattern: Int64(mantissa)) & mask, size)
        default:
            let scaled = Self.scaled(number, places)
            let bits = Double(size * 8)
            let half = Self.powerOfTwo(isSigned ? bits - 1 : bits)
            guard scaled >= (isSigned ? -half : 0), scaled < half else { return nil }
            return Self.octets(isSigned ? UInt64(bitPattern: Int64(scaled)) : UInt64(scaled), size)
        }
    }

    /// The number of octets that are laid out like this; nil where there are too few, or where it is none.
    package func number(_ octets: [UInt8], places: Int, isBigEndian: Bool) -> Double? {
        guard octets.count >= size else { return nil }
        let ordered = isBigEndian ? Array(octets.prefix(size)) : octets.prefix(size).reversed()
        let bits = ordered.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        func signed(_ value: UInt64, _ width: UInt64) -> Int64 {
            Int64(bitPattern: value << (64 - width)) >> Int64(64 - width)
        }
        switch self {
        case .f32: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
        case .f64: return Double(bitPattern: bits)
        case .float, .sfloat:
            let width: UInt64 = self == .float ? 24 : 12
            let mantissa = Double(signed(bits, width))
            return Self.shifted(mantissa, Int(signed(bits >> width, UInt64(size * 8) - width)))
        default:
            let whole = isSigned ? Double(signed(bits, UInt64(size * 8))) : Double(bits)
            return Self.shifted(whole, -places)
        }
    }

    private static func octets(_ bits: UInt64, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0)) }
    }

    private static func scaled(_ number: Double, _ places: Int) -> Double { shifted(number, places).rounded() }

    /// `number` × 10^`exponent`.
    static func shifted(_ number: Double, _ exponent: Int) -> Double {
        var scale = 1.0
        for _ in 0..<abs(exponent) { scale *= 10 }
        return exponent < 0 ? number / scale : number * scale
    }

    private static func powerOfTwo(_ exponent: Double) -> Double {
        var power = 1.0
        for _ in 0..<Int(exponent) { power *= 2 }
        return power
    }
}
