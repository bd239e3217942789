/// A place in metres.
package struct Position: Hashable, Sendable {
    package var x: Double
    package var y: Double
    package var z: Double

    package init(x: Double = 0, y: Double = 0, z: Double = 0) {
        self.x = x
        self.y = y
        self.z = z
    }
}

/// How a signal weakens with distance: a log-distance model.
package struct PathLoss: Hashable, Sendable {
    /// Loss over the first metre, in dB: 40 dB is free space at 2.4 GHz.
    package var atOneMetre = 40.0
    /// How fast it weakens: 2 in free space, 3 to 4 inside of buildings.
    package var exponent = 2.0
    /// What a receiver needs, in dBm. LE requires -70 dBm; chips reach -95 dBm. [Vol 6, Part A, 4.1]
    package var sensitivity: Int8 = -95

    package init() {}
}

/// What is the same for everything on one air.
package struct RadioSettings: Hashable, Sendable {
    package var pathLoss = PathLoss()
    /// Probability that a packet isn't heard, for pairs without one of their own.
    package var loss = 0.0
    /// Probability that a packet is heard with wrong octets (its CRC fails), for pairs without one of their own.
    package var corruption = 0.0
    /// Whether every packet on the air is put out as `RadioOutput.air`.
    package var capturesAir = false
    /// Whether the keys of each link that becomes encrypted are put out as `RadioOutput.keys`.
    package var exportsKeys = false

    package init() {}
}
