/// A day of the Gregorian calendar. A year, month or day that is 0 isn't known.
struct CalendarDate: Equatable, CustomStringConvertible {
    let year: Int
    let month: Int
    let day: Int

    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day that is so many days after 1 January 1970; in eras of 400 years, which begin in March.
    init(daysSince1970: Int) {
        let days = daysSince1970 + 719_468
        let era = days >= 0 ? days / 146_097 : (days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * month + 2) / 5 + 1
        self.month = month < 10 ? month + 3 : month - 9
        year = yearOfEra + era * 400 + (self.month <= 2 ? 1 : 0)
    }

    /// Whether there is such a day, as far as it is known.
    var isPossible: Bool {
        guard month <= 12, day <= 31 else { return false }
        guard month > 0 else { return true }
        let isLeap = year == 0 || (year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)))
        return day <= [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    /// `2026-11-30`, with hyphens for what isn't known: `----11-30`.
    var description: String {
        let years = year == 0 ? "----" : String(repeating: "0", count: max(0, 4 - String(year).count)) + String(year)
        return "\(years)-\(month == 0 ? "--" : Self.digits(month))-\(day == 0 ? "--" : Self.digits(day))"
    }

    static func time(_ hours: Int, _ minutes: Int, _ seconds: Int) -> String {
        "\(digits(hours)):\(digits(minutes)):\(digits(seconds))"
    }

    /// A moment that is so many seconds after the beginning of a day.
    static func text(seconds: Int64, sinceDay day: Int) -> String {
        let second = Int(seconds % 86_400)
        return CalendarDate(daysSince1970: day + Int(seconds / 86_400)).description + " "
            + time(second / 3600, second / 60 % 60, second % 60)
    }

    static func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}
