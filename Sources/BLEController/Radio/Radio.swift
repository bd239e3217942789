package import BLEWire

/// Names a controller on a radio.
package struct ControllerID: Hashable, Comparable, Sendable {
    package var rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// What a radio wants done, in order.
package enum RadioOutput: Equatable, Sendable {
    /// A packet for the host of a controller: H4 indicator first.
    case packet(ControllerID, [UInt8])
    case trace(ControllerID, TraceEvent)
}
