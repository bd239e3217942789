package import BLEController
package import BLEHost
package import BLEWire

/// What a simulation tells the one who runs it, in order.
package enum SimulationOutput: Equatable, Sendable {
    /// A packet for a host that lives outside: H4 indicator first.
    case packet(DeviceID, [UInt8])
    /// The deadline that was set for a host outside has come.
    case hostDeadline(DeviceID)
    /// What a host inside tells its user.
    case event(DeviceID, HostEvent)
    case trace(DeviceID, TraceEvent)
    /// Something scheduled is due.
    case action(ActionID)
    /// For a host outside: its transport is gone, or there again.
    case transportClosed(DeviceID, reason: String)
    case transportOpened(DeviceID)
    /// For a host outside: the user switched Bluetooth on or off.
    case power(DeviceID, Bool)
    /// Something that the program of a light peripheral has to know or to answer.
    case peripheral(DeviceID, LightPeripheralEvent)
    /// A packet on the air, where the radio's settings ask for it.
    case air(AirPacket)
    /// The keys of a link from now on, where the radio's settings ask for them.
    case keys(SessionKeys)
    /// A packet between host and controller, for a capture; only of devices that are captured.
    case captured(DeviceID, CaptureDirection, [UInt8])
}

/// Which way a packet went between host and controller.
package enum CaptureDirection: Sendable { case toController, toHost }
