/// Octets of a fuzzer's input, taken as numbers and pieces; at the end zeros and empty pieces come.
struct FuzzInput {
    private let octets: [UInt8]
    private var offset = 0

    init(_ octets: [UInt8]) { self.octets = octets }

    var isAtEnd: Bool { offset >= octets.count }

    mutating func u8() -> UInt8 {
        guard offset < octets.count else { return 0 }
        defer { offset += 1 }
        return octets[offset]
    }

    mutating func u16() -> UInt16 { UInt16(u8()) | UInt16(u8()) << 8 }

    /// Up to `count` octets.
    mutating func piece(_ count: Int) -> [UInt8] {
        let end = min(octets.count, offset + count)
        defer { offset = end }
        return Array(octets[offset..<end])
    }

    /// A piece with its length before it.
    mutating func counted() -> [UInt8] { piece(Int(u8())) }
}

/// A random source that is the same for each input. (SplitMix64)
struct FuzzRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64 = 1

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
