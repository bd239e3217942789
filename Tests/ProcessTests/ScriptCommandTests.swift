import BLETestSupport
import Foundation
import Glibc
import Testing

/// `ravning run` and `ravning replay`: several steps on one link.
@Suite struct ScriptCommandTests {
    /// A lamp that is served, and a folder for scripts.
    private func lamp() async throws -> CommandStage {
        let folder = ProcessFixture()
        let path = folder.folder + "/lamp.yaml"
        let file = """
            advertisement: {name: Lamp}
            services:
              - uuid: FFF0
                characteristics:
                  - {uuid: FFF1, properties: [read, write], value: {hex: 01}}
                  - {uuid: FFF2, properties: [read, notify], value: {u8: {sequence: [7, 8, 9]}}, every: 200 ms}
                  - {uuid: FFF3, properties: [write], writes: [{match: any, error: 0x80}]}
            """
        try Data(file.utf8).write(to: URL(filePath: path))
        return try await CommandStage("ravning", ready: "serving", ["serve", path])
    }

    private func script(_ text: String, _ stage: CommandStage) throws -> String {
        let path = stage.fixture.folder + "/steps"
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    @Test func `the steps of a script share a link`() async throws {
        let stage = try await lamp()
        let path = try script(
            """
            # a lamp
            connect Lamp
            read FFF1 --expect 01   # on
            write FFF0/FFF1 --u8 5
            read FFF1 --expect 05
            write FFF3 01 --expect-error 0x80
            subscribe FFF2 --count 2
            disconnect
            """, stage)
        #expect(
            try await stage.run(["run", path])
                == CommandResult(
                    ["FFF0/FFF1  01", "FFF0/FFF1  05", "FFF0/FFF2  08", "FFF0/FFF2  09"], .exited(0)))
        try await stage.end()
    }

    @Test func `a script may come through a pipe`() async throws {
        let stage = try await lamp()
        let run = try stage.fixture.start("ravning", ["run", "-"])
        run.type("connect Lamp")
        run.type("read FFF1")
        run.closeInput()
        #expect(try await run.end() == .exited(0))
        #expect(run.lines.all == ["FFF0/FFF1  01"])
        try await stage.end()
    }

    @Test func `a subscription in the background shows its values between the other steps`() async throws {
        let stage = try await lamp()
        let path = try script("connect Lamp\nsubscribe FFF2 --background\nwait 1\nunsubscribe FFF2\nread FFF1\n", stage)
        let result = try await stage.run(["run", path, "--json"])
        #expect(result.ending == .exited(0))
        let value = #"{"event":"value","service":"FFF0","characteristic":"FFF2","hex":"08"}"#
        #expect(result.lines.first == value, "\(result.lines)")
        #expect(result.lines.last == #"{"event":"value","service":"FFF0","characteristic":"FFF1","hex":"01"}"#)
        try await stage.end()
    }

    @Test func `run stops at the first answer that is another one, replay tells all of them`() async throws {
        let stage = try await lamp()
        let path = try script(
            "connect Anything\nread FFF1 --expect 02\nwrite FFF3 01 --expect-error 0x81\nread FFF1 --expect 01\n", stage
        )
        let run = try await stage.run(["run", path, "Lamp"])
        #expect(run.ending == .exited(1))
        #expect(run.lines == ["FFF0/FFF1  01", "ravning: run: \(path):2: FFF1: got 01, expected 02"])
        let replay = try await stage.run(["replay", path, "Lamp"])
        #expect(replay.ending == .exited(1))
        #expect(
            replay.lines == [
                "FFF0/FFF1  01", "\(path):2: FFF1: got 01, expected 02",
                "\(path):3: FFF3: refused with 0x80, expected 0x81", "FFF0/FFF1  01", "2 differences",
                "ravning: replay: the device didn't answer as the script expects",
            ])
        try await stage.end()
    }

    @Test func `what a phone did in a capture is a script that finds no differences`() async throws {
        let stage = try await lamp()
        let capture = stage.fixture.folder + "/phone.btsnoop"
        let first = try script("connect Lamp\nread FFF1\nwrite FFF1 0A0B\nread FFF1\nsubscribe FFF2 --count 1\n", stage)
        let command = try stage.fixture.start("ravning", ["run", first, "--capture", capture])
        command.closeInput()
        #expect(try await command.end() == .exited(0))
        let folder = stage.fixture.folder + "/imported"
        let imported = try await stage.run(["import", capture, "--into", folder])
        #expect(imported == CommandResult(["\(folder)/lamp.yaml", "\(folder)/lamp.script"], .exited(0)))
        let steps = try String(contentsOfFile: folder + "/lamp.script", encoding: .utf8)
        #expect(
            steps.split(separator: "\n").filter { !$0.hasPrefix("wait") } == [
                "connect Lamp", "read FFF0/FFF1 --expect 01", "write FFF0/FFF1 --hex 0A0B",
                "read FFF0/FFF1 --expect 0A0B", "subscribe FFF0/FFF2 --background", "disconnect",
            ])
        // The lamp has kept what was written.
        let reset = try script("connect Lamp\nwrite FFF1 01\n", stage)
        #expect(try await stage.run(["run", reset]).ending == .exited(0))
        let replay = try await stage.run(["replay", folder + "/lamp.script"])
        #expect(replay.ending == .exited(0))
        #expect(replay.lines.last == "no differences")
        try await stage.end()
    }

    @Test(
        arguments: [
            ("raed FFF1", "there is no step \"raed\""), ("read", "the characteristic is missing"),
            ("read FFF1 --expect 0", "--expect: \"0\" isn't octets in hexadecimal"),
            ("read FFF1 --expect-error 256", "no code from 1 to 255"), ("read FFG1", "\"FFG1\" is no UUID"),
            ("write FFF1", "say what to write in one way"), ("write FFF1 01 --text a", "say what to write in one way"),
            ("write FFF1 \"01", "a quotation mark isn't closed"), ("wait soon", "\"soon\" is no number of seconds"),
            ("subscribe FFF2 --count 0", "no number from 1 on"), ("read FFF1 FFF2", "\"FFF2\" has no meaning here"),
            ("connect", "the device is missing"), ("read FFF1 \\", "nothing stands behind the last backslash"),
        ])
    func `a line that is wrong is named before anything is done`(line: String, cause: String) async throws {
        let fixture = ProcessFixture()
        let path = fixture.folder + "/steps"
        try Data("\n# first\n\(line)\n".utf8).write(to: URL(filePath: path))
        let command = try fixture.start("ravning", ["run", path])
        command.closeInput()
        #expect(try await command.end() == .exited(64))
        let said = command.lines.all.joined(separator: "\n")
        #expect(said.hasPrefix("ravning: run: \(path):3: "), "\(said)")
        #expect(said.contains(cause), "\(said)")
    }
}
