import BLEWire
import Dispatch

/// A virtual radio that other programs join over sockets: each connection is a controller on its air, spoken to in H4.
///
/// *Role*: the server of [architecture 6], in a process of its own (`ravning radio`) or in the first program that needs
/// the radio. Foreign hosts can join as well: one that doesn't say who it is has an address by its turn.
///
/// *Threading*: everything happens on one queue; the methods may be called from any thread but that.
///
/// *Limits*: a host that reads nothing loses advertising reports first and then its own connection; octets that aren't
/// H4 cost the connection they came over. Other hosts notice nothing.
package final class HostedRadio: Sendable {
    package let settings: HostedRadioSettings
    private let bound: QueueBound<RadioServer>

    /// - Parameter tap: sees every packet on the air, if `settings.radio.capturesAir` is set.
    package init(_ settings: HostedRadioSettings, tap: (any AirTap)? = nil) {
        self.settings = settings
        let queue = DispatchQueue(label: "ravning.radio", qos: .userInitiated)
        bound = QueueBound(RadioServer(settings: settings, queue: queue, tap: tap), on: queue)
        queue.async { [bound] in bound.value.start(bound) }
    }

    /// Takes connections from a listening socket from now on; a unix socket's only from the user that runs this.
    package func accept(from listener: Int32, isUnix: Bool) {
        bound.queue.async { [bound] in bound.value.listen(listener, isUnix: isUnix) }
    }

    /// Takes a connection that is there already.
    package func join(_ descriptor: Int32) {
        bound.queue.async { [bound] in bound.value.join(descriptor) }
    }

    /// Hosts on the radio at the moment.
    package var hostCount: Int { bound.queue.sync { bound.value.hostCount } }

    /// Advertising reports that hosts didn't get since they were slow to read.
    package var droppedReports: Int { bound.queue.sync { bound.value.droppedReports } }

    /// Wall time that was taken out because the process stalled.
    package var slippedMilliseconds: Double { bound.queue.sync { bound.value.pace.slipped.milliseconds } }

    /// Closes everything, for good. A radio is to be stopped before it's let go.
    package func stop() { bound.queue.sync { bound.value.stop() } }
}
