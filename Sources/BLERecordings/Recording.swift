package import BLEWire
import BLEHost

/// What a capture tells of devices: packets in, devices out.
///
/// *Role*: finds links, on HCI and on the air, and the attributes that went over them.
///
/// *Limits*: no clock and no file; the packets come in the order of the capture.
package struct Recording: Sendable {
    private var hci: [UInt16: HCIFollower] = [:]
    private var air = AirFollower()
    private var servers: [(endpoint: Endpoint, recording: ServerRecording)] = []
    private var advertisements: [DeviceAddress: RecordedAdvertisement] = [:]
    private var packets = 0
    private var cutPackets = 0
    private var isAir = false

    package init() {}

    /// Whether no packet was taken yet.
    package var isEmpty: Bool { packets == 0 }

    package mutating func take(_ packet: CapturedPacket) {
        packets += 1
        if packet.isCut { cutPackets += 1 }
        switch packet.content {
        case .hci(let octets, let direction):
            let seen = hci[packet.adapter, default: HCIFollower()].take(octets, direction, at: packet.unixNanoseconds)
            for report in hci[packet.adapter]?.takeAdvertisements() ?? [] { note(report) }
            for one in seen { take(one) }
        case .air(let octets):
            isAir = true
            let seen = air.take(octets, at: packet.unixNanoseconds)
            for report in air.takeAdvertisements() { note(report) }
            for one in seen { take(one) }
        }
    }

    private mutating func note(_ report: AdvertisingReport) {
        var advertisement = advertisements[report.address] ?? RecordedAdvertisement()
        if report.isScanResponse {
            if !report.data.isEmpty { advertisement.scanResponse = report.data }
        } else {
            advertisement.data = report.data
            advertisement.isConnectable = report.isConnectable
        }
        advertisements[report.address] = advertisement
    }

    /// Each side of a link may be a server: whose PDU it is shows the opcode. [Vol 3, Part F, 3.3]
    private mutating func take(_ seen: SeenATT) {
        guard let first = seen.pdu.first else { return }
        switch ATTOpcode(rawValue: first).kind {
        case .request, .command, .confirmation, .unknownRequest, .unknownCommand:
            servers[place(of: seen.receiver)].recording.request(seen.pdu, at: seen.unixNanoseconds)
        case .response, .notification, .indication:
            servers[place(of: seen.sender)].recording.answer(seen.pdu, at: seen.unixNanoseconds)
        }
    }

    private mutating func place(of endpoint: Endpoint) -> Int {
        if let place = servers.firstIndex(where: { $0.endpoint == endpoint }) { return place }
        servers.append((endpoint, ServerRecording()))
        return servers.count - 1
    }

    /// The servers that a client has met, in the order of their first PDUs.
    package var devices: [RecordedDevice] {
        servers.map { server in
            var advertisement: RecordedAdvertisement?
            if case .device(let address) = server.endpoint { advertisement = advertisements[address] }
            return server.recording.device(server.endpoint, advertisement)
        }
    }

    /// What the capture as a whole doesn't tell, for a person.
    package var remarks: [String] {
        var remarks: [String] = []
        let followers = hci.values
        let classic = followers.reduce(0) { $0 + $1.classicPackets }
        let earlier = followers.reduce(air.earlierLinks) { $0 + $1.earlierLinks }
        if packets == 0 { remarks.append("the capture holds no packets") }
        if classic > 0 {
            let only = servers.isEmpty ? "only classic Bluetooth (BR/EDR): " : ""
            remarks.append("\(only)\(classic) packets of classic Bluetooth, which aren't read")
        } else if servers.isEmpty, packets > 0 {
            remarks.append("the capture holds no ATT: no LE link, or an encrypted one on the air")
        }
        if earlier > 0 {
            remarks.append("\(earlier) links were there before the capture began: who they are with isn't in it")
        }
        if air.encryptedPackets > 0 {
            remarks.append(
                "\(air.encryptedPackets) packets on the air are encrypted: a capture of HCI has them readable")
        }
        if air.damagedPackets > 0 { remarks.append("\(air.damagedPackets) packets on the air are damaged") }
        if air.undirectedPackets > 0 {
            remarks.append("\(air.undirectedPackets) packets of links don't say which way they went")
        }
        if cutPackets > 0 { remarks.append("\(cutPackets) packets were cut by who captured them") }
        let faults = followers.reduce(0) { $0 + $1.faults }
        if faults > 0 { remarks.append("\(faults) parts of L2CAP PDUs don't fit together") }
        return remarks
    }
}
