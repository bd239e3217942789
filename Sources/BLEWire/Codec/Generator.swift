/// Makes a random PDU inside the limits that its declaration names, and its octets; or one that is just outside.
///
/// The value and the octets are made together, so that a test can compare both ways of the codec with them. To break a
/// PDU, give the number of one of its limited fields: that field's octets become the nearest value outside the limit.
package struct Generator<Random: RandomNumberGenerator>: FieldVisitor {
    /// What was broken.
    package enum Breakage: Equatable, Sendable {
        /// The value of a field.
        case value(field: String, offset: Int)
        /// The number of octets in a field.
        case count(field: String, offset: Int)
    }

    private var random: Random
    private let breaking: Int?
    /// The octets so far.
    package private(set) var octets: [UInt8] = []
    /// Fields with a limit that a value or count can break, so far.
    package private(set) var limits = 0
    package private(set) var breakage: Breakage?

    package init(random: Random, breaking: Int? = nil) {
        self.random = random
        self.breaking = breaking
    }

    package func hasMore(ifWriting: Bool) -> Bool { ifWriting }

    /// The ends of a range are the values where mistakes show, small ones keep lists short.
    private mutating func pick<T: FixedWidthInteger>(_ range: ClosedRange<T>) -> T {
        switch UInt8.random(in: 0..<8, using: &random) {
        case 0: return range.lowerBound
        case 1: return range.upperBound
        case 2, 3:
            let (top, overflow) = range.lowerBound.addingReportingOverflow(3)
            return T.random(
                in: range.lowerBound...(overflow ? range.upperBound : min(top, range.upperBound)), using: &random)
        default: return T.random(in: range, using: &random)
        }
    }

    private mutating func append<T: FixedWidthInteger>(_ value: T, _ count: Int) {
        var rest = UInt128(truncatingIfNeeded: value)
        for _ in 0..<count {
            octets.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }

    /// Whether this limit is the one to break.
    private mutating func isBroken() -> Bool {
        limits += 1
        return breaking == limits - 1
    }

    private mutating func integer<T: FixedWidthInteger>(
        _ name: StaticString, _ value: inout T, in range: ClosedRange<T>, whole: ClosedRange<T>, octets count: Int
    ) {
        value = pick(range)
        var sent = value
        if range != whole, isBroken() {
            sent = range.upperBound < whole.upperBound ? range.upperBound + 1 : range.lowerBound - 1
            breakage = .value(field: name.description, offset: octets.count)
        }
        append(sent, count)
    }

    package mutating func u8(_ name: StaticString, _ value: inout UInt8, in range: ClosedRange<UInt8>) {
        integer(name, &value, in: range, whole: 0...0xFF, octets: 1)
    }
    package mutating func u16(_ name: StaticString, _ value: inout UInt16, in range: ClosedRange<UInt16>) {
        integer(name, &value, in: range, whole: 0...0xFFFF, octets: 2)
    }
    package mutating func u24(_ name: StaticString, _ value: inout UInt32, in range: ClosedRange<UInt32>) {
        integer(name, &value, in: range.clamped(to: 0...0xFF_FFFF), whole: 0...0xFF_FFFF, octets: 3)
    }
    package mutating func u32(_ name: StaticString, _ value: inout UInt32, in range: ClosedRange<UInt32>) {
        integer(name, &value, in: range, whole: 0...0xFFFF_FFFF, octets: 4)
    }
    package mutating func u40(_ name: StaticString, _ value: inout UInt64) {
        integer(name, &value, in: 0...0xFF_FFFF_FFFF, whole: 0...0xFF_FFFF_FFFF, octets: 5)
    }
    package mutating func u48(_ name: StaticString, _ value: inout UInt64) {
        integer(name, &value, in: 0...0xFFFF_FFFF_FFFF, whole: 0...0xFFFF_FFFF_FFFF, octets: 6)
    }
    package mutating func u64(_ name: StaticString, _ value: inout UInt64) {
        integer(name, &value, in: 0...UInt64.max, whole: 0...UInt64.max, octets: 8)
    }
    package mutating func u128(_ name: StaticString, _ value: inout UInt128) {
        integer(name, &value, in: 0...UInt128.max, whole: 0...UInt128.max, octets: 16)
    }
    package mutating func i8(_ name: StaticString, _ value: inout Int8, in range: ClosedRange<Int8>) {
        integer(name, &value, in: range, whole: -128...127, octets: 1)
    }

    package mutating func octets(_ name: StaticString, _ value: inout [UInt8], count: Int) {
        value = (0..<count).map { _ in UInt8.random(in: 0...0xFF, using: &random) }
        octets += value
    }

    /// Some octets, mostly few; one more than the limit where it is to be broken.
    private mutating func fill(_ name: StaticString, _ value: inout [UInt8], limit: Int, countable: Int) {
        let count = pick(0...min(limit, 600))
        octets(name, &value, count: min(count, limit))
        guard limit < countable, isBroken() else { return }
        octets.removeLast(value.count)
        breakage = .count(field: name.description, offset: octets.count)
        octets += [UInt8](repeating: 0xAA, count: limit + 1)
    }

    package mutating func rest(_ name: StaticString, _ value: inout [UInt8], limit: Int) {
        fill(name, &value, limit: limit, countable: 0xFFFF)
    }

    package mutating func counted8(_ name: StaticString, _ value: inout [UInt8], limit: Int) {
        let start = octets.count
        octets.append(0)
        fill(name, &value, limit: min(limit, 0xFF), countable: 0xFF)
        octets[start] = UInt8(octets.count - start - 1)
    }

    package mutating func counted16(_ name: StaticString, _ value: inout [UInt8], limit: Int) {
        let start = octets.count
        append(UInt16(0), 2)
        fill(name, &value, limit: min(limit, 0xFFFF), countable: 0xFFFF)
        let count = UInt16(octets.count - start - 2)
        octets[start] = UInt8(truncatingIfNeeded: count)
        octets[start + 1] = UInt8(truncatingIfNeeded: count >> 8)
    }

    package mutating func list<Element: FieldStructure>(
        _ name: StaticString, _ value: inout [Element]
    ) throws(WireError) {
        try list(name, &value, count: Int.random(in: 0...3, using: &random))
    }

    package mutating func list<Element: FieldStructure>(
        _ name: StaticString, _ value: inout [Element], count: Int
    ) throws(WireError) {
        value = []
        for _ in 0..<count {
            var element = Element()
            try element.visitFields(&self)
            value.append(element)
        }
    }

    package mutating func reserved(octets count: Int) { octets += [UInt8](repeating: 0, count: count) }
}
