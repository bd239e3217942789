package import BLEController

/// Sees the packets on a hosted radio's air.
package protocol AirTap: AnyObject, Sendable {
    /// In the order of their times. Called on the radio's queue.
    func record(_ packets: [AirPacket])
}
