import BLEWire

/// Which link may send the next ACL packet, and whether the controller has room for it.
///
/// *Role*: data flow control by packets [Vol 4, Part E, 4.1.1], and a fair turn for each link.
///
/// *Inputs and outputs*: the sizes of the controller's buffers, links that have something to send, and completed
/// packets in; the link whose turn it is out.
///
/// *Limits*: a controller that completes more than it was given is believed only as far as it was given.
struct DataFlow {
    /// The most data octets of one packet; the header doesn't count. 27 at least. [Vol 4, Part E, 7.8.2]
    private(set) var packetLength = 27
    /// The controller's buffers.
    private(set) var capacity = 0
    /// Buffers that are free.
    private(set) var credits = 0
    /// Links that have something to send, in the order of their turns; each once.
    private var turns = FIFO<ConnectionHandle>()

    init() {}

    mutating func configure(packetLength: Int, capacity: Int) {
        self.packetLength = max(packetLength, 1)
        self.capacity = capacity
        credits = capacity
        turns.removeAll()
    }

    /// Puts a link at the end of the line.
    mutating func line(up handle: ConnectionHandle) { turns.append(handle) }

    /// Takes a buffer for the link whose turn it is.
    mutating func nextTurn() -> ConnectionHandle? {
        guard credits > 0, let handle = turns.popFirst() else { return nil }
        credits -= 1
        return handle
    }

    /// Gives buffers back, of which `count` were in use.
    mutating func free(_ count: Int) { credits = min(credits + count, capacity) }

    /// Takes a link out of the line.
    mutating func remove(_ handle: ConnectionHandle) { turns.removeAll { $0 == handle } }
}

/// What waits to be sent on one link.
///
/// *Role*: fragmentation of the sending host. [Vol 3, Part A, 7.2.1]
struct SendQueue {
    private struct PDU {
        var channel: ChannelIdentifier
        var payload: [UInt8]
        var tag: UInt64?
    }
    private var waiting = FIFO<PDU>()
    /// Octets of the first PDU, its header included, that have left.
    private var sent = 0
    /// Packets that the controller has and hasn't completed.
    var unacknowledged = 0
    /// Whether the link stands in the line.
    var isLinedUp = false

    init() {}

    var isEmpty: Bool { waiting.isEmpty }
    var count: Int { waiting.count }

    mutating func append(_ payload: [UInt8], on channel: ChannelIdentifier, tag: UInt64?) {
        waiting.append(PDU(channel: channel, payload: payload, tag: tag))
    }

    /// Drops what waits; what the controller has stays counted.
    mutating func discard() {
        waiting.removeAll()
        sent = 0
        isLinedUp = false
    }

    /// The next ACL packet with its H4 indicator; with the tag of the PDU if it is its last.
    mutating func nextPacket(for handle: ConnectionHandle, length: Int) -> (packet: [UInt8], tag: UInt64?)? {
        guard let pdu = waiting.first else { return nil }
        let total = pdu.payload.count + 4
        let count = min(length, total - sent)
        // A start from host to controller is 0b00: not automatically flushable. [Vol 4, Part E, 5.4.2]
        let boundary: UInt16 = sent == 0 ? 0b00 : 0b01
        let field = handle.rawValue | boundary << 12
        var packet: [UInt8] = []
        packet.reserveCapacity(count + 5)
        packet.append(0x02)
        packet.append(UInt8(truncatingIfNeeded: field))
        packet.append(UInt8(truncatingIfNeeded: field >> 8))
        packet.append(UInt8(truncatingIfNeeded: count))
        packet.append(UInt8(truncatingIfNeeded: count >> 8))
        var begin = sent
        let end = sent + count
        while begin < min(4, end) {
            let header = UInt32(pdu.channel.rawValue) << 16 | UInt32(truncatingIfNeeded: pdu.payload.count)
            packet.append(UInt8(truncatingIfNeeded: header >> (8 * UInt32(begin))))
            begin += 1
        }
        if begin < end { packet.append(contentsOf: pdu.payload[(begin - 4)..<(end - 4)]) }
        sent = end
        guard end == total else { return (packet, nil) }
        sent = 0
        _ = waiting.popFirst()
        return (packet, pdu.tag)
    }
}
