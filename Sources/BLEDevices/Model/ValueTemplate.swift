package import BLEWire

/// How a value is made: parts, one behind the other, some of which change with each step.
package struct ValueTemplate: Equatable, Sendable {
    package var parts: [ValuePart]
    package init(_ parts: [ValuePart] = []) { self.parts = parts }
    package init(octets: [UInt8]) { parts = octets.isEmpty ? [] : [.octets(octets)] }

    /// No part ever changes.
    package var isFixed: Bool {
        parts.allSatisfy { part in
            switch part {
            case .octets: true
            case .text(let texts): texts.texts.count == 1
            case .number(let number): number.source.isFixed
            case .time, .written, .valueOf: false
            }
        }
    }
}

package enum ValuePart: Equatable, Sendable {
    case octets([UInt8])
    case text(TextSource)
    case number(NumberPart)
    /// The time of day, laid out by a pattern.
    case time(TimePattern)
    /// What was written, from an octet on, so many or all that follow; in the answers to a write only.
    case written(from: Int, count: Int?)
    /// The value that another characteristic has now.
    case valueOf(AttributeIndex)
}

/// Texts that follow each other.
package struct TextSource: Equatable, Sendable {
    package var texts: [String]
    package var end: SequenceEnd
    package init(_ texts: [String], end: SequenceEnd = .repeats) {
        self.texts = texts
        self.end = end
    }
}

/// What comes after the last of a sequence.
package enum SequenceEnd: Equatable, Sendable { case repeats, stays, turns }

/// A number of a type, in octets.
package struct NumberPart: Equatable, Sendable {
    package var type: NumberType
    /// Decimal places: 2 where the octets count hundredths.
    package var places: Int
    package var isBigEndian: Bool
    /// What it counts, for people and for the presentation format; empty = nothing.
    package var unit: String
    package var source: NumberSource

    package init(
        _ type: NumberType, places: Int = 0, isBigEndian: Bool = false, unit: String = "", source: NumberSource
    ) {
        self.type = type
        self.places = places
        self.isBigEndian = isBigEndian
        self.unit = unit
        self.source = source
    }
}

/// Where a number comes from.
package struct NumberSource: Equatable, Sendable {
    package enum Course: Equatable, Sendable {
        case fixed(Double)
        case sequence([Double], SequenceEnd)
        case ramp(from: Double, to: Double, step: Double, SequenceEnd)
        /// Up or down by chance, within limits.
        case walk(from: Double, by: Double, within: ClosedRange<Double>)
        /// A part of the way to the number of another characteristic with each step.
        case follow(AttributeIndex, from: Double, by: Double)
    }
    package var course: Course
    /// Added or taken off by chance, at most so much.
    package var noise: Double

    package init(_ course: Course, noise: Double = 0) {
        self.course = course
        self.noise = noise
    }

    package var isFixed: Bool {
        if case .fixed = course { noise == 0 } else { false }
    }
}

/// Values that follow each other, each after a time of its own.
package struct ValueSequence: Equatable, Sendable {
    package struct Step: Equatable, Sendable {
        package var delay: Delay
        package var value: ValueTemplate
        package init(after delay: Delay, _ value: ValueTemplate) {
            self.delay = delay
            self.value = value
        }
    }
    package var steps: [Step]
    package var end: SequenceEnd

    package init(_ steps: [Step], end: SequenceEnd = .repeats) {
        self.steps = steps
        self.end = end
    }
}
