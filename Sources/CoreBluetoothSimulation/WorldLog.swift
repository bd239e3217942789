import BLEController
import BLERuntime
import BLESimulator
import BLEWire

/// One thing that happened in a ``World``.
public struct WorldEvent: Sendable, Equatable, CustomStringConvertible {
    /// What happened.
    public enum Kind: Sendable, Equatable {
        /// The first advertisement that the device received from an address; whose that is, if it is in the world.
        case saw(address: String, device: String?, rssi: Int)
        /// What the device's link layer does from now on.
        case linkState(LinkState)
        /// What a test did to the device: moved it, switched it off.
        case fault(String)
        /// What a layer of the device found worth telling.
        case message(layer: String, String)
    }
    /// Virtual time since the world began.
    public let time: Duration
    /// The name of the device.
    public let device: String
    /// What happened to it.
    public let kind: Kind

    public var description: String {
        let text =
            switch kind {
            case .saw(let address, let other, let rssi): "saw \(other ?? address) at \(rssi) dBm"
            case .linkState(let state): "link layer: \(state)"
            case .fault(let fault): "fault: \(fault)"
            case .message(let layer, let message): "\(layer): \(message)"
            }
        return "\(time) \(device): \(text)"
    }
}

/// What one device received of another's advertising.
public struct Sighting: Sendable, Equatable {
    /// The advertiser's address.
    public let address: String
    /// The advertiser's name, if it is a device of the world.
    public let device: String?
    /// Virtual time of the first advertisement or scan response.
    public let first: Duration
    /// Virtual time of the last one.
    public let last: Duration
    /// How many there were that the device's host was told of.
    public let count: Int
    /// Of the last one, in dBm.
    public let rssi: Int
}

extension World {
    /// What happened until now, in order.
    public var log: [WorldEvent] { driver.read { simulation in simulation.records.map { WorldEvent($0, simulation) } } }

    /// Stands for everything that happened until now, every octet between hosts and controllers included: two runs
    /// with the same value went alike.
    public var traceHash: UInt64 { driver.read { $0.hash.value } }
}

extension WorldDevice {
    /// Whose advertisements the device received, in the order of the first.
    public var sightings: [Sighting] {
        driver.read { simulation in
            simulation.sightings.all.filter { $0.observer == id }.map { sighting in
                Sighting(
                    address: sighting.address.description,
                    device: simulation.device(withAddress: sighting.address).map(simulation.name(of:)),
                    first: Duration(sighting.first), last: Duration(sighting.last), count: sighting.count,
                    rssi: Int(sighting.rssi))
            }
        }
    }

    /// Whether the device received an advertisement of the other.
    public func hasSeen(_ other: some WorldDevice) -> Bool {
        driver.read { simulation in
            simulation.sightings.sighting(of: simulation.address(of: other.id), by: id) != nil
        }
    }
}

extension WorldEvent {
    init(_ record: WorldRecord, _ simulation: Simulation) {
        time = Duration(record.time)
        device = simulation.name(of: record.device)
        switch record.kind {
        case .saw(let address, let rssi):
            let other = simulation.device(withAddress: address).map(simulation.name(of:))
            kind = .saw(address: address.description, device: other, rssi: Int(rssi))
        case .linkLayer(let state): kind = .linkState(LinkState(state))
        case .fault(let fault): kind = .fault(simulation.text(of: fault))
        case .trace(let trace): kind = .message(layer: trace.layer, trace.message)
        }
    }
}

extension Duration {
    init(_ instant: Instant) { self = .nanoseconds(instant.nanoseconds) }
}
