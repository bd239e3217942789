import BLETestSupport
import Glibc
import Testing

/// `ravning doctor` as a process.
@Suite struct DoctorCommandTests {
    private let fixture = ProcessFixture()

    private func run(_ words: [String], _ variables: [String: String] = [:]) async throws -> CommandResult {
        let command = try fixture.start("ravning", ["doctor"] + words, variables)
        let ending = try await command.end()
        return CommandResult(command.lines.all, ending)
    }

    @Test func `says that a virtual radio can be used, and whether it is hosted`() async throws {
        let alone = try await run([])
        #expect(alone.ending == .exited(0))
        #expect(alone.lines.contains("  virtual radios: none is hosted"), "\(alone.lines)")
        #expect(
            alone.lines.suffix(2) == [
                "+ virtual:default: will be hosted by the first program on it", "virtual can be used",
            ])
        let radio = try await fixture.startRadio(["--name", "lab"])
        let hosted = try await run(["--json", "--adapter", "virtual:lab"])
        #expect(hosted.ending == .exited(0))
        #expect(
            hosted.lines.suffix(3) == [
                #"{"event":"finding","layer":"virtual radios","text":"lab hosted"}"#,
                #"{"event":"finding","layer":"virtual:lab","good":true,"text":"is hosted"}"#,
                #"{"event":"verdict","adapter":"virtual:lab","usable":true}"#,
            ], "\(hosted.lines)")
        radio.send(SIGTERM)
    }

    @Test func `opens the adapter, and says what stands in the way`() async throws {
        let socket = fixture.folder + "/door.hci"
        let radio = try await fixture.startRadio(["--unix", socket])
        let open = try await run([], ["RAVNING_ADAPTER": "unix:\(socket)"])
        #expect(open.ending == .exited(0))
        #expect(open.lines.suffix(2) == ["+ adapter: was opened and closed again", "unix:\(socket) can be used"])
        radio.send(SIGTERM)
        _ = try await radio.end()
        let closed = try await run(["-a", "unix:\(socket)"])
        #expect(closed.ending == .exited(5))
        #expect(closed.lines.last == "unix:\(socket) can't be used")
        #expect(closed.lines.dropLast().last?.hasPrefix("- unix:\(socket): ") == true, "\(closed.lines)")
        #expect(try await run(["--adapter", "nothing"]).ending == .exited(64))
        #expect(try await run(["--adapter", "bluez"]).ending == .exited(5))
    }
}
