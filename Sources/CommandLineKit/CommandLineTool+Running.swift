import Glibc

extension CommandLineTool {
    /// Runs the command that the words ask for; the exit code. 64 = the command line is wrong, 1 = the command failed, and
    /// others where the command's error says so (`ExitCode`).
    package func run(_ words: [String]) -> Int32 {
        let parsed = ArgpParser(
            invocation: name, documentation: overview, argumentsDocumentation: "COMMAND [ARGUMENT...]",
            options: [Option("version", short: "V", help: "Print the version")], stopsAtFirstArgument: true
        ).parse(words)
        if parsed.has("version") {
            print("\(name) \(version)")
            return 0
        }
        guard let word = parsed.arguments.first else { return fail("which command? See '\(name) --help'.", 64) }
        guard let command = commands.first(where: { $0.name == word }) else {
            return fail("there is no command '\(word)'. See '\(name) --help'.", 64)
        }
        let words = Array(parsed.arguments.dropFirst())
        if command.takesAllWords {
            var options = ParsedOptions()
            options.arguments = words
            return perform(command, options)
        }
        let options = ArgpParser(
            invocation: "\(name) \(command.name)", documentation: command.summary,
            argumentsDocumentation: command.arguments, options: command.options, stopsAtFirstArgument: false
        ).parse(words)
        guard command.argumentCount.contains(options.arguments.count) else {
            let needed = command.arguments.isEmpty ? "no argument" : command.arguments
            return fail(
                "\(command.name) takes \(needed), not \(options.arguments.count) arguments. "
                    + "See '\(name) \(command.name) --help'.", 64)
        }
        return perform(command, options)
    }

    private func perform(_ command: Command, _ options: ParsedOptions) -> Int32 {
        do {
            return try command.run(options)
        } catch let error as UsageError {
            return fail("\(command.name): \(error)", 64)
        } catch let error as CommandError {
            return fail("\(command.name): \(error)", error.code.rawValue)
        } catch let interruption as Interrupted {
            return 128 + interruption.signal
        } catch is OutputClosed {
            return 0
        } catch {
            return fail("\(command.name): \(error)", 1)
        }
    }

    private func fail(_ message: String, _ code: Int32) -> Int32 {
        printError("\(name): \(message)")
        return code
    }

    /// What `--help` shows: argp puts what follows the vertical tab behind the options.
    private var overview: String {
        let width = (commands.map(\.name.count).max() ?? 0) + 2
        let list = commands.map { command in
            "  " + command.name + String(repeating: " ", count: width - command.name.count) + command.summary
        }
        return "\(about)\u{0B}Commands:\n" + list.joined(separator: "\n") + "\n\nExit codes:\n\(ExitCode.table)"
            + "\n\nSee '\(name) COMMAND --help'."
    }
}

/// A line on standard error.
package func printError(_ line: String) {
    let octets = Array((line + "\n").utf8)
    _ = octets.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

/// A line on standard output, at once, also where that is a pipe. False where nobody reads it any more.
@discardableResult
package func printLine(_ line: String) -> Bool {
    let octets = Array((line + "\n").utf8)
    var offset = 0
    while offset < octets.count {
        let count = octets[offset...].withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return false }
        offset += count
    }
    return true
}
