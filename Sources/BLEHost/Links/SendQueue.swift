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

    /// A packet with a part of the PDU at the front, its L2CAP header counted in. Written by hand, since this is where
    /// everything that is sent passes.
    private func packet(for handle: ConnectionHandle, _ part: Range<Int>) -> [UInt8] {
        let count = part.count
        // A start from host to controller is 0b00: not automatically flushable. [Vol 4, Part E, 5.4.2]
        let boundary: UInt16 = part.lowerBound == 0 ? 0b00 : 0b01
        let field = handle.rawValue | boundary << 12
        let header = UInt32(front.channel.rawValue) << 16 | UInt32(truncatingIfNeeded: front.payload.count)
        return unsafe [UInt8](unsafeUninitializedCapacity: count + HCIACLData.headerLength) { octets, size in
            size = count + HCIACLData.headerLength
            unsafe octets[0] = H4Indicator.aclData.rawValue
            unsafe octets[1] = UInt8(truncatingIfNeeded: field)
            unsafe octets[2] = UInt8(truncatingIfNeeded: field >> 8)
            unsafe octets[3] = UInt8(truncatingIfNeeded: count)
            unsafe octets[4] = UInt8(truncatingIfNeeded: count >> 8)
            var place = HCIACLData.headerLength
            var begin = part.lowerBound
            while begin < min(L2CAPHeader.length, part.upperBound) {
                unsafe octets[place] = UInt8(truncatingIfNeeded: header >> (8 * UInt32(begin)))
                place += 1
                begin += 1
            }
            guard begin < part.upperBound else { return }
            let payload = (begin - L2CAPHeader.length)..<(part.upperBound - L2CAPHeader.length)
            unsafe front.payload.withUnsafeBufferPointer { source in
                let rest = unsafe UnsafeMutableBufferPointer(rebasing: octets[place..<size])
                _ = unsafe rest.update(fromContentsOf: source[payload])
            }
        }
    }
}
