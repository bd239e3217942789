import CommandLineKit
import Testing

@Suite struct CompletionTests {
    private let table = CommandTable([
        Command(
            name: "read", summary: "Read what isn't known", arguments: "DEVICE",
            options: [
                Option("timeout", short: "t", value: "S", help: "Seconds [default: 10]"), Option("json", help: "a-b"),
            ]
        ) { _ in 0 },
        Command(name: "scan", summary: "Look around") { _ in 0 },
    ])

    @Test func `a table is handed over as one word`() {
        #expect(CommandTable(text: table.text) == table)
        #expect(CommandTable(text: "option\ta\tb\tc\td\nnonsense\n").entries == [])
    }

    @Test func `fish gets a line for each command and option`() {
        let lines = Completion.fish.script("tool", table).split(separator: "\n")
        #expect(
            lines.dropFirst() == [
                #"complete -c tool -n __fish_use_subcommand -f -a read -d 'Read what isn\'t known'"#,
                "complete -c tool -n '__fish_seen_subcommand_from read' -l timeout -s t -r -d 'Seconds [default: 10]'",
                "complete -c tool -n '__fish_seen_subcommand_from read' -l json -d 'a-b'",
                "complete -c tool -n __fish_use_subcommand -f -a scan -d 'Look around'",
            ])
    }

    @Test func `zsh's words are quoted, and its brackets are ours`() {
        let script = Completion.zsh.script("tool", table)
        #expect(script.hasPrefix("#compdef tool\n"))
        #expect(script.contains(#"'read:Read what isn'\''t known'"#))
        #expect(
            script.contains(
                "read) _arguments -s '--timeout[Seconds (default: 10)]:S:' '--json[a-b]' '*:file:_files' ;;"))
    }

    @Test func `the manual page escapes what man would take for its own`() {
        let lines = ManualPage("tool", about: "a tool", table).text.split(separator: "\n").map(String.init)
        #expect(lines.prefix(3) == [".TH TOOL 1", ".SH NAME", "tool \\- a tool"])
        #expect(lines.contains(".SS \"tool read DEVICE\""))
        #expect(lines.contains("\\fB\\-t\\fR, \\fB\\-\\-timeout\\fR \\fIS\\fR"))
        #expect(lines.contains("a\\-b"))
    }
}
