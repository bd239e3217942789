public import CCoreBluetooth
public import Foundation

/// How a channel sounding session is to be held. [contract 1.4]
open class CBChannelSoundingSessionConfiguration: NSObject, @unchecked Sendable {
    /// Which side of the procedure the device takes. [Vol 1, Part A, 9]
    public typealias Role = __CBChannelSoundingRole

    /// Which side this device takes.
    open var role: CBChannelSoundingSessionConfiguration.Role { storedRole }
    private let storedRole: Role

    /// A configuration in which this device takes the role.
    public init(role: CBChannelSoundingSessionConfiguration.Role) {
        storedRole = role
        super.init()
    }
}

/// What a channel sounding procedure measured. No controller that runs here measures, so none is ever made.
/// [contract 1.4]
open class CBChannelSoundingProcedureResults: NSObject, @unchecked Sendable {
    /// The distance in metres.
    open var distance: Double { storedDistance }
    private let storedDistance: Double

    init(distance: Double) {
        storedDistance = distance
        super.init()
    }
}

extension CBPeripheral {
    /// Answered as on hardware that can't measure: the session ends at once, with `.operationNotSupported`.
    func refuseChannelSounding() {
        guard isReady else { return }
        answer(
            "peripheral(_:didCompleteChannelSoundingSession:)", FrameworkError.make(CBError.Code.operationNotSupported)
        ) { $0.peripheral($1, didCompleteChannelSoundingSession: $2) }
    }
}
