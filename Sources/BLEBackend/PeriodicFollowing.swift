package import BLEWire

/// Names a wish of a program to follow a periodic advertising train; chosen by the facade, unique within the process.
package struct FollowID: Hashable, Sendable {
    package var rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Whose train to follow, and how. [Vol 4, Part E, 7.8.67]
package struct FollowRequest: Equatable, Sendable {
    package var peer: PeerID
    /// Advertising SID, 0 to 15; nil = that of the peer's first set with a train.
    package var setIdentifier: Int?
    /// Events that may be left out after one that was received: 0 to 499.
    package var skip: Int
    /// How long the train may not be heard before it is lost: 100 ms to 163.84 s; nil = by its interval.
    package var timeout: Delay?
    package init(peer: PeerID, setIdentifier: Int? = nil, skip: Int = 0, timeout: Delay? = nil) {
        self.peer = peer
        self.setIdentifier = setIdentifier
        self.skip = skip
        self.timeout = timeout
    }
}

/// What a backend tells of a train that it was asked to follow. `ended` comes once and last, whatever came before; not
/// after `.stopFollowing`.
package enum FollowEvent: Equatable, Sendable {
    case began(PeriodicTrainDescription)
    /// What one event of the train has brought: AD structures; dBm, nil = not known.
    case report(data: [UInt8], isCut: Bool, rssi: Int8?, transmitPower: Int8?)
    case ended(BackendError)
}

/// A train as it is followed, or as an advertisement tells of it.
package struct PeriodicTrainDescription: Equatable, Sendable {
    /// Advertising SID, 0 to 15.
    package var setIdentifier: UInt8
    /// From one event to the next: 7.5 ms to 81.91875 s.
    package var interval: Delay
    /// Nil where it isn't followed.
    package var phy: LEPHY?
    package init(setIdentifier: UInt8, interval: Delay, phy: LEPHY? = nil) {
        self.setIdentifier = setIdentifier
        self.interval = interval
        self.phy = phy
    }
}
