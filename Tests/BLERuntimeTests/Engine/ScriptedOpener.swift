import BLERuntime
import BLETransport
import BLEWire
import Glibc
import BLELocking

/// Opens socket pairs, or fails as told. The controller's ends are given to the test.
final class ScriptedOpener: TransportOpener {
    let name = "scripted"
    let reconnect = ReconnectPolicy(first: .milliseconds(1), longest: .milliseconds(4))
    private let failures: Locked<[TransportError]>
    private let ends = Locked<[ControllerEnd]>([])

    init(failures: [TransportError] = []) { self.failures = Locked(failures) }

    func open() throws(TransportError) -> any HCITransport {
        let failure = failures.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if let failure { throw failure }
        var pair: [Int32] = [-1, -1]
        socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair)
        ends.withLock { [end = pair[1]] in $0.append(ControllerEnd(descriptor: end)) }
        return StreamTransport(descriptor: pair[0])
    }

    /// The controller's ends of the transports opened so far.
    var opened: [ControllerEnd] { ends.withLock { $0 } }
}

/// The controller's side of a socket that keeps records apart, so that a test sees what left in one write.
struct ControllerEnd: Sendable {
    let descriptor: Int32

    func write(_ octets: [UInt8]) { _ = Glibc.send(descriptor, octets, octets.count, Int32(MSG_NOSIGNAL)) }

    /// What one write of the engine carried; waits for it.
    func readRecord() -> [UInt8] {
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, 60_000) == 1 else { return [] }
        var octets = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(descriptor, &octets, octets.count, 0)
        return Array(octets.prefix(max(0, count)))
    }

    func close() { Glibc.close(descriptor) }
}
