package import BLEController
package import BLEWire

/// Something that goes wrong, or right again, at a simulation's device: data, so that a scenario can be written down.
package enum Fault: Equatable, Sendable {
    /// The share of packets between two devices that is lost, 0 to 1, both ways.
    case loss(DeviceID, DeviceID, Double)
    /// What two devices receive of each other in dBm, whatever their places; nil = by their places again.
    case rssi(DeviceID, DeviceID, Int8?)
    /// Two devices don't hear each other at all, or do again.
    case outOfRange(DeviceID, DeviceID, Bool)
    /// Where a device is, in metres.
    case position(DeviceID, Position)
    /// The user switches Bluetooth on or off.
    case power(DeviceID, Bool)
    /// The controller loses its state, as if unplugged and plugged in again. The host sees its transport close, and
    /// open again after the delay.
    case resetController(DeviceID, downFor: Delay)
    /// The wire between host and controller is gone until `openTransport`.
    case closeTransport(DeviceID, reason: String)
    case openTransport(DeviceID)
    /// Nothing passes between host and controller for a while; then all of it, in order.
    case stall(DeviceID, Delay)
}
