import BLEWire

/// What waits to be sent on one link.
///
/// *Role*: fragmentation of the sending host. [Vol 3, Part A, 7.2.1]
struct SendQueue {
    private struct PDU {
        var channel: ChannelIdentifier
        var payload: [UInt8]
        var tag: UInt64?
    }
    /// The PDU that is being sent. Most often it is the only one, and never sees the queue.
    private var front = PDU(channel: .att, payload: [], tag: nil)
    private var hasFront = false
    /// Octets of it, its header included, that have left.
    private var sent = 0
    private var waiting = FIFO<PDU>()
    /// Packets that the controller has and hasn't completed.
    var unacknowledged = 0
    /// Whether the link stands in the line.
    var isLinedUp = false

    init() {}

    var isEmpty: Bool { !hasFront }
    var count: Int { hasFront ? waiting.count + 1 : 0 }

    mutating func append(_ payload: [UInt8], on channel: ChannelIdentifier, tag: UInt64?) {
        let pdu = PDU(channel: channel, payload: payload, tag: tag)
        if hasFront {
            waiting.append(pdu)
        } else {
            front = pdu
            hasFront = true
        }
    }

    /// Drops what waits; what the controller has stays counted.
    mutating func discard() {
        waiting.removeAll()
        front.payload = []
        hasFront = false
        sent = 0
        isLinedUp = false
    }

    /// Drops what waits for a channel and hasn't begun to leave.
    mutating func drop(_ channel: ChannelIdentifier) {
        waiting.removeAll { $0.channel == channel }
        guard hasFront, sent == 0, front.channel == channel else { return }
        if let next = waiting.popFirst() {
            front = next
        } else {
            front.payload = []
            hasFront = false
        }
    }

    /// The next ACL packet with its H4 indicator; with the tag of the PDU if it is its last.
    mutating func nextPacket(for handle: ConnectionHandle, length: Int) -> (packet: [UInt8], tag: UInt64?)? {
        guard hasFront else { return nil }
        let total = front.payload.count + L2CAPHeader.length
        let end = min(sent + length, total)
        let packet = packet(for: handle, sent..<end)
        sent = end
        guard end == total else { return (packet, nil) }
        let tag = front.tag
        sent = 0
        if let next = waiting.popFirst() {
            front = next
        } else {
            front.payload = []
            hasFront = false
        }
        return (packet, tag)
    }

    /// A packet with a part of the PDU at the front, its L2CAP header counted in. By hand, since everything that is sent
    /// passes here, and by appending, since an array of a given size costs more, by the generic way it is made.
    private func packet(for handle: ConnectionHandle, _ part: Range<Int>) -> [UInt8] {
        let count = part.upperBound - part.lowerBound
        // A start from host to controller is 0b00: not automatically flushable. [Vol 4, Part E, 5.4.2]
        let boundary: UInt16 = part.lowerBound == 0 ? 0b00 : 0b01
        let field = handle.rawValue | boundary << 12
        var packet: [UInt8] = []
        packet.reserveCapacity(count + HCIACLData.headerLength)
        packet.append(H4Indicator.aclData.rawValue)
        packet.append(UInt8(truncatingIfNeeded: field))
        packet.append(UInt8(truncatingIfNeeded: field >> 8))
        packet.append(UInt8(truncatingIfNeeded: count))
        packet.append(UInt8(truncatingIfNeeded: count >> 8))
        let header = UInt32(front.channel.rawValue) << 16 | UInt32(truncatingIfNeeded: front.payload.count)
        var begin = part.lowerBound
        while begin < L2CAPHeader.length, begin < part.upperBound {
            packet.append(UInt8(truncatingIfNeeded: header >> (8 * UInt32(begin))))
            begin += 1
        }
        if part.lowerBound == 0, part.upperBound == front.payload.count + L2CAPHeader.length {
            packet.append(contentsOf: front.payload)
        } else if begin < part.upperBound {
            packet.append(
                contentsOf: front.payload[(begin - L2CAPHeader.length)..<(part.upperBound - L2CAPHeader.length)])
        }
        return packet
    }
}
