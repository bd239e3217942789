package import BLEWire

/// How often, and how, one device received advertisements of an address.
package struct Sighting: Equatable, Sendable {
    package var observer: DeviceID
    package var address: DeviceAddress
    package var first: Instant
    package var last: Instant
    package var count: Int
    /// dBm, of the last one.
    package var rssi: Int8
}

/// Who saw whom.
package struct SightingTable: Sendable {
    private struct Key: Hashable, Sendable {
        var observer: DeviceID
        var address: DeviceAddress
    }
    /// In the order of the first sighting.
    package private(set) var all: [Sighting] = []
    private var positions: [Key: Int] = [:]

    package init() {}

    /// True for the first time.
    package mutating func note(
        _ address: DeviceAddress, rssi: Int8, observer: DeviceID, at now: Instant
    ) -> Bool {
        let key = Key(observer: observer, address: address)
        if let position = positions[key] {
            all[position].count += 1
            all[position].last = now
            all[position].rssi = rssi
            return false
        }
        positions[key] = all.count
        all.append(Sighting(observer: observer, address: address, first: now, last: now, count: 1, rssi: rssi))
        return true
    }

    package func sighting(of address: DeviceAddress, by observer: DeviceID) -> Sighting? {
        positions[Key(observer: observer, address: address)].map { all[$0] }
    }
}
