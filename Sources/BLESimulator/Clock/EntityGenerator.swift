/// The random numbers of one entity of a simulation: xoshiro256**, seeded from (seed, entity).
///
/// Each entity draws from a generator of its own, so that adding a device doesn't change what the others do.
package struct EntityGenerator: RandomNumberGenerator, Sendable {
    private var state: (UInt64, UInt64, UInt64, UInt64)

    package init(seed: UInt64, entity: UInt64) {
        // The state is filled by SplitMix64, which never yields four zeros in a row.
        var counter = seed ^ (entity &+ 1) &* 0xD1B5_4A32_D192_ED03
        func word() -> UInt64 {
            counter &+= 0x9E37_79B9_7F4A_7C15
            var mixed = counter
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
        state = (word(), word(), word(), word())
    }

    package mutating func next() -> UInt64 {
        let product = state.1 &* 5
        let result = (product << 7 | product >> 57) &* 9
        let shifted = state.1 << 17
        state.2 ^= state.0
        state.3 ^= state.1
        state.1 ^= state.2
        state.0 ^= state.3
        state.2 ^= shifted
        state.3 = state.3 << 45 | state.3 >> 19
        return result
    }
}
