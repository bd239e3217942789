/// A shell's completion of a tool's commands and options.
package enum Completion: String, CaseIterable, Sendable {
    case bash, zsh, fish

    /// The script that the shell reads. What is no command and no option is completed as a file.
    package func script(_ tool: String, _ table: CommandTable) -> String {
        switch self {
        case .bash: Self.bash(tool, table)
        case .zsh: Self.zsh(tool, table)
        case .fish: Self.fish(tool, table)
        }
    }

    private static func names(_ entry: CommandTable.Entry) -> [String] {
        entry.options.flatMap { ["--" + $0.name] + ($0.short.isEmpty ? [] : ["-" + $0.short]) } + ["--help"]
    }

    private static func bash(_ tool: String, _ table: CommandTable) -> String {
        let cases = table.entries.map { entry in
            "    \(entry.name)) words=\"\(names(entry).joined(separator: " "))\" ;;"
        }
        let commands = table.entries.map(\.name).joined(separator: " ")
        return """
            # Completion of \(tool) for bash: source it, or put it where bash-completion looks.
            _\(tool)() {
                local word=${COMP_WORDS[COMP_CWORD]} words=""
                if [ "$COMP_CWORD" -eq 1 ]; then
                    COMPREPLY=($(compgen -W "\(commands) --help --version" -- "$word"))
                    return
                fi
                COMPREPLY=()
                case $word in
                -*) ;;
                *) return ;;
                esac
                case ${COMP_WORDS[1]} in
            \(cases.joined(separator: "\n"))
                esac
                COMPREPLY=($(compgen -W "$words" -- "$word"))
            }
            complete -o default -F _\(tool) \(tool)

            """
    }

    private static func zsh(_ tool: String, _ table: CommandTable) -> String {
        let commands = table.entries.map { "        \(quoted("\($0.name):\($0.summary)"))" }
        let cases = table.entries.map { entry in
            let options = entry.options.map { option in
                let help = option.help.replacing("[", with: "(").replacing("]", with: ")")
                let end = option.value.isEmpty ? "" : ":\(option.value.replacing(":", with: " ")):"
                return quoted("--\(option.name)[\(help)]\(end)")
            }
            return "    \(entry.name)) _arguments -s \((options + [quoted("*:file:_files")]).joined(separator: " ")) ;;"
        }
        return """
            #compdef \(tool)
            # Completion of \(tool) for zsh: a file _\(tool) in a folder of $fpath, or sourced behind compinit.
            _\(tool)() {
                local -a commands
                commands=(
            \(commands.joined(separator: "\n"))
                )
                if ((CURRENT == 2)); then
                    _describe command commands
                    return
                fi
                local name=$words[2]
                shift words
                ((CURRENT--))
                case $name in
            \(cases.joined(separator: "\n"))
                esac
            }
            if [ "$funcstack[1]" = "_\(tool)" ]; then
                _\(tool) "$@"
            else
                compdef _\(tool) \(tool)
            fi

            """
    }

    private static func fish(_ tool: String, _ table: CommandTable) -> String {
        var lines = ["# Completion of \(tool) for fish: a file in ~/.config/fish/completions."]
        for entry in table.entries {
            lines.append(
                "complete -c \(tool) -n __fish_use_subcommand -f -a \(entry.name) -d \(fishQuoted(entry.summary))")
            for option in entry.options {
                let short = option.short.isEmpty ? "" : " -s \(option.short)"
                let value = option.value.isEmpty ? "" : " -r"
                lines.append(
                    "complete -c \(tool) -n '__fish_seen_subcommand_from \(entry.name)' -l \(option.name)\(short)\(value)"
                        + " -d \(fishQuoted(option.help))")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
    private static func fishQuoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}
