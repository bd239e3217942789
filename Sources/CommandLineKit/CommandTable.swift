/// What commands there are, with their options: for completion and manual, also of commands that another executable has.
package struct CommandTable: Equatable, Sendable {
    package struct Entry: Equatable, Sendable {
        package var name: String
        package var summary: String
        package var arguments: String
        package var options: [Row] = []
    }

    /// An option.
    package struct Row: Equatable, Sendable {
        package var name: String
        /// Empty = none.
        package var short: String
        /// Empty = it takes none.
        package var value: String
        package var help: String
    }

    package var entries: [Entry]

    package init(_ commands: [Command]) {
        entries = commands.filter { !$0.takesAllWords }.map { command in
            Entry(
                name: command.name, summary: command.summary, arguments: command.arguments,
                options: command.options.map { option in
                    Row(
                        name: option.name, short: option.short.map(String.init) ?? "", value: option.value ?? "",
                        help: option.help)
                })
        }
    }

    /// As a word that one executable hands to another: a line for each command and each option, with tabs between.
    package var text: String {
        entries.flatMap { entry in
            [["command", entry.name, entry.summary, entry.arguments]]
                + entry.options.map { ["option", $0.name, $0.short, $0.value, $0.help] }
        }.map { $0.joined(separator: "\t") }.joined(separator: "\n")
    }

    /// Reads such a word; lines that are none are left out.
    package init(text: String) {
        entries = []
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            if parts.count == 4, parts[0] == "command" {
                entries.append(Entry(name: parts[1], summary: parts[2], arguments: parts[3]))
            } else if parts.count == 5, parts[0] == "option", !entries.isEmpty {
                entries[entries.count - 1].options.append(
                    Row(name: parts[1], short: parts[2], value: parts[3], help: parts[4]))
            }
        }
    }
}
