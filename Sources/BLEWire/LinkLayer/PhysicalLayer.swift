/// A physical layer of LE with its coding, as packets on the air use it. [Vol 6, Part A, 1]
package enum PhysicalLayer: UInt8, Sendable, CaseIterable {
    case le1M
    case le2M
    /// LE Coded with eight symbols a bit (125 kbit/s).
    case codedS8
    /// LE Coded with two symbols a bit (500 kbit/s).
    case codedS2

    package var isCoded: Bool { self == .codedS8 || self == .codedS2 }

    /// The bit of this PHY in a PHY field of a link layer PDU.
    package var mask: PHYSet {
        switch self {
        case .le1M: .le1M
        case .le2M: .le2M
        case .codedS8, .codedS2: .leCoded
        }
    }
}

/// PHYs as a bit field. [Vol 6, Part B, 2.4.2.22]
package struct PHYSet: WireCode, OptionSet {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let le1M = PHYSet(rawValue: 1 << 0)
    package static let le2M = PHYSet(rawValue: 1 << 1)
    package static let leCoded = PHYSet(rawValue: 1 << 2)

    /// Whether exactly one PHY that exists is named.
    package var isSingle: Bool { self == .le1M || self == .le2M || self == .leCoded }
}
