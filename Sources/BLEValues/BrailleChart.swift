/// A course of numbers as lines of braille characters: two steps and four levels to a character.
///
/// *Limits*: shows the last `2 × width` numbers. Numbers that are none (infinite, not a number) leave a gap.
package struct BrailleChart: Sendable {
    private let width: Int
    private let height: Int
    private var values: [Double] = []

    /// - Parameters:
    ///   - width: columns of characters, at least one.
    ///   - height: lines, at least one.
    package init(width: Int, height: Int) {
        self.width = max(1, width)
        self.height = max(1, height)
    }

    package mutating func append(_ value: Double) {
        values.append(value)
        if values.count > 2 * width { values.removeFirst(values.count - 2 * width) }
    }

    /// The least and the greatest number that is shown; nil where there is none.
    package var limits: ClosedRange<Double>? {
        let finite = values.filter(\.isFinite)
        guard let least = finite.min(), let greatest = finite.max() else { return nil }
        return least...greatest
    }

    /// The lines from the top, of `width` characters each.
    package var lines: [String] {
        var cells = [[UInt32]](repeating: [UInt32](repeating: 0, count: width), count: height)
        if let limits {
            var last: Int?
            for (step, value) in values.enumerated() {
                guard value.isFinite else {
                    last = nil
                    continue
                }
                let level = level(of: value, in: limits)
                // A step that jumps is joined to the one before it.
                for dot in min(level, last ?? level)...max(level, last ?? level) where dot == level || last != nil {
                    let line = height - 1 - dot / 4
                    cells[line][step / 2] |= Self.dot(column: step % 2, level: dot % 4)
                }
                last = level
            }
        }
        return cells.map { line in String(String.UnicodeScalarView(line.compactMap { Unicode.Scalar(0x2800 + $0) })) }
    }

    /// Which of the dots above each other, from 0 at the bottom on; a course without change is in the middle.
    private func level(of value: Double, in limits: ClosedRange<Double>) -> Int {
        let top = 4 * height - 1
        let span = limits.upperBound - limits.lowerBound
        guard span > 0, span.isFinite else { return top / 2 }
        return min(top, Int(((value - limits.lowerBound) / span * Double(top)).rounded()))
    }

    /// The dot's bit: U+2800 has dots 1 to 3 and 7 in its left column, 4 to 6 and 8 in the right one, from the top.
    private static func dot(column: Int, level: Int) -> UInt32 {
        let left: [UInt32] = [0x40, 0x04, 0x02, 0x01]
        let right: [UInt32] = [0x80, 0x20, 0x10, 0x08]
        return column == 0 ? left[level] : right[level]
    }
}
