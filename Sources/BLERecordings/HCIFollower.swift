import BLEHost
import BLEWire

/// Follows the LE links of one adapter through a capture of its HCI, and finds the ATT PDUs.
///
/// *Limits*: a link that was there before the capture began is taken for one of LE when it carries ATT; what classic
/// Bluetooth's links carry is counted.
struct HCIFollower {
    private struct Link {
        var peer: Endpoint
        var isClassic = false
        var fromLocal = HCIFollower.recombiner()
        var fromPeer = HCIFollower.recombiner()
    }

    private var links: [ConnectionHandle: Link] = [:]
    /// Links of classic Bluetooth, and packets on them.
    private(set) var classicLinks = 0
    private(set) var classicPackets = 0
    /// Links that were there before the capture began.
    private(set) var earlierLinks = 0
    /// Parts of PDUs that didn't fit together.
    private(set) var faults = 0
    private(set) var advertisements: [(AdvertisingReport)] = []

    init() {}

    private static func recombiner() -> Recombiner {
        var recombiner = Recombiner()
        // Who captures takes what the two have agreed on, whatever that is.
        recombiner.limits.att = 0xFFFF
        return recombiner
    }

    mutating func take(_ packet: [UInt8], _ direction: BTSnoop.Record.Direction, at time: Int64) -> [SeenATT] {
        switch packet.first.map(H4Indicator.init(rawValue:)) {
        case .event: event(packet)
        case .aclData: return data(packet, direction, at: time)
        default: break
        }
        return []
    }

    // MARK: Events

    private mutating func event(_ packet: [UInt8]) {
        guard case .event(let event)? = try? HCIPacket(decoding: packet) else { return }
        switch event {
        case .leConnectionComplete(let event) where event.status == .success:
            links[event.handle] = Link(peer: .device(event.peer.withoutIdentity))
        case .leEnhancedConnectionComplete(let event) where event.status == .success:
            links[event.handle] = Link(peer: .device(event.peer.withoutIdentity))
        case .disconnectionComplete(let event) where event.status == .success: links[event.handle] = nil
        case .leAdvertisingReport(let event): for report in event.reports { take(report) }
        case .leExtendedAdvertisingReport(let event): for report in event.reports { take(report) }
        case .unknown(let code, let parameters): unknown(code, parameters)
        default: break
        }
    }

    private mutating func take(_ report: LEAdvertisingReport.Report) {
        let type = report.type
        advertisements.append(
            AdvertisingReport(
                address: report.address.withoutIdentity,
                isConnectable: type == .connectableAndScannable || type == .directed, isScannable: false,
                isScanResponse: type == .scanResponse, data: report.data, rssi: report.rssi))
    }

    private mutating func take(_ report: LEExtendedAdvertisingReport.Report) {
        guard report.address.kind.rawValue <= 3 else { return }
        let type = report.type
        advertisements.append(
            AdvertisingReport(
                address: report.address.withoutIdentity, isConnectable: type.isConnectable, isScannable: false,
                isScanResponse: type.isScanResponse, data: report.data, rssi: report.rssi))
    }

    /// What was heard since this was asked last.
    mutating func takeAdvertisements() -> [AdvertisingReport] {
        defer { advertisements = [] }
        return advertisements
    }

    /// Connection Complete of classic Bluetooth [Vol 4, Part E, 7.7.3], and the second version of the enhanced one
    /// [Vol 4, Part E, 7.7.65.10], whose beginning is that of the first.
    private mutating func unknown(_ code: HCIEventCode, _ parameters: [UInt8]) {
        if code.rawValue == 0x03, parameters.count >= 3, parameters[0] == 0 {
            links[Self.handle(parameters, 1)] = Link(peer: .local, isClassic: true)
            classicLinks += 1
        } else if code == .leMeta, parameters.count >= 12, parameters[0] == 0x29, parameters[1] == 0 {
            let bits = parameters[6..<12].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let kind = DeviceAddress.Kind(rawValue: parameters[5])
            links[Self.handle(parameters, 2)] = Link(peer: .device(DeviceAddress(bits, kind).withoutIdentity))
        }
    }

    private static func handle(_ octets: [UInt8], _ place: Int) -> ConnectionHandle {
        ConnectionHandle(rawValue: (UInt16(octets[place]) | UInt16(octets[place + 1]) << 8) & 0x0FFF)
    }

    // MARK: Data

    private mutating func data(
        _ packet: [UInt8], _ direction: BTSnoop.Record.Direction, at time: Int64
    ) -> [SeenATT] {
        guard let data = try? HCIACLData(packet: packet) else {
            faults += 1
            return []
        }
        if links[data.handle]?.isClassic == true {
            classicPackets += 1
            return []
        }
        if links[data.handle] == nil {
            guard isLE(data) else {
                classicPackets += 1
                return []
            }
            links[data.handle] = Link(peer: .unknown(data.handle))
            earlierLinks += 1
        }
        guard var link = links[data.handle] else { return [] }
        let isFromLocal = direction == .hostToController
        let found = isFromLocal ? link.fromLocal.receive(data) : link.fromPeer.receive(data)
        links[data.handle] = link
        if let fault = found.fault, fault != .unknownChannel { faults += 1 }
        guard let pdu = found.pdu, pdu.channel == .att else { return [] }
        return [
            SeenATT(
                unixNanoseconds: time, sender: isFromLocal ? .local : link.peer,
                receiver: isFromLocal ? link.peer : .local, pdu: pdu.payload)
        ]
    }

    /// Whether a link of which nothing is known is one of LE: ATT and the Security Manager have channels there that classic
    /// Bluetooth hasn't, and so has signalling. [Vol 3, Part A, 2.1]
    private func isLE(_ data: HCIACLData) -> Bool {
        guard data.boundary != .continuing, let header = L2CAPHeader(data.packet, at: data.payload.lowerBound) else {
            return false
        }
        return [.att, .signalling, .securityManager].contains(header.channel)
    }
}
