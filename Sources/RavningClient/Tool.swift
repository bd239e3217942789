import CommandLineKit

/// The commands of `ravning` that use a device, written on the public Core Bluetooth API.
let tool = CommandLineTool(
    name: "ravning", version: "0.1.0", about: "The commands of ravning that use a device.",
    commands: [
        scanCommand, followCommand, exploreCommand, readCommand, writeCommand, subscribeCommand, infoCommand,
        rssiCommand, pairCommand, bondsCommand, serveCommand, convertCommand, cloneCommand, importCommand, runCommand,
        replayCommand, completionCommand, manualCommand,
    ])

extension Command {
    /// A command that uses a device, with the options that all of these have.
    init(
        _ command: ClientCommand, arguments: String = "", argumentCount: ClosedRange<Int> = 0...0,
        options: [Option] = [], run: @escaping @Sendable (ParsedOptions) throws -> Void
    ) {
        self.init(
            name: command.rawValue, summary: command.summary, arguments: arguments, argumentCount: argumentCount,
            options: options + [
                Option("adapter", short: "a", value: "TEXT", help: "The adapter, as in RAVNING_ADAPTER"),
                Option(
                    "capture", value: "FILE", help: "Write what goes over HCI there: a name that ends in .btsnoop"),
                Option("timeout", short: "t", value: "S", help: "Seconds for each step (default: 10)"),
                Option("json", short: "j", help: "Print a JSON object a line"),
                Option("yes", short: "y", help: "Agree to pair where there is nothing to compare or to type"),
            ]
        ) { options in
            try run(options)
            return ExitCode.success.rawValue
        }
    }
}
