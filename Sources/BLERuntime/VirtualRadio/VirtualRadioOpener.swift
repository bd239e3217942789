import BLEBackend
package import BLETransport
import BLEWire
import Glibc
import Synchronization

/// Joins a virtual radio as a device; hosts the radio in this process where nobody else does.
///
/// *Role*: the transport of `RAVNING_ADAPTER=virtual`. [architecture 6]
///
/// *Threading*: `open` waits for the radio's answer, so it's called where waiting is allowed.
package final class VirtualRadioOpener: TransportOpener {
    private let radio: RadioName
    private let directory: RuntimeDirectory
    private let identity: DeviceIdentity
    private let hosting: HostedRadioSettings?
    private let capture: String?
    private let host = Mutex<RadioHost?>(nil)

    /// - Parameters:
    ///   - hosting: how to host the radio if nobody does; nil = not at all.
    ///   - capture: a file for the air, written by who hosts: by this process only if it comes to host.
    package init(
        _ radio: RadioName, in directory: RuntimeDirectory, as identity: DeviceIdentity,
        hosting: HostedRadioSettings?, capture: String? = nil
    ) {
        self.radio = radio
        self.directory = directory
        self.identity = identity
        self.hosting = hosting
        self.capture = capture
    }

    package var name: String { "virtual:\(radio.text)" }
    package let reconnect = ReconnectPolicy(first: .milliseconds(10), longest: .milliseconds(500))

    /// Whether this process hosts the radio.
    package var isHost: Bool { host.withLock { $0 != nil } }

    /// Ends the radio if this process hosts it.
    package func close() {
        host.withLock { host in
            host?.stop()
            host = nil
        }
    }

    package func open() throws(TransportError) -> any HCITransport {
        let path = directory.socket(of: radio)
        var cause = "nobody hosts it"
        for _ in 0..<300 {
            do throws(TransportError) {
                let transport = try join(connectUnixSocket(path))
                if capture != nil, !isHost {
                    Diagnostics.log(
                        .warning, "radio", "\(name) is hosted by another process, which alone can capture its air")
                }
                return transport
            } catch {
                guard error.kind == .unavailable else { throw error }
                cause = error.cause
            }
            guard let hosting else { break }
            if let new = try RadioHost.start(hosting, in: directory, capture: capture) {
                host.withLock { $0 = new }
            } else {
                // Somebody has the lock: a host that is about to listen, or one that is about to end.
                usleep(10_000)
            }
        }
        throw absent(cause)
    }

    private func absent(_ cause: String) -> TransportError {
        TransportError(.unavailable, layer: name, cause: cause, remedy: "start it with `ravning radio`")
    }

    /// Tells the new controller who it is, and waits for its answer.
    private func join(_ descriptor: Int32) throws(TransportError) -> any HCITransport {
        let transport = StreamTransport(descriptor: descriptor)
        let command = HCIRavningJoin(address: identity.address, deviceName: identity.name.text)
        _ = transport.send([command.packet()])
        var packets: [[UInt8]] = []
        while true {
            var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, 5000) == 1 else { throw absent("its host doesn't answer") }
            let status = transport.receive(into: &packets)
            for case .event(.commandComplete(let answer)) in packets.compactMap({ try? HCIPacket(decoding: $0) })
            where answer.opcode == .ravningJoin {
                if answer.status == .success { return transport }
                throw TransportError(
                    .unsupported, layer: name, cause: "its host refused the device with \(answer.status)",
                    remedy: "start it anew with a `ravning radio` of this version")
            }
            if case .closed(let reason) = status { throw absent("the connection was lost: \(reason)") }
            packets.removeAll()
        }
    }
}
