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
