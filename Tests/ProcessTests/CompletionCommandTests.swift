import BLETestSupport
import Foundation
import Glibc
import Testing

/// `ravning completion` and `ravning manual`, of both executables' commands.
@Suite struct CompletionCommandTests {
    private func lines(_ program: String, _ words: [String], _ fixture: ProcessFixture) async throws -> [String] {
        let command = try ChildProcess(program, words, environment: fixture.environment)
        command.closeInput()
        #expect(try await command.end() == .exited(0))
        return command.lines.all
    }

    @Test(
        arguments: [
            ("ravning su", "subscribe"), ("ravning do", "doctor"), ("ravning subscribe Band 2A37 --ch", "--chart"),
            ("ravning radio --cap", "--capture"), ("ravning scan ./no-such", ""),
        ])
    func `bash completes commands and options`(typed: String, completed: String) async throws {
        let fixture = ProcessFixture()
        let script = """
            source /dev/stdin <<< "$("$0" completion bash)"
            read -ra COMP_WORDS <<< "\(typed)"
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _ravning
            echo "<${COMPREPLY[*]}>"
            """
        #expect(
            try await lines("/bin/bash", ["-c", script, fixture.path(of: "ravning")], fixture) == ["<\(completed)>"])
    }

    @Test func `the manual page has the commands of both executables, and is one for man`() async throws {
        let fixture = ProcessFixture()
        let page = try await lines(fixture.path(of: "ravning"), ["manual"], fixture)
        for name in ["scan", "import", "dissect"] {
            #expect(page.contains { $0.hasPrefix(".SS \"ravning \(name)") }, "\(name)")
        }
        #expect(page.filter { $0.hasPrefix(".") && !$0.contains(/^\.(TH|SH|SS|TP|B|I)\b/) } == [])
    }

    @Test func `a shell that isn't known is told`() async throws {
        let fixture = ProcessFixture()
        let command = try fixture.start("ravning", ["completion", "tcsh"])
        command.closeInput()
        #expect(try await command.end() == .exited(64))
        #expect(command.lines.all == ["ravning: completion: \"tcsh\" is none of bash, zsh, fish"])
    }
}
