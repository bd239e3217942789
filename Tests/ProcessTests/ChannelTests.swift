import BLETestSupport
import Glibc
import Testing

/// An L2CAP channel between two processes, with streams in their main run loops.
@Suite struct ChannelTests {
    private let fixture = ProcessFixture()

    @Test func `a stream goes to another process and back, and its captures are whole`() async throws {
        let radio = try await fixture.startRadio()
        let paths = ["server", "client"].map { fixture.capturePath("process-channel-\($0).btsnoop") }
        let server = try fixture.start("StreamProbe", ["server"], ["RAVNING_CAPTURE": paths[0]])
        try await server.line(containing: "advertising")
        let client = try fixture.start("StreamProbe", ["client", "100000"], ["RAVNING_CAPTURE": paths[1]])
        #expect(try await client.line(containing: "opened") == "opened 193")
        try await client.line(containing: "echoed 100000")
        // The client closes its streams, and stays connected.
        try await server.line(containing: "channel ended")
        for program in [client, server, radio] { program.send(SIGTERM) }
        for program in [client, server] { _ = try await program.end() }
        _ = try await radio.end()
        guard Tshark.path != nil else { return }
        for path in paths {
            #expect(try await Tshark.run(contents(of: path), "btsnoop", filter: Tshark.isWrong) == [])
        }
    }

    @Test func `a process that is killed leaves its channel's other end with an error`() async throws {
        let radio = try await fixture.startRadio()
        let server = try fixture.start("StreamProbe", ["server"])
        try await server.line(containing: "advertising")
        // More than it can be through with.
        let client = try fixture.start("StreamProbe", ["client", "50000000"])
        try await client.line(containing: "opened 193")
        client.send(SIGKILL)
        try await server.line(containing: "channel failed")
        server.send(SIGKILL)
        radio.send(SIGKILL)
    }
}
