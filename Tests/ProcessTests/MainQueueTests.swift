import BLETestSupport
import Glibc
import Testing

/// Where callbacks come, in each way in which a program can keep its main queue running.
@Suite struct MainQueueTests {
    private let fixture = ProcessFixture()

    private func expectCallbacks(of program: ChildProcess) async throws {
        for queue in ["nil", "main", "own"] { try await program.line(containing: "\(queue): state 5") }
    }

    @Test func `run loop: callbacks on nil, main and own queues, and a timer made in one fires`() async throws {
        let program = try fixture.start("QueueProbe", ["runLoop"])
        try await expectCallbacks(of: program)
        try await program.line(containing: "timer fired")
        program.send(SIGKILL)
        _ = try await program.end()
    }

    @Test(arguments: [("QueueProbe", ["dispatchMain"]), ("AsyncQueueProbe", [])])
    func `dispatchMain and async main: callbacks on nil, main and own queues`(
        name: String, arguments: [String]
    ) async throws {
        let program = try fixture.start(name, arguments)
        try await expectCallbacks(of: program)
        program.send(SIGKILL)
        _ = try await program.end()
    }

    @Test func `a program takes the log into its own hands`() async throws {
        let program = try fixture.start("QueueProbe", ["log"])
        try await program.line(containing: "log info transport: virtual:default is open")
        program.send(SIGKILL)
        _ = try await program.end()
    }
}
