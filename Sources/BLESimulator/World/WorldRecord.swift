package import BLEController
package import BLEWire

/// One thing worth knowing about a simulation afterwards.
package struct WorldRecord: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// The first advertisement that a device received from an address; later ones are counted.
        case saw(DeviceAddress, rssi: Int8)
        /// What the link layer of a device does now.
        case linkLayer(LinkLayerState)
        case fault(Fault)
        /// What a machine found worth telling, at `notice` or above.
        case trace(TraceEvent)
    }
    package var time: Instant
    package var device: DeviceID
    package var kind: Kind

    package init(time: Instant, device: DeviceID, kind: Kind) {
        self.time = time
        self.device = device
        self.kind = kind
    }
}
