package import BLEWire
import Glibc

/// HCI over a byte stream with H4 framing: a unix or TCP socket, or a serial line. [Vol 4, Part A]
///
/// *Limits*: octets that the other side doesn't read wait in memory up to `outputLimit`; past it the transport closes,
/// so that a side that never reads loses its own connection and nothing else.
package final class StreamTransport: HCITransport {
    package let descriptor: Int32
    private var reader = DescriptorReader()
    private var deframer: H4Deframer
    private var output: OutputBuffer
    private let outputLimit: Int
    private let medium: Medium
    private var isClosed = false

    /// What carries the octets.
    package enum Medium: Sendable {
        case socket
        /// A terminal device: octets of earlier traffic may be on it and others may get lost, so reading begins at the
        /// answer to each reset.
        case serial
    }

    /// Takes over a connected descriptor. `side` is ours.
    package init(
        descriptor: Int32, _ medium: Medium = .socket, side: H4Deframer.Side = .host, outputLimit: Int = 1 << 22
    ) {
        makeNonBlocking(descriptor)
        deframer = H4Deframer(side: side, startsSynchronised: medium == .socket)
        self.descriptor = descriptor
        self.output = OutputBuffer(isSocket: medium == .socket)
        self.outputLimit = outputLimit
        self.medium = medium
    }

    deinit { close() }

    private static let reset = HCIReset().packet()

    package var wantsWrite: Bool { output.count > 0 }
    /// Octets that the other side hasn't taken yet.
    package var waitingCount: Int { output.count }

    package func receive(into packets: inout [[UInt8]]) -> TransportStatus {
        guard !isClosed else { return .closed(reason: "closed on this side") }
        var lost: UInt8?
        let end = reader.drain(descriptor) { span in
            deframer.feed(span)
            while lost == nil, let found = deframer.next() {
                switch found {
                case .packet(let packet): packets.append(packet)
                case .synchronisationLost(let indicator): lost = indicator
                case .synchronised: break
                }
            }
        }
        // There is no way back but a reset, and with it everything begins anew. [Vol 4, Part A, 4]
        if let lost { return .closed(reason: "\(Hex.prefixed(lost)) came where an H4 packet indicator belongs") }
        switch end {
        case .empty: return .open
        case .limit: return .more
        case .closed:
            let rest = deframer.pending
            return .closed(
                reason: rest == 0 ? "the other side closed" : "the other side closed \(rest) octets into a packet")
        case .failed(let code): return .closed(reason: systemMessage(code))
        }
    }

    package func send(_ packets: [[UInt8]]) -> TransportStatus {
        let wasWaiting = output.count > 0
        for packet in packets {
            output.append(packet)
            // An octet lost on the line can leave the reader in the middle of a packet that never ends; the host, which
            // hears nothing any more, resets the controller. [Vol 4, Part A, 4]
            if medium == .serial, packet == Self.reset { deframer.resynchronise() }
        }
        if output.count > outputLimit {
            return .closed(reason: "the other side has left \(output.count) octets unread")
        }
        // While octets wait, the driver calls `flush` when there is room: an attempt now would fail.
        return wasWaiting ? .open : flush()
    }

    package func flush() -> TransportStatus {
        guard !isClosed else { return .closed(reason: "closed on this side") }
        switch output.flush(to: descriptor) {
        case .done, .blocked: return .open
        case .closed: return .closed(reason: "the other side closed")
        case .failed(let code): return .closed(reason: systemMessage(code))
        }
    }

    package func close() {
        if isClosed { return }
        isClosed = true
        _ = Glibc.close(descriptor)
    }
}
