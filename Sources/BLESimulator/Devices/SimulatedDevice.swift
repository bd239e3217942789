import BLEController
import BLEHost
import BLEWire

/// A device of a simulation: a controller, and a host that lives inside or outside.
struct SimulatedDevice {
    var profile: ControllerProfile
    var controller: ControllerID
    /// Where its host stands among those inside; nil = the host lives outside and gets its packets as outputs.
    let host: Int?
    /// Where what plays a peripheral on that host stands, without a program.
    var peripheral: Int?
    /// Whether what the host inside says is put out.
    var reportsEvents = true
    /// When it asked to be called.
    var deadline = Instant.never
    /// The earliest entry that the event queue holds for it. Entries aren't taken back when a deadline moves away:
    /// they find that it isn't time yet.
    var armed = Instant.never
    var isCaptured = false
    var isTransportOpen = true
    var stall = StalledPackets()
    var state = LinkLayerState.standby

    init(profile: ControllerProfile, controller: ControllerID, host: Int?) {
        self.profile = profile
        self.controller = controller
        self.host = host
    }
}

/// What waits between a host and its controller while nothing passes.
struct StalledPackets: Sendable {
    var until: Instant?
    var toHost: [[UInt8]] = []
    var toController: [[UInt8]] = []
}
