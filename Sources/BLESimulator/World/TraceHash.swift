package import BLEWire

/// A running FNV-1a hash of everything that a simulation did: two runs are alike where their hashes are.
///
/// It must not depend on the process: no `Hasher`, whose seed changes with each.
package struct TraceHash: Equatable, Sendable {
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325
    private static let prime: UInt64 = 0x0000_0100_0000_01B3

    package init() {}

    /// Mixes in a whole word at once.
    package mutating func mix(_ word: UInt64) {
        value = (value ^ word) &* Self.prime
        value ^= value >> 32
    }

    package mutating func mix(_ octets: [UInt8]) {
        var mixed = value
        for octet in octets { mixed = (mixed ^ UInt64(octet)) &* Self.prime }
        value = mixed
        mix(UInt64(octets.count))
    }

    package mutating func mix(_ text: String) {
        mix(Array(text.utf8))
    }

    package mutating func mix(_ time: Instant) { mix(UInt64(bitPattern: time.nanoseconds)) }
}
