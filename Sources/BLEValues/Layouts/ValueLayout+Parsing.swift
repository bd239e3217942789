// The form of the table: a field a line, ` NAME|KIND|SCALE|UNIT|CONDITION`, with what can be left out at the end left out.
// Lines that have more spaces in front belong to the field above them: fields of a structure; names of numbers (`255=not
// known`); names of bits (`3-4:Position Status`), and below these names of their numbers.
//
// KIND: u8 … u64, s8 … s64 (with * as many as there are); m16, m32; f32, f64; b8 … b64, b*; p8 …; t, t16, z; x, x16; h16;
// @2A08; {}, {n}*; or one of `SpecialKind`. With # in front conditions are about it. SCALE: M,d,b. CONDITION: `0=1`,
// `2-3=0`, `0-7!1` (not equal), `^=0` (the field before), with & between; ? = may be missing.

extension ValueLayout {
    /// A layout from its lines; nil where they aren't in that form.
    package init?(parsing text: String) {
        let lines = text.split(separator: "\n").map { Line($0) }
        var index = 0
        guard let fields = Self.fields(lines, &index, depth: 1), index == lines.count, !fields.isEmpty else {
            return nil
        }
        self.fields = fields
    }

    private struct Line {
        let depth: Int
        let text: Substring

        init(_ line: Substring) {
            text = line.drop { $0 == " " }
            depth = line.count - text.count
        }
    }

    private static func fields(_ lines: [Line], _ index: inout Int, depth: Int) -> [ValueField]? {
        var fields: [ValueField] = []
        while index < lines.count, lines[index].depth == depth {
            guard var field = ValueField(parsing: lines[index].text) else { return nil }
            index += 1
            switch field.kind {
            case .structure, .records:
                guard let inner = Self.fields(lines, &index, depth: depth + 1), !inner.isEmpty else { return nil }
                field.fields = inner
            case .bits, .packed:
                guard let bits = Self.bits(lines, &index, depth: depth + 1) else { return nil }
                field.bits = bits
            default:
                guard let words = Self.words(lines, &index, depth: depth + 1) else { return nil }
                field.words = words
            }
            fields.append(field)
        }
        return fields
    }

    private static func bits(_ lines: [Line], _ index: inout Int, depth: Int) -> [ValueField.Bits]? {
        var all: [ValueField.Bits] = []
        while index < lines.count, lines[index].depth == depth {
            let parts = lines[index].text.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let range = ValueField.range(parts[0]) else { return nil }
            let names = parts[1].split(separator: "|")
            index += 1
            guard let name = names.first, let words = Self.words(lines, &index, depth: depth + 1) else { return nil }
            all.append(
                ValueField.Bits(
                    bits: range, name: String(name), unit: names.count > 1 ? String(names[1]) : "", words: words))
        }
        return all
    }

    private static func words(_ lines: [Line], _ index: inout Int, depth: Int) -> [Int64: String]? {
        var words: [Int64: String] = [:]
        while index < lines.count, lines[index].depth == depth {
            let parts = lines[index].text.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let number = Int64(parts[0]) else { return nil }
            words[number] = String(parts[1])
            index += 1
        }
        return words
    }
}

extension ValueField {
    fileprivate init?(parsing line: Substring) {
        let parts = line.split(separator: "|", omittingEmptySubsequences: false)
        guard (2...5).contains(parts.count) else { return nil }
        let isFlags = parts[1].first == "#"
        guard let kind = Kind(parsing: isFlags ? parts[1].dropFirst() : parts[1]) else { return nil }
        self.init(name: String(parts[0]), kind: kind)
        self.isFlags = isFlags
        if parts.count > 2, !parts[2].isEmpty {
            let numbers = parts[2].split(separator: ",").compactMap { Int($0) }
            guard numbers.count == 3 else { return nil }
            scale = Scale(multiplier: numbers[0], decimal: numbers[1], binary: numbers[2])
        }
        unit = parts.count > 3 ? String(parts[3]) : ""
        guard parts.count > 4 else { return }
        for part in parts[4].split(separator: "&") {
            if part == "?" {
                isOptional = true
            } else if let condition = Condition(parsing: part) {
                conditions.append(condition)
            } else {
                return nil
            }
        }
    }

    /// `3` or `3-5`; nil for anything else, and for bits beyond 63.
    fileprivate static func range(_ text: Substring) -> ClosedRange<Int>? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...2).contains(ends.count), let low = ends[0], let high = ends[ends.count - 1] else { return nil }
        guard low >= 0, low <= high, high < 64 else { return nil }
        return low...high
    }
}

extension ValueField.Condition {
    fileprivate init?(parsing text: Substring) {
        guard let sign = text.firstIndex(where: { $0 == "=" || $0 == "!" }),
            let value = UInt64(text[sign...].dropFirst())
        else { return nil }
        let place = text[..<sign]
        guard let bits = place == "^" ? 0...63 : ValueField.range(place) else { return nil }
        self.init(isOfFieldBefore: place == "^", bits: bits, value: value, isEqual: text[sign] == "=")
    }
}

extension ValueField.Kind {
    fileprivate init?(parsing text: Substring) {
        if let special = ValueField.SpecialKind(rawValue: String(text)) {
            self = .special(special)
            return
        }
        let rest = text.dropFirst()
        let size = Int(rest)
        // Of numbers in bits, whole octets.
        let octets = size.flatMap { $0 > 0 && $0 <= 64 && $0.isMultiple(of: 8) ? $0 / 8 : nil }
        switch (text.first, octets) {
        case ("u", let octets?), ("s", let octets?): self = .number(octets: octets, isSigned: text.first == "s")
        case ("m", 2), ("m", 4): self = .medical(octets: octets ?? 2)
        case ("f", 4), ("f", 8): self = .binary(octets: octets ?? 4)
        case ("b", let octets?): self = .bits(octets: octets)
        case ("p", let octets?): self = .packed(octets: octets)
        case ("h", let octets?): self = .hexadecimal(octets: octets)
        default:
            switch text {
            case "u16*", "s16*": self = .numbers(octets: 2, isSigned: text.first == "s")
            case "b*": self = .bits(octets: nil)
            case "t": self = .text(octets: nil)
            case "z": self = .terminatedText
            case "x": self = .raw(octets: nil)
            case "{}": self = .structure
            case "{n}*": self = .records
            default:
                if text.first == "t", let size, size > 0 {
                    self = .text(octets: size)
                } else if text.first == "x", let size, size > 0 {
                    self = .raw(octets: size)
                } else if text.first == "@", let uuid = UInt16(rest, radix: 16) {
                    self = .characteristic(uuid)
                } else {
                    return nil
                }
            }
        }
    }
}
