/// Something worth telling a person who looks for a fault; an output of the machines like any other.
package struct TraceEvent: Equatable, Sendable {
    /// Names and order as in swift-log.
    package enum Level: Int, Comparable, Sendable {
        case trace, debug, info, notice, warning, error, critical
        package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }
    package var level: Level
    /// The layer that speaks: `hci`, `l2cap`, `att`, `gatt`, `smp`, `gap`, `ll`, `transport`, `api`.
    package var layer: String
    package var message: String

    package init(_ level: Level, _ layer: String, _ message: String) {
        self.level = level
        self.layer = layer
        self.message = message
    }
}
