import BLEWire

// Fields that no number of exponents describes.
extension ValueDecoder {
    mutating func takeSpecial(_ kind: ValueField.SpecialKind, _ field: ValueField, _ name: String) {
        switch kind {
        case .dateTime: takeDate(field, name, hasTime: true)
        case .date: takeDate(field, name, hasTime: false)
        case .days:
            guard let days = number(3, of: field) else { return }
            add(name, .text(field.words[Int64(days)] ?? CalendarDate(daysSince1970: Int(days)).description))
        case .secondsSince1900, .secondsSince1970, .secondsSince2000:
            guard let seconds = number(4, of: field) else { return }
            // 1900 was no leap year: 70 years of 365 days, and 17 leap days; from 1970 to 2000 there were 7.
            let days = kind == .secondsSince1900 ? -(70 * 365 + 17) : kind == .secondsSince1970 ? 0 : 30 * 365 + 7
            add(name, .text(CalendarDate.text(seconds: Int64(seconds), sinceDay: days)))
        case .quarters:
            guard let octet = number(1, of: field) else { return }
            let quarters = Int(Int8(truncatingIfNeeded: octet))
            add(name, .text(field.words[Int64(quarters)] ?? Self.offset(quarters)))
        case .exponential:
            guard let octet = number(1, of: field) else { return }
            if let word = field.words[Int64(octet)] {
                add(name, .text(word))
            } else {
                add(name, .number(octet == 0 ? "0" : Decimal.rounded(Self.power(Int(octet) - 64))), unit: field.unit)
            }
        case .uuid, .shortUUID:
            guard let octets = take(kind == .uuid && rest.count >= 16 ? 16 : 2, of: field) else { return }
            let number = octets.reversed().reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
            if octets.count == 16 {
                add(name, .text(BluetoothUUID(full: number).description))
            } else {
                add(name, .text(Self.named(UInt16(number), AssignedNumbers.name(ofUUID:))))
            }
        case .units:
            while rest.count >= 2, let unit = number(2, of: field) {
                add(name, .text(Self.named(UInt16(unit), AssignedNumbers.name(ofUnit:))))
            }
        case .company:
            guard let company = number(2, of: field) else { return }
            add(name, .text(Self.named(UInt16(company), AssignedNumbers.name(ofCompany:))))
        case .appearance:
            guard let appearance = number(2, of: field) else { return }
            add(name, .text(Self.named(UInt16(appearance), AssignedNumbers.name(ofAppearance:))))
        case .address, .extendedIdentifier:
            guard let octets = take(kind == .address ? 6 : 8, of: field) else { return }
            add(name, .text(octets.reversed().map { Hex.string([$0]) }.joined(separator: ":")))
        case .reportMap:
            let (items, problem) = HIDReportMap.decode(take(nil, of: field) ?? [])
            for item in items { add(item.name, item.value, unit: item.unit) }
            if let problem { complain(problem) }
        }
    }

    private mutating func takeDate(_ field: ValueField, _ name: String, hasTime: Bool) {
        guard let octets = take(hasTime ? 7 : 4, of: field) else { return }
        let parts = octets.dropFirst(2).map { Int($0) }
        let date = CalendarDate(
            year: Int(octets[octets.startIndex]) | Int(octets[octets.startIndex + 1]) << 8, month: parts[0],
            day: parts[1])
        var text = date.description
        var isValid = date.isPossible
        if hasTime {
            text += " " + CalendarDate.time(parts[2], parts[3], parts[4])
            isValid = isValid && parts[2] < 24 && parts[3] < 60 && parts[4] < 60
        }
        add(name, .text(text))
        if !isValid { complain("\(text) isn't a date") }
    }

    /// `2A19 Battery Level`
    private static func named(_ number: UInt16, _ name: (UInt16) -> String?) -> String {
        name(number).map { "\(Hex.number(number)) \($0)" } ?? Hex.number(number)
    }

    /// `UTC+05:45`
    private static func offset(_ quarters: Int) -> String {
        let minutes = abs(quarters) % 4 * 15
        return "UTC" + (quarters < 0 ? "-" : "+") + CalendarDate.digits(abs(quarters) / 4) + ":"
            + CalendarDate.digits(minutes)
    }

    private static func power(_ exponent: Int) -> Double {
        let power = (0..<abs(exponent)).reduce(1.0) { power, _ in power * 1.1 }
        return exponent < 0 ? 1 / power : power
    }
}
