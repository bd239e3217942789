import BLEWire

/// A controller's attempt to make a link. [Vol 6, Part B, 4.4.4]
struct Initiator: Sendable {
    /// Whom to connect to, and how on 1M or where nothing else is said.
    var parameters = LECreateConnection()
    /// How on other PHYs. [Vol 4, Part E, 7.8.66]
    var parametersOn2M: LECreateConnection?
    var parametersOnCoded: LECreateConnection?
    /// Whether the extended command began it.
    var isExtended = false
    var isEnabled = false
    var window = ListeningWindow()
    /// Whether it listens on 1M, as all do that don't say otherwise.
    var listensOn1M = true

    /// The legacy command knows 1M only.
    mutating func use(_ command: LECreateConnection) {
        parameters = command
        parametersOn2M = nil
        parametersOnCoded = nil
        listensOn1M = true
        isExtended = false
    }

    mutating func begin() {
        typealias Times = ListeningWindow.Times
        window.stop()
        window.configure(
            on1M: listensOn1M ? Times(interval: parameters.scanInterval, window: parameters.scanWindow) : nil,
            onCoded: parametersOnCoded.map { Times(interval: $0.scanInterval, window: $0.scanWindow) })
        isEnabled = true
    }

    func parameters(on phy: PHYSet) -> LECreateConnection {
        switch phy {
        case .le2M: parametersOn2M ?? parameters
        case .leCoded: parametersOnCoded ?? parameters
        default: parameters
        }
    }

    mutating func reset() {
        var window = window
        window.stop()
        self = Initiator()
        self.window = window
    }
}
