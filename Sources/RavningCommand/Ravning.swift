import CommandLineKit

/// The tool with its commands.
let ravning = CommandLineTool(
    name: "ravning", version: "0.1.0", about: "Bluetooth LE on Linux: virtual radios and captures.",
    commands: [radioCommand, dissectCommand])
