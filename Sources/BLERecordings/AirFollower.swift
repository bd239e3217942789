import BLEHost
import BLEWire

/// Follows links through a capture of the air, and finds the ATT PDUs of those that aren't encrypted.
struct AirFollower {
    private struct Link {
        var central: Endpoint
        var peripheral: Endpoint
        var fromCentral = AirFollower.recombiner()
        var fromPeripheral = AirFollower.recombiner()
        /// The sequence number of the last packet of each side: the same one again is a repetition.
        /// [Vol 6, Part B, 4.5.9]
        var lastOfCentral: UInt8?
        var lastOfPeripheral: UInt8?
        var isEncrypted = false
    }

    private var links: [UInt32: Link] = [:]
    private(set) var earlierLinks = 0
    /// Packets that can't be read because their link is encrypted.
    private(set) var encryptedPackets = 0
    private(set) var damagedPackets = 0
    /// Packets of links whose direction the capture doesn't say.
    private(set) var undirectedPackets = 0
    private var advertisements: [AdvertisingReport] = []

    init() {}

    private static func recombiner() -> Recombiner {
        var recombiner = Recombiner()
        recombiner.limits.att = 0xFFFF
        return recombiner
    }

    mutating func take(_ packet: AirCapture, at time: Int64) -> [SeenATT] {
        guard packet.isCRCValid else {
            damagedPackets += 1
            return []
        }
        if packet.accessAddress == AccessAddress.advertising {
            advertising(packet)
            return []
        }
        return data(packet, at: time)
    }

    /// What was heard since this was asked last.
    mutating func takeAdvertisements() -> [AdvertisingReport] {
        defer { advertisements = [] }
        return advertisements
    }

    private mutating func advertising(_ packet: AirCapture) {
        guard let read = try? LLAdvertisingPacket(decoding: packet.pdu) else { return }
        let sender = read.header.transmitterKind
        func report(_ bits: UInt64, connectable: Bool, response: Bool = false, _ data: [UInt8]) {
            advertisements.append(
                AdvertisingReport(
                    address: DeviceAddress(bits, sender), isConnectable: connectable,
                    isScannable: false, isScanResponse: response, data: data, rssi: packet.rssi))
        }
        switch read.payload {
        case .advInd(let pdu): report(pdu.advertiser, connectable: true, pdu.data)
        case .advNonconnInd(let pdu): report(pdu.advertiser, connectable: false, pdu.data)
        case .advScanInd(let pdu): report(pdu.advertiser, connectable: false, pdu.data)
        case .scanRsp(let pdu): report(pdu.advertiser, connectable: false, response: true, pdu.data)
        case .connectInd(let pdu):
            let central = DeviceAddress(pdu.initiator, sender)
            let peripheral = DeviceAddress(pdu.advertiser, read.header.receiverKind)
            links[pdu.accessAddress] = Link(central: .device(central), peripheral: .device(peripheral))
        default: break
        }
    }

    private mutating func data(_ packet: AirCapture, at time: Int64) -> [SeenATT] {
        guard packet.pdu.count >= 2, packet.direction != .unknown else {
            undirectedPackets += 1
            return []
        }
        if links[packet.accessAddress] == nil {
            earlierLinks += 1
            let handle = ConnectionHandle(rawValue: UInt16(truncatingIfNeeded: earlierLinks))
            links[packet.accessAddress] = Link(central: .local, peripheral: .unknown(handle))
        }
        guard var link = links[packet.accessAddress] else { return [] }
        defer { links[packet.accessAddress] = link }
        let flags = packet.pdu[0]
        let isFromCentral = packet.direction == .centralToPeripheral
        let sequence = flags >> 3 & 1
        let last = isFromCentral ? link.lastOfCentral : link.lastOfPeripheral
        if isFromCentral { link.lastOfCentral = sequence } else { link.lastOfPeripheral = sequence }
        let payload = Array(packet.pdu[(flags & 0x20 != 0 ? min(3, packet.pdu.count) : 2)...])
        guard last != sequence, !payload.isEmpty else { return [] }
        if link.isEncrypted {
            encryptedPackets += 1
            return []
        }
        let kind = DataHeader.LLID(rawValue: flags & 3)
        if kind == .control {
            // From here on only who has the key can read. [Vol 6, Part B, 5.1.3.1]
            if payload[0] == LLOpcode.startEncReq.rawValue { link.isEncrypted = true }
            return []
        }
        let fragment = HCIACLData.packet(
            handle: ConnectionHandle(rawValue: 0), boundary: kind == .start ? .first : .continuing, payload: payload)
        guard let data = try? HCIACLData(packet: fragment) else { return [] }
        let found = isFromCentral ? link.fromCentral.receive(data) : link.fromPeripheral.receive(data)
        guard let pdu = found.pdu, pdu.channel == .att else { return [] }
        return [
            SeenATT(
                unixNanoseconds: time, sender: isFromCentral ? link.central : link.peripheral,
                receiver: isFromCentral ? link.peripheral : link.central, pdu: pdu.payload)
        ]
    }
}
