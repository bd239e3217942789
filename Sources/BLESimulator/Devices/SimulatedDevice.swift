import BLEController
import BLEHost
import BLEWire

/// A device of a simulation: a controller, and a host that lives inside or outside.
struct SimulatedDevice {
    var profile: ControllerProfile
    var controller: ControllerID
    /// nil = the host lives outside and gets its packets as outputs.
    var host: HostMachine?
    /// What plays a peripheral on a host inside, without a program.
    var peripheral: LightPeripheral?
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
}

/// What waits between a host and its controller while nothing passes.
struct StalledPackets: Sendable {
    var until: Instant?
    var toHost: [[UInt8]] = []
    var toController: [[UInt8]] = []
}
