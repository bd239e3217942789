import CommandLineKit

/// `ravning run`: the steps of a script, on one link.
let runCommand = Command(.run, arguments: "SCRIPT [DEVICE]", argumentCount: 1...2) { options in
    try perform(options, goesOn: false)
}

/// `ravning replay`: the same, to its end, with what is different.
let replayCommand = Command(.replay, arguments: "SCRIPT [DEVICE]", argumentCount: 1...2) { options in
    try perform(options, goesOn: true)
}

/// - Parameter goesOn: what is different is told, and the rest is done all the same.
private func perform(_ options: ParsedOptions, goesOn: Bool) throws {
    let path = options.arguments[0]
    // All of it is read before any of it is done.
    let steps = try script(path)
    let session = try Session(options)
    defer { session.close() }
    let runner = ScriptRunner(session, device: options.arguments.count > 1 ? options.arguments[1] : nil)
    var differences = 0
    for (line, step) in steps {
        do {
            guard let difference = try runner.perform(step) else { continue }
            differences += 1
            guard goesOn else { throw CommandError(.other, difference) }
            try session.output.say(
                "\(path):\(line): \(difference)",
                .object([("event", .text("difference")), ("line", .number(line)), ("text", .text(difference))]))
        } catch let error as CommandError {
            throw CommandError(error.code, "\(path):\(line): \(error)")
        }
    }
    if goesOn {
        try session.output.say(
            differences == 0 ? "no differences" : "\(differences) difference\(differences == 1 ? "" : "s")",
            .object([("event", .text("replayed")), ("differences", .number(differences))]))
    }
    if differences > 0 { throw CommandError(.other, "the device didn't answer as the script expects") }
}

/// The steps with their lines. `-` is standard input.
private func script(_ path: String) throws -> [(line: Int, step: ScriptStep)] {
    let octets = try DeviceFiles.contents(of: path)
    guard let text = String(validating: octets, as: UTF8.self) else {
        throw CommandError(.other, "\(path): this is no text in UTF-8")
    }
    var steps: [(Int, ScriptStep)] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        do throws(UsageError) {
            if let step = try ScriptStep(String(line)) { steps.append((index + 1, step)) }
        } catch {
            throw UsageError("\(path):\(index + 1): \(error)")
        }
    }
    return steps
}
