import BLEBackend
import BLEHost
import BLEWire

/// Names a channel within a backend for ever; the host's identifiers of a link come again.
package struct ChannelNumber: Hashable, Comparable, Sendable {
    package var rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The L2CAP channels of a backend, and what peers may open channels to.
struct ChannelTable {
    /// A channel that is open.
    struct Channel {
        let pipe: ChannelPipe
        let link: ConnectionHandle
        /// Our end of it, on the link.
        let identifier: ChannelIdentifier
        let psm: UInt16
        /// Who opened it, or has published what it leads to.
        let session: SessionID
        let isAccepted: Bool
        /// Octets of the longest SDU that the peer takes.
        var mtu: Int
        /// Octets that the host has and that haven't left for the controller.
        var unsent = 0
        /// The host was asked to end it.
        var isEnding = false
    }
    /// A channel that the host was asked to open.
    struct Opening {
        let peer: PeerID
        let psm: UInt16
        let session: SessionID
        /// The link was made as secure as can be for it: what is refused now stays so.
        var isSecured = false
    }

    private(set) var open: SortedTable<ChannelNumber, Channel> = .init()
    /// Whose a PSM is.
    var published: SortedTable<UInt16, SessionID> = .init()
    /// Looked up by token only, never walked.
    var openings: [OperationToken: Opening] = [:]
    /// Openings that wait for the security of their link, in their order.
    var insecure: [(link: ConnectionHandle, opening: Opening)] = []
    private var last: UInt64 = 0

    mutating func nextNumber() -> ChannelNumber {
        last += 1
        return ChannelNumber(rawValue: last)
    }

    subscript(number: ChannelNumber) -> Channel? {
        get { open[number] }
        set { open[number] = newValue }
    }

    mutating func update(_ number: ChannelNumber, _ change: (inout Channel) -> Void) { open.update(number, change) }

    /// The channel that the host knows by this name.
    func number(of identifier: ChannelIdentifier, on link: ConnectionHandle) -> ChannelNumber? {
        open.entries.first { $0.value.identifier == identifier && $0.value.link == link }?.key
    }

    /// Channels that match, in the order in which they were opened.
    func numbers(where matches: (Channel) -> Bool) -> [ChannelNumber] {
        open.entries.filter { matches($0.value) }.map(\.key)
    }

    /// PSMs that the system may choose [Vol 3, Part A, 4.22], in the order in which it tries them. [contract 117]
    private static let dynamic = Array(UInt16(0xC1)...0xFF) + Array(UInt16(0x80)...0xC0)

    var freePSM: UInt16? { Self.dynamic.first { published[$0] == nil } }
}
