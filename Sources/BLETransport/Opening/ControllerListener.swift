import BLELocking
package import BLEWire
import Glibc

/// Waits at a socket for a controller that connects: `tcp:` and `unix:` the other way round.
///
/// *Role*: listens from the first `open` on, for one controller after the other; who connects while there is one has its
/// turn when that one is gone.
///
/// *Threading*: `open` waits, so it's called where waiting is allowed; `close` may be called from any thread meanwhile.
///
/// *Limits*: the loopback address, or a unix socket that only programs of this user may connect to. A unix socket's file
/// stays when the process ends, and the next one takes its place.
package final class ControllerListener: Sendable {
    package let address: TransportAddress
    private struct State {
        var socket: ListeningSocket?
        var isOver = false
    }
    private let state = Locked(State())

    package init(_ address: TransportAddress) { self.address = address }

    /// Where a controller is to connect: the address with the port that was taken for 0.
    package var name: String { state.withLock { $0.socket?.name } ?? address.description }

    /// Waits for a controller, for so long.
    package func open(patience: Delay = .seconds(1)) throws(TransportError) -> any HCITransport {
        let socket = try listen()
        switch socket.accept(patience: patience) {
        case .connection(let descriptor):
            if case .tcpServer = address {
                disableDelay(descriptor)
            } else if case (false, let user) = isOurUsers(descriptor) {
                Glibc.close(descriptor)
                throw socket.absence(
                    "a program of user \(user) isn't let in", "start the controller's program as this user")
            }
            return StreamTransport(descriptor: descriptor)
        case .none: throw socket.absence("no controller has connected", "have the controller's program connect there")
        case .failed(let code):
            throw socket.absence("no controller can be let in: \(systemMessage(code))", "see `ulimit -n`")
        }
    }

    /// Ends the waiting, for good.
    package func close() {
        let socket = state.withLock { state in
            defer { state.socket = nil }
            state.isOver = true
            return state.socket
        }
        socket?.endWaiting()
    }

    private func listen() throws(TransportError) -> ListeningSocket {
        let (existing, isClosed) = state.withLock { ($0.socket, $0.isOver) }
        if let existing { return existing }
        if isClosed { throw Self.isOver(address) }
        let new: ListeningSocket
        switch address {
        case .tcpServer(let port):
            let (descriptor, taken) = try listenTCPSocket(port)
            new = ListeningSocket(descriptor, name: "tcp-server:\(taken)")
        case .unixServer(let path):
            new = ListeningSocket(try listenUnixSocket(path), name: address.description)
        default:
            throw TransportError(
                .unsupported, layer: address.description, cause: "nobody connects there",
                remedy: "name tcp-server:PORT or unix-server:PATH")
        }
        let isOver = state.withLock { state in
            if !state.isOver { state.socket = new }
            return state.isOver
        }
        if isOver { throw Self.isOver(address) }
        return new
    }

    private static func isOver(_ address: TransportAddress) -> TransportError {
        TransportError(
            .unavailable, layer: address.description, cause: "nobody is let in any more",
            remedy: "make another listener")
    }
}

/// A listening socket, closed when nobody uses it any more.
private final class ListeningSocket: Sendable {
    private let descriptor: Int32
    let name: String

    init(_ descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    deinit { close(descriptor) }

    /// Waits for a connection, for so long.
    func accept(patience: Delay) -> Accepted {
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&wait, 1, Int32(clamping: Int(patience.milliseconds)))
        return acceptConnection(descriptor)
    }

    /// Nobody is let in any more, and whoever waits in `poll` is woken.
    func endWaiting() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    func absence(_ cause: String, _ remedy: String) -> TransportError {
        TransportError(.unavailable, layer: name, cause: cause, remedy: remedy)
    }
}
