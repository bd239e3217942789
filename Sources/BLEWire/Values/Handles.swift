/// Names a link between host and controller. [Vol 4, Part E, 5.3.1]
package struct ConnectionHandle: WireCode, Comparable, CustomStringConvertible {
    package var rawValue: UInt16
    @inlinable package init(rawValue: UInt16) { self.rawValue = rawValue }
    @inlinable package static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }
    /// The highest one that may be assigned.
    @inlinable package static var last: ConnectionHandle { ConnectionHandle(rawValue: 0x0EFF) }
    @inlinable package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    package var description: String { Hex.prefixed(rawValue) }
}

/// Names an attribute on a server; 0 is no handle. [Vol 3, Part F, 3.2.2]
package struct AttributeHandle: WireCode, Comparable, CustomStringConvertible, ExpressibleByIntegerLiteral {
    package var rawValue: UInt16
    @inlinable package init(rawValue: UInt16) { self.rawValue = rawValue }
    @inlinable package static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }
    @inlinable package init(integerLiteral value: UInt16) { rawValue = value }
    @inlinable package static var none: AttributeHandle { AttributeHandle(rawValue: 0x0000) }
    @inlinable package static var first: AttributeHandle { AttributeHandle(rawValue: 0x0001) }
    @inlinable package static var last: AttributeHandle { AttributeHandle(rawValue: 0xFFFF) }
    @inlinable package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    package var description: String { Hex.prefixed(rawValue) }
}

/// A channel of an L2CAP link. [Vol 3, Part A, 2.1]
package struct ChannelIdentifier: WireCode, CustomStringConvertible {
    package var rawValue: UInt16
    @inlinable package init(rawValue: UInt16) { self.rawValue = rawValue }
    @inlinable package static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }
    @inlinable package static var att: ChannelIdentifier { ChannelIdentifier(rawValue: 0x0004) }
    @inlinable package static var signalling: ChannelIdentifier { ChannelIdentifier(rawValue: 0x0005) }
    @inlinable package static var securityManager: ChannelIdentifier { ChannelIdentifier(rawValue: 0x0006) }
    package var description: String { Hex.prefixed(rawValue) }
}
