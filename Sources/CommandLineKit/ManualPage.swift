/// The manual page of a tool, section 1, in the language of man.
package struct ManualPage: Sendable {
    private let tool: String
    private let about: String
    private let table: CommandTable

    package init(_ tool: String, about: String, _ table: CommandTable) {
        self.tool = tool
        self.about = about
        self.table = table
    }

    package var text: String {
        var lines = [
            ".TH \(tool.uppercased()) 1", ".SH NAME", "\(tool) \\- \(Self.escaped(about))", ".SH SYNOPSIS",
            ".B \(tool)", ".I COMMAND", "[\\fIOPTION\\fR]... [\\fIARGUMENT\\fR]...", ".SH COMMANDS",
        ]
        for entry in table.entries {
            lines += [
                ".SS \"\(tool) \(entry.name)\(entry.arguments.isEmpty ? "" : " " + Self.escaped(entry.arguments))\"",
                Self.escaped(entry.summary) + ".",
            ]
            for option in entry.options {
                let short = option.short.isEmpty ? "" : "\\fB\\-\(option.short)\\fR, "
                let value = option.value.isEmpty ? "" : " \\fI\(Self.escaped(option.value))\\fR"
                lines += [
                    ".TP", "\(short)\\fB\\-\\-\(Self.escaped(option.name))\\fR\(value)", Self.escaped(option.help),
                ]
            }
        }
        lines.append(".SH EXIT STATUS")
        for code in ExitCode.allCases { lines += [".TP", ".B \(code.rawValue)", Self.escaped(code.meaning)] }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Backslashes and hyphens as themselves, and no line that begins like a request.
    private static func escaped(_ text: String) -> String {
        let text = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("\"", with: "\\(dq")
        return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
    }
}
