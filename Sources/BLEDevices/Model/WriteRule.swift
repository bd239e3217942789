package import BLEWire

/// What happens when something is written: the first rule that fits is carried out.
package struct WriteRule: Equatable, Sendable {
    package var match: WriteMatch
    /// The write is refused with this; nil = it is accepted.
    package var error: UInt8?
    /// All of it happens so much later.
    package var delay: Delay
    /// What was written becomes the value. Not where there is an error.
    package var keeps: Bool
    package var sets: [ValueChange]
    package var notifies: [ValueChange]
    /// For the person who watches.
    package var says: String?
    package var disconnects: Bool

    package init(
        _ match: WriteMatch = .any, error: UInt8? = nil, delay: Delay = .zero, keeps: Bool = true,
        sets: [ValueChange] = [], notifies: [ValueChange] = [], says: String? = nil, disconnects: Bool = false
    ) {
        self.match = match
        self.error = error
        self.delay = delay
        self.keeps = keeps
        self.sets = sets
        self.notifies = notifies
        self.says = says
        self.disconnects = disconnects
    }
}

/// A value for a characteristic.
package struct ValueChange: Equatable, Sendable {
    /// Nil = the one that the rule is for.
    package var characteristic: AttributeIndex?
    package var value: ValueTemplate
    package var delay: Delay

    package init(_ characteristic: AttributeIndex? = nil, _ value: ValueTemplate, after delay: Delay = .zero) {
        self.characteristic = characteristic
        self.value = value
        self.delay = delay
    }
}

/// Which writes a rule is for.
package enum WriteMatch: Equatable, Sendable {
    case any
    case equals([UInt8])
    case begins([UInt8])
    case length(ClosedRange<Int>)
    /// Exactly one number of a type, within limits.
    case number(NumberType, places: Int, isBigEndian: Bool, ClosedRange<Double>)

    package func fits(_ octets: [UInt8]) -> Bool {
        switch self {
        case .any: return true
        case .equals(let value): return octets == value
        case .begins(let value): return octets.starts(with: value)
        case .length(let range): return range.contains(octets.count)
        case .number(let type, let places, let isBigEndian, let range):
            guard octets.count == type.size else { return false }
            return type.number(octets, places: places, isBigEndian: isBigEndian).map(range.contains) ?? false
        }
    }
}

/// Something that goes wrong, each so many times or by chance.
package struct DeviceFault: Equatable, Sendable {
    package enum Occasion: Equatable, Sendable { case read, write, notify, subscribe }
    package enum Effect: Equatable, Sendable {
        case error(UInt8)
        /// The answer comes so much later.
        case delay(Delay)
        /// No answer at all; a notification is lost.
        case silence
        case disconnect
    }
    package var occasion: Occasion
    package var effect: Effect
    /// On the first of each so many occasions behind the first `skip`.
    package var every: Int
    package var skip: Int
    /// From 0 to 1.
    package var chance: Double

    package static let words: [(String, Occasion)] = [
        ("read", .read), ("write", .write), ("notify", .notify), ("subscribe", .subscribe),
    ]

    package init(on occasion: Occasion, _ effect: Effect, every: Int = 1, skip: Int = 0, chance: Double = 1) {
        self.occasion = occasion
        self.effect = effect
        self.every = every
        self.skip = skip
        self.chance = chance
    }
}

/// ATT errors as files write them. [Vol 3, Part F, 3.4.1.1]
package enum ErrorWords {
    package static let all: [(String, UInt8)] = [
        ("invalid-handle", 0x01), ("read-not-permitted", 0x02), ("write-not-permitted", 0x03),
        ("invalid-pdu", 0x04), ("insufficient-authentication", 0x05), ("request-not-supported", 0x06),
        ("invalid-offset", 0x07), ("insufficient-authorization", 0x08), ("prepare-queue-full", 0x09),
        ("attribute-not-found", 0x0A), ("attribute-not-long", 0x0B), ("insufficient-encryption-key-size", 0x0C),
        ("invalid-attribute-value-length", 0x0D), ("unlikely-error", 0x0E), ("insufficient-encryption", 0x0F),
        ("unsupported-group-type", 0x10), ("insufficient-resources", 0x11),
    ]

    package static func text(_ code: UInt8) -> String {
        all.first { $0.1 == code }?.0 ?? Hex.prefixed(code)
    }
}
