import BLEWire

// Values, numbers and times.
extension DeviceWriter {
    /// Nil = no value is said.
    func value(_ template: ValueTemplate) -> DocumentNode? {
        switch template.parts.count {
        case 0: nil
        case 1: part(template.parts[0])
        default: .list(template.parts.map(part))
        }
    }

    func part(_ part: ValuePart) -> DocumentNode {
        switch part {
        case .octets(let octets):
            .object([("hex", .text(Hex.string(octets, separator: " ")))], isInline: true)
        case .text(let source):
            .object([("text", texts(source))], isInline: true)
        case .time(let pattern): .object([("time", .text(pattern.text))], isInline: true)
        case .written(let first, let count):
            .object(
                [("written", count.map { numbers([Double(first), Double($0)]) } ?? .text("all"))], isInline: true)
        case .valueOf(let other): .object([("value-of", .text(name(of: other)))], isInline: true)
        case .number(let number):
            .object(
                [
                    (number.type.rawValue, source(number.source)),
                    ("places", number.places == 0 ? nil : .text(String(number.places))),
                    ("order", number.isBigEndian ? .text("big") : nil),
                    ("unit", number.unit.isEmpty ? nil : .text(number.unit)),
                ], isInline: true)
        }
    }

    private func texts(_ source: TextSource) -> DocumentNode {
        guard source.texts.count > 1 else { return .text(source.texts.first ?? "") }
        return .object(
            [
                ("sequence", .list(source.texts.map(DocumentNode.text), isInline: true)),
                ("then", source.end == .stays ? .text("stay") : nil),
            ], isInline: true)
    }

    private func source(_ source: NumberSource) -> DocumentNode {
        if source.isFixed, case .fixed(let number) = source.course { return self.number(number) }
        let members: [(String, DocumentNode?)] =
            switch source.course {
            case .fixed(let number): [("around", self.number(number))]
            case .sequence(let list, let end):
                [("sequence", numbers(list)), ("then", end == .stays ? .text("stay") : nil)]
            case .ramp(let from, let to, let step, let end):
                [
                    ("ramp", numbers([from, to])), ("step", number(step)),
                    ("then", end == .repeats ? nil : .text(end == .stays ? "stay" : "turn")),
                ]
            case .walk(let from, let by, let limits):
                [
                    ("walk", number(from)), ("by", number(by)),
                    ("within", numbers([limits.lowerBound, limits.upperBound])),
                ]
            case .follow(let other, let from, let by):
                [("follow", .text(name(of: other))), ("from", number(from)), ("by", number(by))]
            }
        return .object(members + [("noise", source.noise == 0 ? nil : number(source.noise))], isInline: true)
    }

    func numbers(_ numbers: [Double]) -> DocumentNode { .list(numbers.map(number), isInline: true) }

    /// Whole numbers without a fraction.
    func number(_ number: Double) -> DocumentNode {
        let isWhole = number == number.rounded() && abs(number) < 9_007_199_254_740_992
        return .text(isWhole ? String(Int64(number)) : "\(number)")
    }

    func duration(_ delay: Delay) -> DocumentNode {
        let milliseconds = Double(delay.nanoseconds) / 1e6
        let isSeconds = delay.nanoseconds % 100_000_000 == 0
        let (number, unit) = isSeconds ? (milliseconds / 1000, "s") : (milliseconds, "ms")
        guard case .scalar(let text) = self.number(number).content else { return .text("") }
        return .text("\(text) \(unit)")
    }
}
