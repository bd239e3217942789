/// Carries HCI packets between a host and a controller: H4-framed octets, indicator first. [Vol 4, Part A, 2]
///
/// *Role*: one of the two seams of the stack. A transport is passive: it owns a non-blocking descriptor, and whoever
/// drives it waits for the descriptor and calls.
///
/// *Inputs and outputs*: `receive` drains the descriptor to its end and appends whole packets; `send` takes all packets
/// of one drain and hands them to the kernel in one system call. What doesn't fit waits inside; then `wantsWrite` is
/// true and `flush` is to be called when the descriptor can be written.
///
/// *Threading*: used by one driver at a time.
package protocol HCITransport: AnyObject {
    /// What to wait for.
    var descriptor: Int32 { get }
    /// Octets wait for room at the descriptor.
    var wantsWrite: Bool { get }
    /// Reads until nothing is left, and appends the packets that are whole.
    func receive(into packets: inout [[UInt8]]) -> TransportStatus
    /// Sends packets in one system call, behind what waits.
    func send(_ packets: [[UInt8]]) -> TransportStatus
    /// Goes on with what waits.
    func flush() -> TransportStatus
    /// Closes the descriptor. Nothing may be waiting on it any more.
    func close()
}

/// How a transport is after a call.
package enum TransportStatus: Equatable, Sendable {
    case open
    /// There is more to read, but others should have their turn first: the descriptor stays readable.
    case more
    /// Gone, with the reason for a person. Packets delivered before still count; after `send` or `flush` said so, a last
    /// `receive` gives what the other side wrote before it closed.
    case closed(reason: String)
}
