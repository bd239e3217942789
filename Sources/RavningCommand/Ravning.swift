import CommandLineKit

/// The tool with its commands.
let ravning = CommandLineTool(
    name: "ravning", version: "0.1.0", about: "Bluetooth LE on Linux: devices, virtual radios and captures.",
    commands: ClientCommand.allCases.map { command in
        Command.handingOver(name: command.rawValue, summary: command.summary) { words in
            let own =
                command.isAboutCommands && !words.contains { $0.hasPrefix("-") } ? [CommandTable(ownCommands).text] : []
            return try becomeClient([command.rawValue] + words + own)
        }
    } + ownCommands)

/// The commands that need no device.
private let ownCommands = [doctorCommand, radioCommand, dissectCommand]
