import BLEController
import BLEWire

// Faults as a person reads them in a log.
extension Simulation {
    package func text(of fault: Fault) -> String {
        let other = name(of: fault.otherDevice)
        return switch fault {
        case .loss(_, _, let share): "loses \(Self.percent(share)) of the packets to and from \(other)"
        case .rssi(_, _, let rssi?): "\(rssi) dBm to and from \(other)"
        case .rssi(_, _, nil): "strength to and from \(other) by their places"
        case .outOfRange(_, _, true): "out of range of \(other)"
        case .outOfRange(_, _, false): "in range of \(other) again"
        case .position(_, let place): "moved to (\(place.x), \(place.y), \(place.z))"
        case .power(_, let isOn): isOn ? "switched on" : "switched off"
        case .resetController(_, let delay): "controller reset, back in \(delay.milliseconds) ms"
        case .closeTransport(_, let reason): "transport closed: \(reason)"
        case .openTransport: "transport open again"
        case .stall(_, let delay): "nothing passes for \(delay.milliseconds) ms"
        }
    }

    private static func percent(_ share: Double) -> String { "\((share * 1000).rounded() / 10) %" }
}
