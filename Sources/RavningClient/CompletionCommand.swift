import CommandLineKit

/// `ravning completion`: what a shell completes the tool's words with. The table of `ravning`'s own commands comes with it.
let completionCommand = Command(
    name: ClientCommand.completion.rawValue, summary: ClientCommand.completion.summary, arguments: "SHELL",
    argumentCount: 1...2, run: runCompletion)

@Sendable private func runCompletion(_ options: ParsedOptions) throws -> Int32 {
    guard let shell = Completion(rawValue: options.arguments[0]) else {
        let all = Completion.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageError("\"\(options.arguments[0])\" is none of \(all)")
    }
    printLine(String(shell.script(tool.name, table(options.arguments.dropFirst())).dropLast()))
    return ExitCode.success.rawValue
}

/// `ravning manual`: the manual page.
let manualCommand = Command(
    name: ClientCommand.manual.rawValue, summary: ClientCommand.manual.summary, argumentCount: 0...1,
    run: runManual)

@Sendable private func runManual(_ options: ParsedOptions) throws -> Int32 {
    let about = "Bluetooth LE on Linux: devices, virtual radios and captures"
    printLine(String(ManualPage(tool.name, about: about, table(options.arguments[...])).text.dropLast()))
    return ExitCode.success.rawValue
}

/// Our commands, and those of the executable that hands over to this one.
private func table(_ others: ArraySlice<String>) -> CommandTable {
    var table = CommandTable(tool.commands)
    for text in others { table.entries += CommandTable(text: text).entries }
    return table
}
