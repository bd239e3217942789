/// Finds packets in a stream of octets.
///
/// *Role*: the receiving half of the UART transport [Vol 4, Part A, 2], for a host or for a controller, over a UART,
/// a socket or anything else that keeps order and has no frames.
///
/// *Inputs and outputs*: `feed` takes octets as they come, cut anywhere; `next` gives whole packets, indicator first.
/// An indicator that doesn't exist means that the two sides have lost synchronisation: `next` says so once, and then
/// skips until a reset shows where a packet begins, as [Vol 4, Part A, 4] wants it: a controller looks for
/// HCI_Reset, a host for its Command Complete.
///
/// *Limits*: holds one packet at most beyond what was fed last: 65,540 octets.
package struct H4Deframer: Sendable {
    /// Whose receiver it is.
    package enum Side: Sendable { case host, controller }

    /// What was found.
    package enum Output: Equatable, Sendable {
        /// A whole packet with its indicator.
        case packet([UInt8])
        /// The octet where an indicator should be is none. What follows is skipped up to a reset.
        case synchronisationLost(indicator: UInt8)
        /// A reset was found; so many octets were skipped.
        case synchronised(skipped: Int)
    }

    private let side: Side
    private var buffer: [UInt8] = []
    /// Where in `buffer` what is unread begins.
    private var start = 0
    private var isSynchronised = true
    private var skipped = 0

    /// - Parameter startsSynchronised: false where octets of earlier traffic may come first, as on a serial line:
    ///   everything before the first reset is skipped.
    package init(side: Side, startsSynchronised: Bool = true) {
        self.side = side
        isSynchronised = startsSynchronised
    }

    /// Octets that belong to a packet which isn't complete; 0 at the end of a stream that was cut between packets.
    package var pending: Int { buffer.count - start }

    /// Takes octets as they came. Not generic: calls from other modules would not be specialised.
    package mutating func feed(_ octets: [UInt8]) {
        feed(octets[...])
    }

    package mutating func feed(_ octets: ArraySlice<UInt8>) {
        dropWhatWasRead()
        buffer.append(contentsOf: octets)
    }

    /// The same without a generic call, for the transports.
    package mutating func feed(_ span: RawSpan) {
        dropWhatWasRead()
        unsafe span.withUnsafeBytes { unsafe buffer.append(contentsOf: $0) }
    }

    /// Skips everything before the next reset, a packet that has begun too.
    package mutating func resynchronise() {
        isSynchronised = false
        skipped = 0
    }

    private mutating func dropWhatWasRead() {
        if start == buffer.count {
            buffer.removeAll(keepingCapacity: true)
            start = 0
        } else if start > 4096 {
            buffer.removeFirst(start)
            start = 0
        }
    }

    /// The next packet or finding; nil where more octets are needed.
    package mutating func next() -> Output? {
        guard isSynchronised else { return synchronise() }
        guard start < buffer.count else { return nil }
        guard let header = Self.header(of: buffer[start]) else {
            resynchronise()
            return .synchronisationLost(indicator: buffer[start])
        }
        guard let length = header.packetLength(buffer, from: start), start + length <= buffer.count else { return nil }
        let packet = Array(buffer[start..<start + length])
        start += length
        return .packet(packet)
    }

    /// How long the packet is that begins with the octets' first one, its indicator; nil where its header isn't whole, or
    /// there is no such indicator.
    static func packetLength(_ octets: [UInt8]) -> Int? {
        octets.first.flatMap(header)?.packetLength(octets, from: 0)
    }

    /// The form of a packet's header behind the indicator. [Vol 4, Part E, 5.4]
    private struct Header {
        var length: Int
        /// Counted from the indicator.
        var lengthOffset: Int
        /// Whether the length has two octets.
        var isLong: Bool
        var highMask = 0xFF00

        /// The packet's length with its indicator; nil where the header isn't whole.
        func packetLength(_ buffer: [UInt8], from start: Int) -> Int? {
            guard buffer.count - start > length else { return nil }
            let low = Int(buffer[start + lengthOffset])
            let high = isLong ? Int(buffer[start + lengthOffset + 1]) : 0
            return 1 + length + (low | (high << 8) & highMask)
        }
    }

    private static func header(of indicator: UInt8) -> Header? {
        switch H4Indicator(rawValue: indicator) {
        case .command: Header(length: 3, lengthOffset: 3, isLong: false)
        case .aclData: Header(length: 4, lengthOffset: 3, isLong: true)
        case .synchronousData: Header(length: 3, lengthOffset: 3, isLong: false)
        case .event: Header(length: 2, lengthOffset: 2, isLong: false)
        // 14 bits of length. [Vol 4, Part E, 5.4.5]
        case .isoData: Header(length: 4, lengthOffset: 3, isLong: true, highMask: 0x3F00)
        default: nil
        }
    }

    /// Looks for the pattern of a reset. [Vol 4, Part A, 4]
    private mutating func synchronise() -> Output? {
        let width = side == .controller ? 4 : 7
        while buffer.count - start >= width {
            if isReset(at: start) {
                isSynchronised = true
                return .synchronised(skipped: skipped)
            }
            start += 1
            skipped += 1
        }
        return nil
    }

    private func isReset(at index: Int) -> Bool {
        let reset = HCIOpcode.reset.rawValue
        let low = UInt8(truncatingIfNeeded: reset)
        let high = UInt8(truncatingIfNeeded: reset >> 8)
        switch side {
        case .controller:
            return buffer[index] == H4Indicator.command.rawValue && buffer[index + 1] == low
                && buffer[index + 2] == high && buffer[index + 3] == 0
        case .host:
            // Between length and opcode stands the number of commands allowed, which may be anything.
            return buffer[index] == H4Indicator.event.rawValue
                && buffer[index + 1] == HCIEventCode.commandComplete.rawValue && buffer[index + 2] == 4
                && buffer[index + 4] == low && buffer[index + 5] == high
        }
    }
}
