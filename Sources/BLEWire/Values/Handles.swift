/// Names a link between host and controller. [Vol 4, Part E, 5.3.1]
package struct ConnectionHandle: WireCode, Comparable, CustomStringConvertible {
    package var rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }
    /// The highest one that may be assigned.
    package static let last = ConnectionHandle(rawValue: 0x0EFF)
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    package var description: String { Hex.prefixed(rawValue) }
}

/// Names an attribute on a server; 0 is no handle. [Vol 3, Part F, 3.2.2]
package struct AttributeHandle: WireCode, Comparable, CustomStringConvertible, ExpressibleByIntegerLiteral {
    package var rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }
    package init(integerLiteral value: UInt16) { rawValue = value }
    package static let none: AttributeHandle = 0x0000
    package static let first: AttributeHandle = 0x0001
    package static let last: AttributeHandle = 0xFFFF
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    package var description: String { Hex.prefixed(rawValue) }
}

/// A channel of an L2CAP link. [Vol 3, Part A, 2.1]
package struct ChannelIdentifier: WireCode, CustomStringConvertible {
    package var rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }
    package static let att = ChannelIdentifier(rawValue: 0x0004)
    package static let signalling = ChannelIdentifier(rawValue: 0x0005)
    package static let securityManager = ChannelIdentifier(rawValue: 0x0006)
    package var description: String { Hex.prefixed(rawValue) }
}
