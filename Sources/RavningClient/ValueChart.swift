import BLEValues
import BLEWire
import CoreBluetooth
import Glibc

/// The values of a characteristic as a chart that is drawn anew with each, on a terminal.
struct ValueChart {
    private static let (width, height) = (64, 8)
    private var chart = BrailleChart(width: width, height: height)
    private var isDrawn = false

    /// Nil where nobody would see it: standard output is no terminal.
    init?() {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
    }

    /// The lines to print, which go over those of the value before.
    mutating func lines(_ octets: [UInt8], of characteristic: CBUUID) -> String {
        let shown = ShownValue(octets, of: characteristic)
        let number = Self.number(octets, shown)
        chart.append(number ?? .nan)
        let limits = chart.limits
        var lines = chart.lines
        lines[0] += " " + Self.text(limits?.upperBound)
        lines[lines.count - 1] += " " + Self.text(limits?.lowerBound)
        lines.append(shown.text)
        // Up to the first line, and each line from its beginning on without what stood there.
        let back = isDrawn ? "\u{1B}[\(lines.count)A" : ""
        isDrawn = true
        return back + lines.map { "\r\u{1B}[2K" + $0 }.joined(separator: "\n")
    }

    /// The first number that the value says; of a value whose layout isn't known all of it, where that is short enough.
    private static func number(_ octets: [UInt8], _ shown: ShownValue) -> Double? {
        if let number = shown.numbers.first { return number }
        guard (1...4).contains(octets.count) else { return nil }
        return Double(octets.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    }

    private static func text(_ number: Double?) -> String {
        guard let number else { return "" }
        return number == number.rounded() && number.magnitude < 1e15 ? String(Int(number)) : String(number)
    }
}
