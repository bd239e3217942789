import BLETransport
import BLEWire
import Glibc

/// A virtual radio that other programs join over sockets: each connection is a controller on its air, spoken to in H4.
///
/// *Role*: the server of [architecture 6], in a process of its own (`ravning radio`) or in the first program that needs
/// the radio. Foreign hosts can join as well: one that doesn't say who it is has an address by its turn.
///
/// *Threading*: everything happens on one thread; the methods may be called from any other.
///
/// *Limits*: a host that reads nothing loses advertising reports first and then its own connection; octets that aren't
/// H4 cost the connection they came over. Other hosts notice nothing.
package final class HostedRadio: Sendable {
    package let settings: HostedRadioSettings
    private let loop: EventLoop<RadioServer>

    /// - Parameter tap: sees every packet on the air, if `settings.radio.capturesAir` is set.
    package init(_ settings: HostedRadioSettings, tap: (any AirTap)? = nil) {
        self.settings = settings
        let clock = MonotonicClock()
        loop = EventLoop(
            name: "ravning radio", clock: clock, client: RadioServer(settings: settings, clock: clock, tap: tap))
    }

    /// Takes connections from a listening socket from now on; a unix socket's only from the user that runs this.
    /// - Parameter device: who joins there is this device, unless it says otherwise.
    package func accept(from listener: Int32, isUnix: Bool, as device: RadioName? = nil) {
        loop.perform { server in server.listen(listener, isUnix: isUnix, as: device) }
    }

    /// Places devices and loses packets as the setup says; its doors are the caller's to open.
    package func follow(_ setup: RadioSetup) {
        loop.perform { server in server.follow(setup) }
    }

    package func perform(_ order: RadioOrder) {
        loop.perform { server in server.perform(order) }
    }

    /// Takes a connection that is there already.
    package func join(_ descriptor: Int32, as device: RadioName? = nil) {
        if !loop.perform({ server in server.join(descriptor, as: device) }) { close(descriptor) }
    }

    /// Hosts on the radio at the moment.
    package var hostCount: Int { loop.result { $0.hostCount } ?? 0 }

    /// Advertising reports that hosts didn't get since they were slow to read.
    package var droppedReports: Int { loop.result { $0.droppedReports } ?? 0 }

    /// Wall time that was taken out because the process stalled.
    package var slippedMilliseconds: Double { loop.result { $0.pace.slipped.milliseconds } ?? 0 }

    /// Closes everything, for good. A radio is to be stopped before it's let go.
    package func stop() { loop.stop() }
}
