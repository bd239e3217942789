/// Makes the octets of a value, step by step.
struct ValueMaker: Sendable {
    /// What a part may look at.
    struct Surroundings {
        var time: WallTime
        /// The value of a characteristic now.
        var value: (AttributeIndex) -> [UInt8]
        /// The number at the beginning of the value of a characteristic now, as its own template lays it out.
        var number: (AttributeIndex) -> Double?
        var written: [UInt8] = []
    }

    private let template: ValueTemplate
    /// How many steps were made.
    private var steps = 0
    /// Where walks and followers are, by the number of the part.
    private var places: [Double]

    init(_ template: ValueTemplate) {
        self.template = template
        places = template.parts.map { part in
            guard case .number(let number) = part else { return 0 }
            switch number.source.course {
            case .walk(let from, _, _), .follow(_, let from, _): return from
            default: return 0
            }
        }
    }

    /// Every part that changes goes on.
    mutating func step(_ surroundings: Surroundings, _ random: inout SplitMix) {
        steps += 1
        for (index, part) in template.parts.enumerated() {
            guard case .number(let number) = part else { continue }
            switch number.source.course {
            case .walk(_, let by, let limits):
                let next = places[index] + random.around(by)
                places[index] = min(max(next, limits.lowerBound), limits.upperBound)
            case .follow(let other, _, let by):
                if let goal = surroundings.number(other) { places[index] += (goal - places[index]) * by }
            default: break
            }
        }
    }

    func octets(_ surroundings: Surroundings, _ random: inout SplitMix) -> [UInt8] {
        var octets: [UInt8] = []
        for (index, part) in template.parts.enumerated() {
            switch part {
            case .octets(let fixed): octets += fixed
            case .text(let source): octets += source.texts[source.end.position(steps, of: source.texts.count)].utf8
            case .time(let pattern): octets += pattern.text(at: surroundings.time).utf8
            case .written(let first, let count):
                octets += surroundings.written.dropFirst(first).prefix(count ?? .max)
            case .valueOf(let other): octets += surroundings.value(other)
            case .number(let number):
                let value =
                    value(of: number.source, index) + (number.source.noise > 0 ? random.around(number.source.noise) : 0)
                octets += number.octets(value)
            }
        }
        return Array(octets.prefix(512))
    }

    private func value(of source: NumberSource, _ index: Int) -> Double {
        switch source.course {
        case .fixed(let number): number
        case .sequence(let numbers, let end): numbers[end.position(steps, of: numbers.count)]
        case .ramp(let from, let to, let step, let end):
            // A count and one product: sums of fractions would drift.
            from + (to > from ? step : -step)
                * Double(end.position(steps, of: Int((abs(to - from) / step + 1e-9).rounded(.down)) + 1))
        case .walk, .follow: places[index]
        }
    }
}

extension SequenceEnd {
    /// Which of so many it is after so many steps.
    func position(_ steps: Int, of count: Int) -> Int {
        switch self {
        case .repeats: return steps % count
        case .stays: return min(steps, count - 1)
        case .turns:
            guard count > 1 else { return 0 }
            let place = steps % (2 * count - 2)
            return place < count ? place : 2 * count - 2 - place
        }
    }
}

extension NumberPart {
    /// The octets of a number; of the nearest one where it has no room.
    func octets(_ number: Double) -> [UInt8] {
        let octets = type.octets(number, places: places) ?? type.octets(0, places: places) ?? []
        return isBigEndian ? octets.reversed() : octets
    }
}

extension ValueTemplate {
    /// The octets of a value that never changes; nil for one that does.
    package var fixedOctets: [UInt8]? {
        guard isFixed else { return nil }
        var random = SplitMix(seed: 0)
        return ValueMaker(self).octets(
            .init(
                time: WallTime(year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0), value: { _ in [] },
                number: { _ in nil }), &random)
    }

    /// The octets before anything has happened: what a copy of the device would have to have.
    package var firstOctets: [UInt8] {
        var random = SplitMix(seed: 0)
        return ValueMaker(self).octets(
            .init(
                time: WallTime(year: 2000, month: 1, day: 1, hour: 0, minute: 0, second: 0), value: { _ in [] },
                number: { _ in nil }), &random)
    }

    /// Something in it goes on with time.
    package var hasCourse: Bool {
        parts.contains { part in
            switch part {
            case .text(let source): source.texts.count > 1
            case .number(let number): if case .fixed = number.source.course { false } else { true }
            default: false
            }
        }
    }
}
