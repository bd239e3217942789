import BLEWire

/// Whether the host is on, and how far on its way.
struct PowerControl {
    enum Phase: Equatable {
        case off
        case starting(PowerOnStep)
        case on
        /// Links are ending, or the reset that comes last.
        case stopping
        /// The controller was given up, until `powerOn` or a transport that opens anew.
        case failed
    }
    var phase = Phase.off
    var isWanted = false
    var isTransportOpen = true
    /// Failures in a row, without the host having been on.
    var failures = 0
    /// While stopping: when links have had time enough to end.
    var stopBy = Instant.never

    init() {}
}
