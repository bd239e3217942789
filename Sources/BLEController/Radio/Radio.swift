package import BLEWire

/// Names a controller on a radio.
package struct ControllerID: Hashable, Comparable, Sendable {
    package var rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// What a radio wants done, in order.
package enum RadioOutput: Equatable, Sendable {
    /// A packet for the host of a controller: H4 indicator first.
    case packet(ControllerID, [UInt8])
    case trace(ControllerID, TraceEvent)
    /// The link layer of a controller has come to another state.
    case state(ControllerID, LinkLayerState)
    /// A packet was on the air; only where `RadioSettings.capturesAir` is set.
    case air(AirPacket)
}

/// One air with every virtual controller on it.
///
/// *Role*: the virtual controllers, their link layers and the air between them.
/// *Inputs and outputs*: H4 packets from hosts (`receive`) and time (`advance`); H4 packets to hosts, traces, states
/// and air packets as `RadioOutput`s.
package struct Radio: Sendable {
    package private(set) var settings: RadioSettings
    let seed: UInt64
    var profiles: [ControllerProfile] = []

    package init(seed: UInt64, settings: RadioSettings = RadioSettings()) {
        self.seed = seed
        self.settings = settings
    }

    /// Puts a controller on the air, in Standby and as after HCI_Reset.
    package mutating func addController(_ profile: ControllerProfile, at now: Instant) -> ControllerID {
        profiles.append(profile)
        return ControllerID(rawValue: profiles.count - 1)
    }

    /// Takes a controller off the air without a word: its peers notice by their supervision time-outs.
    package mutating func removeController(_ id: ControllerID, at now: Instant, into out: inout [RadioOutput]) {}

    /// A packet from the host of a controller: H4 indicator first. Any octets have a defined result.
    package mutating func receive(
        _ packet: [UInt8], from id: ControllerID, at now: Instant, into out: inout [RadioOutput]
    ) {}

    /// When `advance` has something to do; nil while nothing is planned.
    package var nextDeadline: Instant? { nil }

    /// Lets everything happen that is due up to `now`.
    package mutating func advance(to now: Instant, into out: inout [RadioOutput]) {}

    /// What the link layer of a controller is doing.
    package func linkLayerState(of id: ControllerID) -> LinkLayerState { .standby }

    package func profile(of id: ControllerID) -> ControllerProfile? {
        profiles.indices.contains(id.rawValue) ? profiles[id.rawValue] : nil
    }

    package mutating func setCapturesAir(_ captures: Bool) { settings.capturesAir = captures }

    // MARK: Placement. What has a value of its own for a pair wins over positions and settings.

    /// Places a device; without a place it is one metre from everything.
    package mutating func setPosition(_ position: Position?, of id: ControllerID) {}
    /// Fixes the RSSI in both directions, in dBm; nil goes back to the path loss.
    package mutating func setRSSI(_ rssi: Int8?, between first: ControllerID, and second: ControllerID) {}
    /// Fixes the probability that a packet isn't heard, in both directions; 1 is out of range.
    package mutating func setLoss(_ probability: Double?, between first: ControllerID, and second: ControllerID) {}
    /// Fixes the probability that a packet is heard with wrong octets, in both directions.
    package mutating func setCorruption(
        _ probability: Double?, between first: ControllerID, and second: ControllerID
    ) {}
    /// The next packets of one device aren't heard by another.
    package mutating func loseNext(_ count: Int, from sender: ControllerID, to receiver: ControllerID) {}
}
