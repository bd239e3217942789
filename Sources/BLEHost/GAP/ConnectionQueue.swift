import BLEWire

/// The pending connections and how they are served.
///
/// *Role*: connection establishment with one initiator for many wishes [Vol 3, Part C, 9.3]: alone by its address,
/// several through the Filter Accept List, and where that doesn't do, in turns.
///
/// *Limits*: one HCI_LE_Create_Connection at a time [Vol 4, Part E, 7.8.12]; wishes with other settings than the first
/// one wait for their turn.
struct ConnectionQueue {
    struct Pending: Equatable {
        var address: DeviceAddress
        var settings: ConnectionSettings
        /// Attempts left after 0x3E.
        var retries: Int
        /// Set after 0x3E: no attempt before.
        var heldUntil = Instant.never
    }
    /// What the initiator does.
    enum Phase: Equatable {
        case idle
        /// The Filter Accept List is brought to what it should hold.
        case preparing
        /// HCI_LE_Create_Connection has left; its Command Status hasn't come.
        case creating
        case initiating
        /// HCI_LE_Create_Connection_Cancel has left; the LE Connection Complete event hasn't come.
        case cancelling
    }

    var pending: [Pending] = []
    var phase = Phase.idle
    /// Addresses that the attempt at hand is about.
    var batch: [DeviceAddress] = []
    /// What the Filter Accept List holds.
    var listed: [DeviceAddress] = []
    /// How many devices the Filter Accept List holds, as far as is known.
    var listSize = 0
    /// When the attempt at hand has to let another one, or the scan, have its turn.
    var turnEnds = Instant.never
    /// When the scan has to let initiating have its turn.
    var scanTurnEnds = Instant.never
    /// When to try again after Command Disallowed.
    var pausedUntil = Instant.never
    var disallowedCount = 0
    /// The cancel has left, and if its event doesn't come by then, it's taken as done.
    var cancelEnds = Instant.never
    /// When the first of those that are held may be tried again.
    var retryDue = Instant.never
    /// The controller refused to scan and initiate at a time.
    var takesTurnsWithScan = false

    init() {}

    /// The earliest of its deadlines.
    var deadline: Instant {
        turnEnds.earlier(scanTurnEnds).earlier(pausedUntil).earlier(cancelEnds).earlier(retryDue)
    }

    /// Those that an attempt may be about.
    var readyCount: Int { pending.count { $0.heldUntil == .never } }

    /// Lets those be tried whose time has come.
    mutating func release(at now: Instant) {
        retryDue = .never
        for index in pending.indices {
            if pending[index].heldUntil <= now { pending[index].heldUntil = .never }
            retryDue = min(retryDue, pending[index].heldUntil)
        }
    }

    func index(of address: DeviceAddress) -> Int? { pending.firstIndex { $0.address == address } }

    func settings(of address: DeviceAddress) -> ConnectionSettings? {
        pending.first { $0.address == address }?.settings
    }

    /// The addresses that the next attempt should be about: those that share the settings of the first one, `limit` at
    /// most, without those that have a link or are held.
    func nextBatch(limit: Int, without linked: [DeviceAddress]) -> [DeviceAddress] {
        if pending.isEmpty { return [] }
        var batch: [DeviceAddress] = []
        var settings: ConnectionSettings?
        for entry in pending where entry.heldUntil == .never && !linked.contains(entry.address) {
            if let settings, settings != entry.settings { continue }
            settings = entry.settings
            batch.append(entry.address)
            if batch.count == limit { break }
        }
        return batch
    }

    /// Sends those of the attempt at hand to the back, so that others come first.
    mutating func rotate() {
        let served = pending.filter { batch.contains($0.address) }
        pending = pending.filter { !batch.contains($0.address) } + served
    }
}
