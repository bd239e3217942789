package import BLEWire

/// Names a controller on a radio.
package struct ControllerID: Hashable, Comparable, Sendable {
    package var rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// What a radio wants done, in order.
package enum RadioOutput: Equatable, Sendable {
    /// A packet for the host of a controller: H4 indicator first.
    case packet(ControllerID, [UInt8])
    case trace(ControllerID, TraceEvent)
    /// The link layer of a controller has come to another state.
    case state(ControllerID, LinkLayerState)
    /// A packet was on the air; only where `RadioSettings.capturesAir` is set.
    case air(AirPacket)
    /// A link has these keys from now on; only where `RadioSettings.exportsKeys` is set.
    case keys(SessionKeys)
}

/// One air with every virtual controller on it.
///
/// *Role*: the virtual controllers, their link layers and the air between them. Every packet on the air is encoded
/// to octets with its CRC and read from them again. Whitening is left out, since receiving undoes it.
/// *Inputs and outputs*: H4 packets from hosts (`receive`) and time (`advance`); H4 packets to hosts, traces, states
/// and air packets as `RadioOutput`s.
/// *Limits*: no isochronous channels, no transfer of periodic synchronisation. Clocks don't drift. One radio of a device
/// does one thing at a time: links come first and leave a part of each interval to advertising and scanning.
package struct Radio: Sendable {
    /// When `advance` has something to do; nil while nothing is planned.
    package internal(set) var nextDeadline: Instant?

    let seed: UInt64
    var air: Air
    var schedule = Schedule()
    var controllers: [Controller] = []
    /// Of all controllers: one for legacy advertising each, and one for each advertising set.
    var advertisers: [Advertiser] = []
    /// Of all sets with periodic advertising, and who follows them.
    var trains: [PeriodicTrain] = []
    var syncs: [PeriodicSync] = []
    /// Places of advertising sets that were removed.
    var freeAdvertisers: [Int] = []
    /// Which controllers listen on the channels 37, 38 and 39 at 1M, and then at the Coded PHY.
    var listeners: [[Int32]] = [[], [], [], [], [], []]
    /// Controllers that scan or initiate, with their windows open or not.
    var seekers: [Int32] = []
    /// When a window of any of them opens or closes next.
    var listeningChanges = Instant.never
    /// Answers of tests that wait for an advertisement.
    var injections = 0

    var links: [Link] = []
    /// The packet of each link that is on the air: header, payload, CRC.
    var packets: [[UInt8]] = []
    var freeLinks: [Int] = []
    /// Two for each link: central, peripheral.
    var ends: [LinkEnd] = []
    /// What an end has said and isn't handled yet; kept for its memory.
    var linkEvents: [LinkEvent] = []

    package init(seed: UInt64, settings: RadioSettings = RadioSettings()) {
        self.seed = seed
        air = Air(settings: settings)
    }

    package var settings: RadioSettings { air.settings }

    /// Puts a controller on the air, in Standby and as after HCI_Reset.
    package mutating func addController(_ profile: ControllerProfile, at now: Instant) -> ControllerID {
        controllers.append(Controller(profile: profile, seed: seed, entity: controllers.count))
        controllers[controllers.count - 1].legacy = advertisers.count
        controllers[controllers.count - 1].advertisers = [advertisers.count]
        advertisers.append(Advertiser(owner: controllers.count - 1))
        return ControllerID(rawValue: controllers.count - 1)
    }

    /// Takes a controller off the air without a word: its peers notice by their supervision time-outs.
    package mutating func removeController(_ id: ControllerID, at now: Instant, into out: inout [RadioOutput]) {
        guard isPresent(id.rawValue) else { return }
        standby(id.rawValue, at: now)
        tellState(of: id.rawValue, into: &out)
        controllers[id.rawValue].isPresent = false
    }

    /// Lets everything happen that is due up to `now`.
    package mutating func advance(to now: Instant, into out: inout [RadioOutput]) {
        while let (time, task) = schedule.take(due: now) {
            let index = Int(task.index)
            switch task.kind {
            case .advertise:
                if task.stamp == advertisers[index].stamp { stepAdvertising(index, at: time, into: &out) }
            case .link:
                if task.stamp == links[index].stamp { stepLink(index, at: time, into: &out) }
            case .scanWindow:
                if task.stamp == controllers[index].scanner.window.stamp { stepScanWindow(index, at: time) }
            case .scanPeriod:
                if task.stamp == controllers[index].scanner.period.stamp {
                    stepScanPeriod(index, at: time, into: &out)
                }
            case .periodic:
                if task.stamp == trains[index].stamp { stepPeriodic(index, at: time, into: &out) }
            case .syncTimeout:
                if task.stamp == syncs[index].stamp { stepSyncTimeout(index, at: time, into: &out) }
            case .initiateWindow:
                if task.stamp == controllers[index].initiator.window.stamp { stepInitiateWindow(index, at: time) }
            case .privateAddress:
                if task.stamp == controllers[index].resolving.stamp { stepRenewal(index, at: time) }
            case .linkTimer:
                if task.stamp == ends[index].stamp { stepLinkTimer(index, at: time, into: &out) }
            }
        }
        nextDeadline = schedule.nextTime
    }

    package func profile(of id: ControllerID) -> ControllerProfile? {
        controllers.indices.contains(id.rawValue) ? controllers[id.rawValue].profile : nil
    }

    func isPresent(_ controller: Int) -> Bool {
        controllers.indices.contains(controller) && controllers[controller].isPresent
    }

    /// Ends everything that a controller does, without a word to its host or on the air. [Vol 4, Part E, 7.3.2]
    mutating func standby(_ controller: Int, at now: Instant) {
        stopSeeking(controller, at: now)
        for end in controllers[controller].links.ends { release(end) }
        for index in syncs.indices where syncs[index].isUsed && syncs[index].controller == controller {
            releaseSync(index)
        }
        for place in controllers[controller].advertisers {
            removePeriodic(of: place)
            advertisers[place].reset()
        }
        freeAdvertisers += controllers[controller].advertisers.filter { $0 != controllers[controller].legacy }
        controllers[controller].reset()
    }
}
