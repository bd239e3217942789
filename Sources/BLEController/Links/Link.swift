import BLEWire

/// What two ends of a link share: its name on the air, and the connection event that is under way.
///
/// The ends of link n are the ends 2n (central) and 2n + 1 (peripheral) of the radio; each of them may be gone while
/// the other still believes in the link.
struct Link: Sendable {
    /// What is on the air.
    enum Phase: Sendable {
        /// Nothing: the next task is the next event.
        case between
        case centralSends
        case peripheralSends
    }

    var isUsed = false
    var accessAddress: UInt32 = 0
    var crcInit: UInt32 = 0
    /// Counts what is planned, so that what was planned before is void.
    var stamp: UInt32 = 0
    var phase = Phase.between
    var packetStart = Instant.start
    /// Whether this is the first exchange of the event.
    var isFirst = true
    /// Whether the peripheral listens in this event, or in the rest of it.
    var peripheralListens = false
    /// When the last packet of the event must have ended.
    var limit = Instant.never
}
