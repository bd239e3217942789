/// Names a device of a simulation; the same through resets of its controller.
package struct DeviceID: Hashable, Comparable, Sendable {
    package var rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Names something scheduled by the user of a simulation.
package struct ActionID: Hashable, Comparable, Sendable {
    package var rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
