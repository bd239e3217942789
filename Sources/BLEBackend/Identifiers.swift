import BLEWire

/// Names a remote device on this host: stable between runs, unrelated to the address. [contract 35]
/// The facade shows it as a `UUID`.
package struct PeerID: Hashable, Sendable, CustomStringConvertible {
    /// The UUID's 128 bits; the most significant octet is the one that is printed first.
    package var bits: UInt128
    package init(bits: UInt128) { self.bits = bits }
    package var description: String { BluetoothUUID(full: bits).description }
}

/// Names one manager's session with a backend. Every `CBCentralManager` and `CBPeripheralManager` has its own.
package struct SessionID: Hashable, Sendable {
    package var rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// What a session is for.
package enum SessionRole: Sendable { case central, peripheral }

/// Names a published attribute (service, characteristic or descriptor) of a session; chosen by the facade,
/// unique within the process.
package struct LocalAttributeID: Hashable, Sendable {
    package var rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Names a read or write request of a remote central until it is answered.
package struct RequestID: Hashable, Sendable {
    package var rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// The state of the adapter. Raw values are `CBManagerState`'s.
package enum AdapterState: Int, Sendable {
    case unknown = 0, resetting, unsupported, unauthorized, poweredOff, poweredOn
}

// Orders, so that tables keyed by these can be walked in the same order in every process.
extension PeerID: Comparable {
    package static func < (left: Self, right: Self) -> Bool { left.bits < right.bits }
}
extension SessionID: Comparable {
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
extension LocalAttributeID: Comparable {
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
extension RequestID: Comparable {
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
