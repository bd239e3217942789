import BLEBackend
package import BLETransport
import BLEWire
import Glibc
import BLELocking

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
    private struct Hosting {
        var host: RadioHost?
        var isOver = false
    }
    private let state = Locked(Hosting())

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
    package var isHost: Bool { state.withLock { $0.host != nil } }

    /// Ends the radio if this process hosts it, and hosts it no more.
    package func close() {
        let host = state.withLock { state in
            defer { state.host = nil }
            state.isOver = true
            return state.host
        }
        host?.stop()
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
            guard let hosting, !state.withLock({ $0.isOver }) else { break }
            if let host = try RadioHost.start(hosting, in: directory, capture: capture) {
                keep(host)
            } else {
                // Somebody has the lock: a host that is about to listen, or one that is about to end.
                usleep(10_000)
            }
        }
        throw absent(cause)
    }

    private func keep(_ host: RadioHost) {
        let isOver = state.withLock { state in
            if !state.isOver { state.host = host }
            return state.isOver
        }
        if isOver { host.stop() }
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
