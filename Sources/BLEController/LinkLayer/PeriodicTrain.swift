import BLEWire

/// A periodic advertising train: packets at fixed intervals, which receivers follow without being asked.
/// [Vol 6, Part B, 4.4.2.12]
///
/// *Role*: what a host has set for a set's periodic advertising, and where in an event it is; the radio takes its steps.
/// *Limits*: it keeps its access address and its pace until it is stopped.
struct PeriodicTrain: Sendable {
    /// The controller, and the advertising set that tells of it.
    var owner = 0
    var advertiser = 0
    var isUsed = true
    var parameters = LESetPeriodicAdvertisingParameters()
    var data: [UInt8] = []
    /// Data that is being given in fragments, and not complete yet.
    var fragments: [UInt8]?
    /// Whether the host wants it; it begins with its set, and goes on without it.
    var isEnabled = false
    var isRunning = false
    /// Counts what is planned, so that what was planned before is void.
    var stamp: UInt32 = 0

    var accessAddress: UInt32 = 0
    var crcInit: UInt32 = 0
    var channels = ChannelMap.all
    /// paEventCounter and start of the next event, or of the one under way.
    var counter: UInt16 = 0
    var start = Instant.start
    /// The packets of the event under way, with header and CRC; none between two events.
    var packets: [AuxiliaryTrain.Packet] = []
    var position = 0
    /// Receivers that have heard everything of the event so far.
    var followers: [Int] = []

    var interval: Delay { .microseconds(Int64(parameters.intervalMinimum) * 1250) }
    var channel: UInt8 {
        ChannelSelection.second(accessAddress: accessAddress).channel(event: UInt64(counter), map: channels)
    }

    /// How to follow it, for a packet that begins at `time`. [Vol 6, Part B, 2.3.4.6]
    func syncInfo(at time: Instant) -> SyncInfo {
        var info = SyncInfo()
        let events = start > time ? 0 : (time - start) / interval + 1
        info.offset = start + interval * events - time
        info.interval = parameters.intervalMinimum
        info.channelMapAndAccuracy = channels.bits
        info.accessAddress = accessAddress
        info.crcInit = crcInit
        info.eventCounter = counter &+ UInt16(truncatingIfNeeded: events)
        return info
    }
}

/// A periodic advertiser that a controller follows. [Vol 6, Part B, 4.4.3.4]
struct PeriodicSync: Sendable {
    var controller: Int
    /// The train, by its place in the radio.
    var train: Int
    var accessAddress: UInt32
    /// Sync_Handle
    var handle: UInt16
    var setIdentifier: UInt8
    var advertiser: DeviceAddress
    var skip: UInt16
    var timeout: Delay
    /// Whether a packet was received, and the host told so.
    var isEstablished = false
    var isUsed = true
    /// Events that it leaves out from now on.
    var left: UInt16 = 0
    var lastHeard: Instant
    /// Whether the host has heard of a part, and so is to hear of the end.
    var hasReported = false
    var stamp: UInt32 = 0

    /// When it is given up: before it was ever heard, after six events. [Vol 6, Part B, 4.4.3.4]
    func deadline(interval: Delay) -> Instant { lastHeard + (isEstablished ? timeout : interval * 6) }
}

/// Periodic advertisers that a host is looking for, and its list of them. [Vol 4, Part E, 7.8.67]
struct PeriodicSearch: Sendable {
    struct Listed: Equatable, Sendable {
        var address: DeviceAddress
        var setIdentifier: UInt8
    }

    /// The command that waits for its advertiser.
    var wanted: LEPeriodicAdvertisingCreateSync?
    var list: [Listed] = []
    var lastHandle: UInt16 = 0x0EFF

    func accepts(_ address: DeviceAddress, _ setIdentifier: UInt8) -> Bool {
        guard let wanted else { return false }
        let found = Listed(address: address.unresolved, setIdentifier: setIdentifier)
        if wanted.options & 1 == 1 { return list.contains(found) }
        return found == Listed(address: wanted.advertiser.unresolved, setIdentifier: wanted.setIdentifier)
    }
}
