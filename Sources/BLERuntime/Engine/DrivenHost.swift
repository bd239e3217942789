package import BLEWire

/// What an engine drives: a host that takes packets and time and gives packets. `HostBackend` is one.
///
/// *Threading*: one call at a time.
package protocol DrivenHost: AnyObject, Sendable {
    /// When `drain` is due even if nothing comes in.
    var nextDeadline: Instant? { get }
    /// Carries out what callers have asked for, and the timers that are due.
    func drain(at now: Instant, into packets: inout [[UInt8]])
    /// Packets came from the controller, in one drain of the transport.
    func receive(_ received: [[UInt8]], at now: Instant, into packets: inout [[UInt8]])
    func transportClosed(reason: String, at now: Instant, into packets: inout [[UInt8]])
    func transportOpened(at now: Instant, into packets: inout [[UInt8]])
    /// There is no transport, and why; `transportOpened` takes it back.
    func transportFailed(_ failure: TransportFailure, at now: Instant, into packets: inout [[UInt8]])
}

/// Why there is no transport, in the terms of `CBManagerState`.
package enum TransportFailure: Equatable, Sendable {
    case unauthorized
    case unsupported
}
