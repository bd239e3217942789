import BLETestSupport
import BLETransport
import BLEWire
import Dispatch
import Glibc
import Testing

private let resetDone: [UInt8] = [0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]

/// Transports for controllers that connect.
@Suite struct ControllerListenerTests {
    private func error(_ body: () throws -> any HCITransport) -> TransportError? {
        do {
            _ = try body()
            return nil
        } catch {
            return error as? TransportError
        }
    }

    private func write(_ octets: [UInt8], to descriptor: Int32) {
        #expect(Glibc.write(descriptor, octets, octets.count) == octets.count)
    }

    /// All that a transport gives until it is closed, and why it is.
    private func rest(of transport: any HCITransport) -> (packets: [[UInt8]], reason: String?) {
        var packets: [[UInt8]] = []
        while true {
            var wait = pollfd(fd: transport.descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, 60_000) == 1 else { return (packets, nil) }
            if case .closed(let reason) = transport.receive(into: &packets) { return (packets, reason) }
        }
    }

    @Test func `takes one controller after the other, each with all that it wrote before it closed`() throws {
        let path = temporaryPath("server")
        let listener = ControllerListener(.unixServer(path: path))
        defer {
            listener.close()
            unlink(path)
        }
        #expect(error { try listener.open(patience: .zero) }?.kind == .unavailable)
        for count in 1...3 {
            let controller = try connectUnixSocket(path)
            for _ in 0..<count { write(resetDone, to: controller) }
            close(controller)
            let (packets, reason) = rest(of: try listener.open(patience: .seconds(60)))
            #expect(packets == Array(repeating: resetDone, count: count))
            #expect(reason == "the other side closed")
        }
    }

    @Test func `who connects while there is a controller waits for its turn`() throws {
        let path = temporaryPath("server")
        let listener = ControllerListener(.unixServer(path: path))
        defer {
            listener.close()
            unlink(path)
        }
        _ = error { try listener.open(patience: .zero) }
        let first = try connectUnixSocket(path)
        let transport = try listener.open(patience: .seconds(60))
        let second = try connectUnixSocket(path)
        write(resetDone + [0x04], to: second)
        write([0x04, 0xFF, 0x01, 0x07, 0x04, 0xFF], to: first)
        close(first)
        #expect(rest(of: transport) == ([[0x04, 0xFF, 0x01, 0x07]], "the other side closed 2 octets into a packet"))
        close(second)
        let (packets, reason) = rest(of: try listener.open(patience: .seconds(60)))
        #expect(packets == [resetDone])
        #expect(reason == "the other side closed 1 octets into a packet")
    }

    @Test(.enabled(if: loopbackIsUp, "this namespace has no loopback interface"))
    func `takes a free port for 0, and says which`() throws {
        let listener = ControllerListener(.tcpServer(port: 0))
        defer { listener.close() }
        #expect(listener.name == "tcp-server:0")
        let error = try #require(error { try listener.open(patience: .zero) })
        #expect(error.kind == .unavailable)
        #expect(
            error.description
                == "\(listener.name): no controller has connected; have the controller's program connect there")
        let port = try #require(listener.name.split(separator: ":").last.flatMap { UInt16($0) })
        #expect(port != 0)
        let controller = try connectTCPSocket("127.0.0.1", port)
        write(resetDone, to: controller)
        close(controller)
        let (packets, reason) = rest(of: try listener.open(patience: .seconds(60)))
        #expect(packets == [resetDone])
        #expect(reason == "the other side closed")
    }

    @Test func `says that a port or a path can't be had`() throws {
        let taken = try listenTCPSocket(0)
        defer { close(taken.descriptor) }
        let port = error { try ControllerListener(.tcpServer(port: taken.port)).open(patience: .zero) }
        #expect(port?.kind == .unsupported)
        #expect(port?.cause == "can't listen: Address already in use")
        let path = error { try TransportAddress("unix-server:/nowhere/at/all").open() }
        #expect(path?.kind == .unsupported)
        #expect(path?.cause == "can't listen: No such file or directory")
    }

    @Test func `an address that nobody can connect to is refused`() {
        let error = error { try ControllerListener(.hci(0)).open(patience: .zero) }
        #expect(error?.description == "hci:0: nobody connects there; name tcp-server:PORT or unix-server:PATH")
    }

    /// Twenty times: whether `close` comes before the wait or during it can't be said.
    @Test(arguments: 1...20) func `closing ends a wait, and nobody is let in afterwards`(_: Int) async throws {
        let path = temporaryPath("server")
        defer { unlink(path) }
        let listener = ControllerListener(.unixServer(path: path))
        _ = error { try listener.open(patience: .zero) }
        enum Step: Equatable { case begins, ended(isRefused: Bool) }
        let steps = Recorder<Step>()
        DispatchQueue.global().async {
            steps.record(.begins)
            // Longer than any test lasts.
            steps.record(.ended(isRefused: (try? listener.open(patience: .seconds(3600))) == nil))
        }
        try await steps.first { $0 == .begins }
        listener.close()
        #expect(try await steps.first { $0 != .begins } == .ended(isRefused: true))
        #expect(error { try listener.open(patience: .seconds(3600)) }?.cause == "nobody is let in any more")
    }
}
