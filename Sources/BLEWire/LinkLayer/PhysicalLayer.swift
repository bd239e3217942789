/// A physical layer of LE with its coding, as packets on the air use it. [Vol 6, Part A, 1]
package enum PhysicalLayer: UInt8, Sendable, CaseIterable {
    case le1M
    case le2M
    /// LE Coded with eight symbols a bit (125 kbit/s).
    case codedS8
    /// LE Coded with two symbols a bit (500 kbit/s).
    case codedS2
}
