package import BLEWire

/// Puts the L2CAP PDUs of one link together from HCI ACL data packets.
///
/// *Role*: recombination of the receiving host. [Vol 3, Part A, 7.2.2]
///
/// *Inputs and outputs*: the data of one ACL packet and its Packet_Boundary_Flag in; a whole PDU, a fault, both or
/// neither out. Any order of fragments has a defined result: what is spoilt is the PDU that the fault is in.
///
/// *Limits*: a PDU that is longer than `limit`, or on a channel that nobody listens to, is skipped without being
/// stored.
package struct Recombiner {
    /// What is wrong with a fragment.
    package enum Fault: String, Equatable, Sendable {
        case continuationWithoutStart = "a continuation without a start"
        case startBeforeEnd = "a start before the end of the PDU before it"
        case tooMuchData = "more data than the L2CAP length says"
        case tooLong = "an L2CAP PDU longer than is taken"
        case unknownChannel = "a channel that isn't there"
        case emptyFragment = "a fragment without data"
        case boundaryFlag = "a Packet_Boundary_Flag that isn't allowed on LE"
    }

    /// A PDU that is complete.
    package struct PDU: Equatable, Sendable {
        package var channel: ChannelIdentifier
        package var payload: [UInt8]
        package init(channel: ChannelIdentifier, payload: [UInt8]) {
            self.channel = channel
            self.payload = payload
        }
    }

    /// The longest payload of each fixed channel that is taken. [Vol 3, Part A, 2.1]
    package struct Limits: Equatable, Sendable {
        package var att = 517
        package var signalling = 1024
        package var securityManager = 65
        /// A bit for each credit based channel that is open: 0x0040 is bit 0. [Vol 3, Part A, 2.1]
        package var channels: UInt64 = 0
        /// The longest K-frame that any of them takes.
        package var frame = 0
        package init() {}

        func limit(of channel: ChannelIdentifier) -> Int? {
            switch channel {
            case .att: att
            case .signalling: signalling
            case .securityManager: securityManager
            default: isOpen(channel) ? frame : nil
            }
        }

        private func isOpen(_ channel: ChannelIdentifier) -> Bool {
            guard (0x0040...0x007F).contains(channel.rawValue) else { return false }
            return channels >> UInt64(channel.rawValue - 0x0040) & 1 != 0
        }
    }

    /// Header and payload so far; empty where nothing is under way.
    private var buffer: [UInt8] = []
    /// Octets that are missing, once the header is there.
    private var missing = 0
    private enum Phase { case idle, header, payload, skipping }
    private var phase = Phase.idle
    package var limits = Limits()
    /// The credit based channel whose PDU was too long.
    private var refused: ChannelIdentifier?

    package init() {}

    /// Whether a PDU is under way.
    package var isPartial: Bool { phase != .idle }

    /// The credit based channel on which a PDU was longer than it takes; told once.
    package mutating func takeRefused() -> ChannelIdentifier? {
        defer { refused = nil }
        return refused
    }

    package mutating func receive(_ data: HCIACLData) -> (pdu: PDU?, fault: Fault?) {
        let start = data.payload.lowerBound
        let isEmpty = data.payload.isEmpty
        switch data.boundary {
        case .continuing:
            return isEmpty ? (nil, .emptyFragment) : proceed(data.packet, from: start)
        case .first, .firstFromHost:
            // The second goes only from host to controller; controllers that send it all the same mean a start.
            // [Vol 4, Part E, 5.4.2]
            let fault: Fault? = phase == .idle || phase == .skipping ? nil : .startBeforeEnd
            reset()
            if isEmpty { return (nil, fault ?? .emptyFragment) }
            let begun = begin(data.packet, from: start)
            return (begun.pdu, fault ?? begun.fault)
        default:
            return (nil, .boundaryFlag)
        }
    }

    /// The way of a PDU's first fragment, which most often is the only one.
    private mutating func begin(_ packet: [UInt8], from start: Int) -> (pdu: PDU?, fault: Fault?) {
        let count = packet.count - start
        if count >= 4 {
            let length = Int(packet[start]) | Int(packet[start + 1]) << 8
            if count == length + 4 {
                let channel = ChannelIdentifier(rawValue: UInt16(packet[start + 2]) | UInt16(packet[start + 3]) << 8)
                guard let limit = limits.limit(of: channel) else { return (nil, .unknownChannel) }
                guard length <= limit else {
                    refused = channel
                    return (nil, .tooLong)
                }
                return (PDU(channel: channel, payload: packet.copied(from: start + 4)), nil)
            }
        }
        phase = .header
        return proceed(packet, from: start)
    }

    private mutating func proceed(_ packet: [UInt8], from first: Int) -> (pdu: PDU?, fault: Fault?) {
        var start = first
        if phase == .idle { return (nil, .continuationWithoutStart) }
        if phase == .header {
            // The header itself may be cut.
            while buffer.count < 4, start < packet.count {
                buffer.append(packet[start])
                start += 1
            }
            if buffer.count < 4 { return (nil, nil) }
            missing = Int(buffer[0]) | Int(buffer[1]) << 8
            let limit = limits.limit(of: channel)
            if let limit, missing <= limit {
                phase = .payload
                buffer.reserveCapacity(missing + 4)
            } else {
                phase = .skipping
                refused = limit == nil ? nil : channel
                _ = skip(packet.count - start)
                return (nil, limit == nil ? .unknownChannel : .tooLong)
            }
        }
        let count = packet.count - start
        if phase == .skipping { return (nil, skip(count)) }
        if count > missing {
            reset()
            return (nil, .tooMuchData)
        }
        buffer.append(contentsOf: packet[start...])
        missing -= count
        if missing > 0 { return (nil, nil) }
        let pdu = PDU(channel: channel, payload: buffer.copied(from: 4))
        reset()
        return (pdu, nil)
    }

    private var channel: ChannelIdentifier {
        ChannelIdentifier(rawValue: UInt16(buffer[2]) | UInt16(buffer[3]) << 8)
    }

    /// Lets octets of a PDU pass that nobody takes.
    private mutating func skip(_ count: Int) -> Fault? {
        if count > missing {
            reset()
            return .tooMuchData
        }
        missing -= count
        if missing == 0 { reset() }
        return nil
    }

    private mutating func reset() {
        phase = .idle
        missing = 0
        buffer.removeAll(keepingCapacity: true)
    }
}

extension [UInt8] {
    /// The octets from `start` on as an array of their own, by one copy of memory: a slice goes the long way.
    fileprivate func copied(from start: Int) -> [UInt8] {
        precondition(start <= count)
        return unsafe withUnsafeBufferPointer { source in
            unsafe [UInt8](UnsafeBufferPointer(rebasing: source[start...]))
        }
    }
}
