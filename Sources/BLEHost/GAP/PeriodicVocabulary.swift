package import BLEWire

/// Which periodic advertising train to follow, and how. [Vol 4, Part E, 7.8.67]
package struct PeriodicSettings: Equatable, Sendable {
    /// The advertiser's identity where that is known, else its address of the moment.
    package var address: DeviceAddress
    /// Advertising SID, 0 to 15; nil = the first set of the advertiser that has a train.
    package var setIdentifier: UInt8?
    /// Events that may be left out after one that was received: 0 to 499.
    package var skip: UInt16 = 0
    /// How long the train may not be heard before it is lost: units of 10 ms, 10 to 16384; nil = the time of six events
    /// that aren't left out, a second at least.
    package var timeout: UInt16?
    package init(_ address: DeviceAddress, setIdentifier: UInt8? = nil) {
        self.address = address
        self.setIdentifier = setIdentifier
    }
}

/// What a host tells of one train that it was asked to follow.
package enum PeriodicEvent: Equatable, Sendable {
    /// It is followed from now on.
    case established(PeriodicTrainInfo)
    /// It isn't followed: refused, not reached, or called off.
    case failed(HostError)
    case report(PeriodicReport)
    /// It was followed, and wasn't heard for its time-out. [Vol 4, Part E, 7.7.65.16]
    case lost
    /// It was followed, and isn't any more: `.cancelled` by wish, else what has happened to the host.
    case ended(HostError)
}

/// A train as it came to be followed. [Vol 4, Part E, 7.7.65.14]
package struct PeriodicTrainInfo: Equatable, Sendable {
    /// Advertising SID.
    package var setIdentifier: UInt8
    /// Units of 1.25 ms.
    package var interval: UInt16
    package var phy: LEPHY
    package init(setIdentifier: UInt8, interval: UInt16, phy: LEPHY) {
        self.setIdentifier = setIdentifier
        self.interval = interval
        self.phy = phy
    }
}

/// What one event of a train has brought. [Vol 4, Part E, 7.7.65.15]
package struct PeriodicReport: Equatable, Sendable {
    /// AD structures as on the air, 1650 octets at most.
    package var data: [UInt8]
    /// Whether the rest of the data wasn't received.
    package var isCut: Bool
    /// dBm; 127 = not available.
    package var rssi: Int8
    /// dBm; 127 = not available.
    package var transmitPower: Int8
    package init(data: [UInt8], isCut: Bool = false, rssi: Int8 = 127, transmitPower: Int8 = 127) {
        self.data = data
        self.isCut = isCut
        self.rssi = rssi
        self.transmitPower = transmitPower
    }
}
