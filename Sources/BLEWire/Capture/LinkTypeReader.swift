/// Reads what records of pcap and pcapng hold, by their link type.
struct LinkTypeReader: Sendable {
    /// H4 without a word about the direction.
    static let h4: UInt32 = 187
    /// H4 behind four octets that say the direction.
    static let h4WithDirection: UInt32 = 201
    /// LE link layer packets alone.
    static let linkLayer: UInt32 = 251
    /// What Linux' monitor tells: adapter and kind, two octets each.
    static let monitor: UInt32 = 254

    static let known = [h4, h4WithDirection, linkLayer, monitor, Pcap.linkLayerWithRadioHeader]

    /// Which way the last start of a PDU went on each link, where only that can tell a continuation's.
    private var directions: [UInt16: BTSnoop.Record.Direction] = [:]

    init() {}

    /// The packet with its adapter; nil where there is none.
    mutating func content(
        _ octets: [UInt8], _ linkType: UInt32, isToHost: Bool?
    ) -> (adapter: UInt16, CapturedPacket.Content)? {
        switch linkType {
        case Self.h4:
            guard let direction = isToHost.map({ $0 ? .controllerToHost : .hostToController }) ?? guess(octets) else {
                return nil
            }
            return (0, .hci(octets, direction))
        case Self.h4WithDirection:
            guard octets.count > 4 else { return nil }
            let isReceived = CaptureOctets.bigEndian(octets, at: 0, count: 4) & 1 == 1
            return (0, .hci(Array(octets[4...]), isReceived ? .controllerToHost : .hostToController))
        case Self.monitor:
            guard octets.count >= 4,
                let (kind, direction) = HCIMonitor.kind(UInt16(CaptureOctets.bigEndian(octets, at: 2, count: 2)))
            else { return nil }
            let adapter = UInt16(CaptureOctets.bigEndian(octets, at: 0, count: 2))
            return (adapter, .hci([kind.rawValue] + octets[4...], direction))
        case Self.linkLayer: return AirCapture(linkLayer: octets).map { (0, .air($0)) }
        case Pcap.linkLayerWithRadioHeader: return AirCapture(record: octets).map { (0, .air($0)) }
        default: return nil
        }
    }

    /// The direction by the packet itself: the start of a PDU is marked in another way by a host than by a controller.
    /// [Vol 4, Part E, 5.4.2]
    private mutating func guess(_ octets: [UInt8]) -> BTSnoop.Record.Direction? {
        switch octets.first.map(H4Indicator.init(rawValue:)) {
        case .command: return .hostToController
        case .event: return .controllerToHost
        case .aclData:
            guard let data = try? HCIACLData(packet: octets) else { return nil }
            if data.boundary != .continuing {
                directions[data.handle.rawValue] =
                    data.boundary == .firstFromHost ? .hostToController : .controllerToHost
            }
            return directions[data.handle.rawValue]
        default: return nil
        }
    }
}
