package import BLEController
import BLEWire

/// How a radio is hosted.
package struct HostedRadioSettings: Sendable {
    package var name: RadioName
    /// The same seed gives the same back-offs and losses.
    package var seed: UInt64
    package var radio = RadioSettings()
    /// What each controller is, but for address and name.
    package var controller: ControllerProfile
    /// Radio time per wall time.
    package var speed = 1.0
    /// Octets that a host may leave unread before its controller drops advertising reports, as a controller does whose
    /// queue is full. [Vol 4, Part E, 7.7.65.2]
    package var reportLimit = 1 << 16
    /// Octets that a host may leave unread before its connection is closed.
    package var unreadLimit = 1 << 22

    package init(name: RadioName, seed: UInt64) {
        self.name = name
        self.seed = seed
        controller = ControllerProfile(address: DeviceAddress(0), name: "")
    }
}
