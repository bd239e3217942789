import BLEWire

/// A controller's attempt to make a link. [Vol 6, Part B, 4.4.4]
struct Initiator: Sendable {
    var parameters = LECreateConnection()
    var isEnabled = false
    var window = ListeningWindow()

    mutating func reset() {
        var window = window
        window.stop()
        self = Initiator()
        self.window = window
    }
}
