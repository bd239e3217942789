import BLETestSupport
import Glibc
import Testing

private let door = "F6F6B7E0-897D-4F51-959F-387A94BF440E"

/// `ravning`'s commands that read, write and follow values, as processes without a terminal.
@Suite struct ValueCommandTests {
    @Test func `read shows a value, as text and as JSON`() async throws {
        let stage = try await CommandStage.door()
        #expect(
            try await stage.run(["read", "Door", door]) == CommandResult(["63 6C 6F 73 65 64  \"closed\""], .exited(0)))
        let service = "9830BC16-5CE7-43CD-996F-74E9110C4CEA"
        #expect(
            try await stage.run(["read", "Door", "\(service)/\(door)#1", "--json"]).lines == [
                #"{"event":"value","service":"\#(service)","characteristic":"\#(door)","#
                    + #""hex":"636C6F736564","text":"closed"}"#
            ])
        try await stage.end()
    }

    @Test func `write writes hexadecimal, text and numbers`() async throws {
        let stage = try await CommandStage.door()
        let written = CommandResult(["wrote 2 octets to \(door)"], .exited(0))
        #expect(try await stage.run(["write", "Door", door, "0A0B", "-w"]) == written)
        try await stage.device.line(containing: "not the key: 0a0b")
        #expect(try await stage.run(["write", "Door", door, "-w", "--i16", "-2"]) == written)
        try await stage.device.line(containing: "not the key: feff")
        let json = try await stage.run(["write", "Door", door, "-w", "--text", "OLWANDA_IL12345678", "--json"])
        #expect(json.lines.count == 1 && json.lines[0].hasSuffix(#""octets":18}"#), "\(json.lines)")
        try await stage.device.line(containing: "the door opens")
        try await stage.end()
    }

    @Test func `write sends a whole file, in pieces`() async throws {
        let stage = try await CommandStage("SerialModule", ready: "the module waits")
        let path = stage.fixture.folder + "/sent"
        let file = try #require(fopen(path, "w"))
        for number in 0..<2000 { fputs("line \(number)\n", file) }
        fclose(file)
        let result = try await stage.run(["write", "HMSoft", "FFE1", "-w", "--file", path])
        #expect(result == CommandResult(["wrote 18890 octets to FFE1"], .exited(0)))
        try await stage.device.line(containing: "received line 1999")
        let received = stage.device.lines.all.filter { $0.hasPrefix("received ") }
        #expect(received == (0..<2000).map { "received line \($0)" })
        try await stage.end()
    }

    @Test func `subscribe shows so many values, and ends quietly when nobody reads them any more`() async throws {
        let stage = try await CommandStage.heart()
        let device = try await stage.identifier(service: "180D")
        let text = try await stage.run(["subscribe", device, "2A37", "--count", "2"])
        #expect(
            text
                == CommandResult(
                    ["00 3D  Heart Rate Measurement Value 61 bpm", "00 3E  Heart Rate Measurement Value 62 bpm"],
                    .exited(0)))
        let shell = try ChildProcess(
            "/bin/sh", ["-c", "\"$0\" subscribe \(device) 2A37 --json | head -n 1", stage.fixture.path(of: "ravning")],
            environment: stage.fixture.environment)
        #expect(try await shell.end() == .exited(0))
        #expect(
            shell.lines.all == [
                #"{"event":"value","service":"180D","characteristic":"2A37","hex":"003F","#
                    + #""decoded":[{"name":"Heart Rate Measurement Value","value":63,"unit":"bpm"}]}"#
            ])
        try await stage.device.line(containing: "central unsubscribed from 2A37")
        try await stage.end()
    }

    @Test func `subscribe draws a chart on a terminal, and prints lines without one`() async throws {
        let stage = try await CommandStage.heart()
        let device = try await stage.identifier(service: "180D")
        let words = ["subscribe", device, "2A37", "--count", "2", "--chart"]
        #expect(
            try await stage.run(words)
                == CommandResult(
                    ["00 3D  Heart Rate Measurement Value 61 bpm", "00 3E  Heart Rate Measurement Value 62 bpm"],
                    .exited(0)))
        // Debian's bsdutils has a program that gives another one a terminal and shows what it draws.
        let line = ([stage.fixture.path(of: "ravning")] + words).joined(separator: " ")
        let drawn = try ChildProcess(
            "/usr/bin/script", ["--quiet", "--return", "--command", line, "/dev/null"],
            environment: stage.fixture.environment)
        #expect(try await drawn.end() == .exited(0))
        let last = drawn.lines.all.suffix(9).map { $0.replacing(/\u{1B}\[[0-9]*[A-Z]|\r/, with: "") }
        #expect(last.first == "\u{28B8}" + String(repeating: "\u{2800}", count: 63) + " 64", "\(last)")
        #expect(last.dropLast().last?.hasSuffix(" 63") == true, "\(last)")
        #expect(last.last == "00 40  Heart Rate Measurement Value 64 bpm")
        try await stage.end()
    }

    @Test(
        arguments: [
            (["read", "Nobody", "2A19", "--timeout", "1"], 2, "read: no device Nobody was heard within 1 s"),
            (["read", "Door", "2A19"], 2, "read: the device has no characteristic 2A19"),
            (["subscribe", "Door", door, "--for", "1"], 3, "subscribe: no value came"),
            (["write", "Door", door, "00"], 4, "write: \(door) can't be written like this"),
            (["read", "Door", "2A19", "--adapter", "unix:/nowhere"], 5, "read: no adapter can be used"),
            (["read", "Door", "2A1"], 64, "read: \"2A1\" is no UUID"),
            (["read", "Door", "2A19", "--adapter", "none"], 64, "read: --adapter: RAVNING_ADAPTER: \"none\""),
            (["read", "Door", "2A19", "--timeout", "x"], 64, "read: --timeout: \"x\" is no number of seconds"),
            (["write", "Door", "2A19"], 64, "write: say what to write in one way"),
            (["write", "Door", "2A19", "00", "--u8", "1"], 64, "write: say what to write in one way"),
            (["write", "Door", "2A19", "--u8", "300"], 64, "write: --u8: \"300\" is no such number"),
            (["write", "Door", "2A19", "--file", "/nowhere"], 2, "write: /nowhere can't be read"),
            (["bonds", "forget"], 64, "bonds: write nothing, list, or remove DEVICE"),
        ] as [([String], Int32, String)])
    func `commands end with the exit code of the cause`(words: [String], code: Int32, cause: String) async throws {
        let stage = try await CommandStage.door()
        let result = try await stage.run(words)
        #expect(result.ending == .exited(code))
        let own = result.lines.filter { $0.hasPrefix("ravning: ") }
        #expect(own.count == 1 && own[0].hasPrefix("ravning: " + cause), "\(result.lines)")
        try await stage.end()
    }
}
