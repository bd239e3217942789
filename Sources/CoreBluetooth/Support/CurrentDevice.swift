internal import BLEBackend
internal import BLERuntime
internal import BLEWire

/// Which Bluetooth device a manager attaches to when it is made.
enum CurrentDevice {
    /// The device of the world whose code is running, else the process's.
    static func find() -> Device { Device.attached ?? Device.process }

    /// Whether the rights to the adapter are missing, as far as is known; asking opens no radio. [contract 14, 15]
    static var isUnauthorized: Bool {
        (Device.attached ?? Device.existingProcess)?.backend.adapterState == .unauthorized
    }
}
