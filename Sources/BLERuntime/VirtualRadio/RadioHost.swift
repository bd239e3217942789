import BLEController
package import BLETransport

/// A radio that this process hosts for the programs of its user: server, socket, and the lock that says so.
package final class RadioHost: Sendable {
    package let radio: HostedRadio
    package let path: String
    private let lock: FileLock

    private init(radio: HostedRadio, path: String, lock: FileLock) {
        self.radio = radio
        self.path = path
        self.lock = lock
    }

    /// Hosts the radio; nil where another process does.
    ///
    /// Who has the lock hosts. A socket that an earlier host has left behind is replaced by one that takes connections
    /// already, so that nobody finds it half made.
    /// - Parameters:
    ///   - capture: a file for the air.
    ///   - keys: a file for the keys of encrypted links; only with `capture`.
    package static func start(
        _ settings: HostedRadioSettings, in directory: RuntimeDirectory, capture: String? = nil, keys: String? = nil
    ) throws(TransportError) -> RadioHost? {
        let lock: FileLock
        switch FileLock.attempt(directory.lock(of: settings.name)) {
        case .taken(let taken): lock = taken
        case .held: return nil
        case .failed(let code):
            throw TransportError(
                .unsupported, layer: "virtual:\(settings.name.text)",
                cause: "\(directory.path) can't be written: \(systemMessage(code))",
                remedy: "set XDG_RUNTIME_DIR to a folder of yours with mode 0700")
        }
        var settings = settings
        var tap: AirCaptureFile?
        if let capture {
            settings.radio.capturesAir = true
            settings.radio.exportsKeys = keys != nil
            tap = try AirCaptureFile(path: capture, keys: keys)
        }
        let path = directory.socket(of: settings.name)
        let listener = try listenUnixSocket(path)
        let radio = HostedRadio(settings, tap: tap)
        radio.accept(from: listener, isUnix: true)
        return RadioHost(radio: radio, path: path, lock: lock)
    }

    /// Ends the radio: everybody's connection to it closes.
    package func stop() { radio.stop() }
}
