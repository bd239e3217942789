/// A time of day as a person's clock shows it; handed in, since nothing here reads a clock.
package struct WallTime: Equatable, Sendable {
    package var year: Int
    package var month: Int
    package var day: Int
    package var hour: Int
    package var minute: Int
    package var second: Int

    package init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
    }
}

/// A layout of the time: `yyyy`, `yy`, `MM`, `dd`, `HH`, `mm` and `ss` stand for digits, all other characters for themselves.
package struct TimePattern: Equatable, Sendable {
    package let text: String
    package init(_ text: String) { self.text = text }

    package func text(at time: WallTime) -> String {
        var result = ""
        var rest = text[...]
        let fields: [(String, Int, Int)] = [
            ("yyyy", time.year, 4), ("yy", time.year % 100, 2), ("MM", time.month, 2), ("dd", time.day, 2),
            ("HH", time.hour, 2), ("mm", time.minute, 2), ("ss", time.second, 2),
        ]
        outer: while let first = rest.first {
            for (name, number, width) in fields where rest.hasPrefix(name) {
                let digits = String(number)
                result += String(repeating: "0", count: max(0, width - digits.count)) + digits
                rest = rest.dropFirst(name.count)
                continue outer
            }
            result.append(first)
            rest = rest.dropFirst()
        }
        return result
    }
}
