/// The one logarithm that the path loss needs; the same on every machine.
enum Logarithm {
    /// log₁₀ of a positive number, exact to about nine digits.
    static func decimal(_ value: Double) -> Double {
        let mantissa = value.significand
        // ln m = 2 artanh((m - 1) / (m + 1)) with m from 1 to 2.
        let ratio = (mantissa - 1) / (mantissa + 1)
        let square = ratio * ratio
        var power = ratio
        var sum = 0.0
        var divisor = 1.0
        while divisor < 19 {
            sum += power / divisor
            power *= square
            divisor += 2
        }
        let natural = 2 * sum + Double(value.exponent) * 0.693_147_180_559_945_3
        return natural * 0.434_294_481_903_251_8
    }
}
