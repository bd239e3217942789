package import BLEWire

/// A Bluetooth host of one controller.
///
/// *Role*: the host of [Vol 1, Part A, 2]: GAP, GATT, ATT and L2CAP on the links of one controller, by HCI.
///
/// *Inputs and outputs*: `HostInput` in, `HostOutput` out, in order; `nextDeadline` says when `.timerFired` is due.
/// Packets are H4-framed octets. The machine knows no clock and no descriptor; whoever drives it hands in the time.
///
/// *Limits*: a value, used by one thread of control at a time. When the state leaves `.poweredOn`, every wish is
/// dropped: links and pending connections end with their error, scan and advertising end silently; the database stays.
/// Pairing isn't there yet: a peer that asks for it is told Pairing Not Supported. [Vol 3, Part H, 3.5.5]
package struct HostMachine {
    package let configuration: HostConfiguration
    var random: any RandomNumberGenerator & Sendable
    /// The state that was told last.
    package internal(set) var state = HostState.unknown

    package init(configuration: HostConfiguration, random: any RandomNumberGenerator & Sendable) {
        self.configuration = configuration
        self.random = random
    }

    /// When the next `.timerFired` is due.
    package var nextDeadline: Instant? { nil }

    package mutating func handle(_ input: HostInput, at now: Instant, into out: inout [HostOutput]) {
        _ = (input, now, out)
    }
}
