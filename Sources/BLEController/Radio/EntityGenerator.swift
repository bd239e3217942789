/// A small generator of random numbers that belongs to one entity of a radio (SplitMix64).
///
/// It is derived from the radio's seed and the entity's number, so that one more device doesn't change what the
/// others draw. It is no source for keys that are to be secret: whoever knows the seed of a radio knows all it draws.
struct EntityGenerator: RandomNumberGenerator, Sendable {
    /// What an entity draws for; each has a stream of its own.
    enum Purpose: UInt64, Sendable { case timing = 1, fading = 2, keys = 3 }

    private var state: UInt64

    init(seed: UInt64, entity: Int, purpose: Purpose) {
        state = seed ^ Self.mixed(UInt64(entity) &* 4 &+ purpose.rawValue)
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    /// 0 to `limit` - 1.
    mutating func below(_ limit: UInt64) -> UInt64 { next().multipliedFullWidth(by: limit).high }

    /// True with this probability. Draws nothing where the answer is certain.
    mutating func chance(_ probability: Double) -> Bool {
        if probability <= 0 { return false }
        if probability >= 1 { return true }
        return Double(next() >> 11) * 0x1p-53 < probability
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
