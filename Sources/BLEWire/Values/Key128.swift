/// A secret of 128 bits, or a value that secrets are checked with: a key, a nonce, a confirm value.
///
/// It doesn't print its value, so that none gets into a log by chance.
package struct Key128: Hashable, Sendable, ExpressibleByIntegerLiteral {
    /// The number; its most significant octet is the one that the specification prints first.
    package var value: UInt128 { UInt128(high) << 64 | UInt128(low) }
    // In halves for the reason told at `BluetoothUUID.full`.
    private let high: UInt64
    private let low: UInt64

    package init(_ value: UInt128) {
        high = UInt64(truncatingIfNeeded: value >> 64)
        low = UInt64(truncatingIfNeeded: value)
    }
    package init(integerLiteral value: UInt64) { self.init(UInt128(value)) }

    /// A new one out of the generator's randomness.
    package init(using generator: inout some RandomNumberGenerator) {
        high = generator.next()
        low = generator.next()
    }

    /// Whether all bits are 0.
    package var isZero: Bool { high == 0 && low == 0 }

    /// The key with only its `octets` least significant octets. [Vol 3, Part H, 2.3.4]
    package func shortened(to octets: Int) -> Key128 {
        octets >= 16 ? self : Key128(value & (UInt128(1) << (8 * UInt128(max(0, octets))) - 1))
    }
}

extension Key128: CustomStringConvertible, CustomReflectable {
    package var description: String { "(secret)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension FieldVisitor where Self: ~Copyable, Self: ~Escapable {
    /// 16 octets, least significant first.
    package mutating func key(_ name: StaticString, _ key: inout Key128) throws(WireError) {
        var number = key.value
        try u128(name, &number)
        key = Key128(number)
    }
}
