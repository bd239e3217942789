import CommandLineKit
import Synchronization
import Testing

@Suite struct CommandLineToolTests {
    private final class Seen: Sendable {
        let options = Mutex<[ParsedOptions]>([])
    }
    private let seen = Seen()

    private struct Failure: Error, CustomStringConvertible {
        let description = "it can't be done"
    }

    private var tool: CommandLineTool {
        CommandLineTool(
            name: "tool", version: "1.2", about: "A tool.",
            commands: [
                Command(
                    name: "do", summary: "Do it", arguments: "FILE", argumentCount: 1...2,
                    options: [
                        Option("count", short: "c", value: "N", help: "How often"), Option("fast", help: "Soon"),
                    ]
                ) { [seen] options in
                    seen.options.withLock { $0.append(options) }
                    _ = try options.number("count", in: 1...9)
                    return 7
                },
                Command(name: "fail", summary: "Fail") { _ in throw Failure() },
                Command(name: "miss", summary: "Miss") { _ in throw CommandError(.notFound, "it isn't there") },
                Command(name: "stop", summary: "Stop") { _ in throw Interrupted(signal: 2) },
                Command(name: "shut", summary: "Shut") { _ in throw OutputClosed() },
                .handingOver(name: "pass", summary: "Pass on") { $0 == ["--fast", "x"] ? 9 : 8 },
                Command(name: "wait", summary: "Wait", options: [Option("for", value: "S", help: "How long")]) {
                    try $0.seconds("for") == 1.5 ? 6 : 5
                },
            ])
    }

    private func parsed(_ words: [String]) -> ParsedOptions? {
        _ = tool.run(words)
        return seen.options.withLock { $0.last }
    }

    @Test(arguments: [
        ["do", "--count", "3", "--fast", "a"], ["do", "a", "--fast", "-c3"], ["do", "--co=3", "--fast", "a"],
    ])
    func `reads options in every form and place`(words: [String]) {
        let options = parsed(words)
        #expect(options?.text("count") == "3")
        #expect(options?.has("fast") == true)
        #expect(options?.arguments == ["a"])
    }

    @Test func `takes everything behind two dashes for arguments`() {
        #expect(parsed(["do", "--", "--fast"])?.arguments == ["--fast"])
    }

    @Test(
        arguments: [
            (["do", "a"], 7), (["fail"], 1), (["do"], 64), (["do", "a", "b", "c"], 64), (["do", "-c", "10", "a"], 64),
            (["do", "-c", "x", "a"], 64), (["nothing"], 64), ([], 64), (["--version"], 0),
            (["miss"], 2), (["stop"], 130), (["shut"], 0), (["pass", "--fast", "x"], 9), (["pass", "x"], 8),
            (["wait", "--for", "1.5"], 6), (["wait"], 5), (["wait", "--for", "0"], 64), (["wait", "--for", "nan"], 64),
        ] as [([String], Int32)])
    func `answers the exit code`(words: [String], code: Int32) {
        #expect(tool.run(words) == code)
    }

    @Test func `ends with 64 at an option that isn't there`() async {
        await #expect(processExitsWith: .exitCode(64)) {
            _ = CommandLineTool(
                name: "tool", version: "1", about: "", commands: [Command(name: "do", summary: "") { _ in 0 }]
            ).run(["do", "--nothing"])
        }
    }

    @Test func `ends with 0 after help`() async {
        await #expect(processExitsWith: .success) {
            _ = CommandLineTool(name: "tool", version: "1", about: "", commands: []).run(["--help"])
        }
    }
}
