internal import BLEBackend
internal import BLERuntime
internal import BLEWire

/// Which Bluetooth device a manager attaches to when it is made.
enum CurrentDevice {
    /// The device of the world whose code is running; nil where there is none.
    static func find() -> Device? { Device.attached }

    /// Whether the rights to the adapter are missing, as far as is known. [contract 14]
    static var isUnauthorized: Bool { find()?.backend.adapterState == .unauthorized }

    /// Said once for each manager without a device: it will report `.unsupported`. [contract 14]
    static func reportMissing() {
        Diagnostics.log(.error, "api", "No Bluetooth device: the manager's state will be unsupported.")
    }
}
