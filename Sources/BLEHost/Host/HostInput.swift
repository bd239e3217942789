package import BLEWire

/// What happens to a host machine.
package enum HostInput: Equatable, Sendable {
    /// A packet from the controller: H4 indicator first. [Vol 4, Part A, 2]
    case packet([UInt8])
    case command(HostCommand)
    /// Time has come to `nextDeadline`.
    case timerFired
    /// The transport is gone; nothing can be sent until `transportOpened`.
    case transportClosed(reason: String)
    case transportOpened
}

/// What a host machine wants done, in order.
package enum HostOutput: Equatable, Sendable {
    /// A packet for the controller: H4 indicator first.
    case send([UInt8])
    case event(HostEvent)
    case trace(TraceEvent)
}

/// Names an operation of the user of a host until its result has come; chosen by the user.
package struct OperationToken: Hashable, Sendable {
    package var rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }
}
