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

    /// Takes what a host is told of advertisements. Calls the closure for each address that is seen for the first time.
    mutating func note(
        _ packet: [UInt8], observer: DeviceID, at now: Instant, first: (DeviceAddress, Int8) -> Void
    ) {
        // Most packets are something else: a look at code and subevent saves their decoding.
        guard packet.count > 3, packet[0] == H4Indicator.event.rawValue, packet[1] == HCIEventCode.leMeta.rawValue
        else { return }
        let subevent = LESubeventCode(rawValue: packet[3])
        guard subevent == .advertisingReport || subevent == .extendedAdvertisingReport,
            case .event(let event)? = try? HCIPacket(decoding: packet)
        else { return }
        switch event {
        case .leAdvertisingReport(let heard):
            for report in heard.reports where note(report.address, rssi: report.rssi, observer: observer, at: now) {
                first(report.address, report.rssi)
            }
        case .leExtendedAdvertisingReport(let heard):
            for report in heard.reports where note(report.address, rssi: report.rssi, observer: observer, at: now) {
                first(report.address, report.rssi)
            }
        default: break
        }
    }

    package func sighting(of address: DeviceAddress, by observer: DeviceID) -> Sighting? {
        positions[Key(observer: observer, address: address)].map { all[$0] }
    }
}
