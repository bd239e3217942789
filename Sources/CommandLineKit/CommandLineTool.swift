/// A command line tool with subcommands, each described once: parsing, help and error texts come from the description.
package struct CommandLineTool: Sendable {
    package let name: String
    package let version: String
    /// One sentence that says what the tool is.
    package let about: String
    package let commands: [Command]

    package init(name: String, version: String, about: String, commands: [Command]) {
        self.name = name
        self.version = version
        self.about = about
        self.commands = commands
    }
}

/// A subcommand.
package struct Command: Sendable {
    package let name: String
    /// One sentence for the list of commands and for the command's own help.
    package let summary: String
    /// The arguments as the help shows them, such as `FILE`; empty = none.
    package let arguments: String
    /// How many arguments there may be.
    package let argumentCount: ClosedRange<Int>
    package let options: [Option]
    /// Everything behind the command's name is handed to it as it stands, as arguments.
    package let takesAllWords: Bool
    /// Answers the exit code.
    package let run: @Sendable (ParsedOptions) throws -> Int32

    package init(
        name: String, summary: String, arguments: String = "", argumentCount: ClosedRange<Int> = 0...0,
        options: [Option] = [], run: @escaping @Sendable (ParsedOptions) throws -> Int32
    ) {
        self.name = name
        self.summary = summary
        self.arguments = arguments
        self.argumentCount = argumentCount
        self.options = options
        self.takesAllWords = false
        self.run = run
    }

    /// A command that another program reads the words of.
    package static func handingOver(
        name: String, summary: String, to run: @escaping @Sendable ([String]) throws -> Int32
    ) -> Command {
        Command(name, summary, run)
    }

    private init(_ name: String, _ summary: String, _ run: @escaping @Sendable ([String]) throws -> Int32) {
        self.name = name
        self.summary = summary
        arguments = ""
        argumentCount = 0...0
        options = []
        takesAllWords = true
        self.run = { try run($0.arguments) }
    }
}

/// An option of a command.
package struct Option: Sendable {
    package let name: String
    package let short: Character?
    /// What its value is called in the help; nil = it takes none.
    package let value: String?
    package let help: String

    package init(_ name: String, short: Character? = nil, value: String? = nil, help: String) {
        self.name = name
        self.short = short
        self.value = value
        self.help = help
    }
}

/// What was written on the command line.
package struct ParsedOptions: Equatable, Sendable {
    package var flags: Set<String> = []
    package var values: [String: String] = [:]
    package var arguments: [String] = []

    package init() {}

    package func has(_ flag: String) -> Bool { flags.contains(flag) }
    package func text(_ name: String) -> String? { values[name] }

    /// A whole number within a range.
    package func number<Number: FixedWidthInteger>(
        _ name: String, in range: ClosedRange<Number> = Number.min...Number.max
    ) throws(UsageError) -> Number? {
        guard let text = values[name] else { return nil }
        guard let number = Number(text), range.contains(number) else {
            throw UsageError("--\(name): \"\(text)\" is no number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Seconds, with a decimal fraction or without; more than none, and no more than a day.
    package func seconds(_ name: String) throws(UsageError) -> Double? {
        guard let text = values[name] else { return nil }
        guard let seconds = Double(text), seconds > 0, seconds <= 86_400 else {
            throw UsageError("--\(name): \"\(text)\" is no number of seconds, up to 86400")
        }
        return seconds
    }
}

/// Something on the command line that can't be; exit code 64.
package struct UsageError: Error, Equatable, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
