import BLEDeviceFiles
import BLEDevices
import CommandLineKit

/// `ravning convert`: a device file from what another tool wrote.
let convertCommand = Command(
    .convert, arguments: "FILE", argumentCount: 1...1,
    options: [
        Option(
            "from", value: "FORMAT",
            help: "What it is (default: by what is in it): "
                + DeviceImport.Format.allCases.map(\.rawValue).joined(separator: ", ")),
        Option("advertisement", value: "FILE", help: "What GATTacker keeps of the advertisement in a file of its own"),
    ], run: runConvert)

@Sendable private func runConvert(_ options: ParsedOptions) throws {
    let format = try chosenFormat(options)
    let path = options.arguments[0]
    let octets = try DeviceFiles.contents(of: path)
    guard let text = String(validating: octets, as: UTF8.self) else {
        throw CommandError(.other, "\(path): this is no text in UTF-8")
    }
    let advertisement = options.text("advertisement")
    let result: (DeviceImport, DeviceImport.Format)
    do throws(DocumentError) {
        result = try read(text, format, try advertisement.map(readJSON))
    } catch {
        throw CommandError(.other, error.text(file: path))
    }
    let output = Output(options)
    for warning in result.0.warnings {
        let (line, column) = (warning.position.line, warning.position.column)
        if output.isJSON {
            try output.say(
                "",
                .object([
                    ("event", .text("warning")), ("line", .number(line)), ("column", .number(column)),
                    ("text", .text(warning.text)),
                ]))
        } else {
            // Beside the device file, which standard output is for.
            printError("\(path):\(line):\(column): \(warning.text)".printable)
        }
    }
    let file = result.0.device.yaml(notes: ["From a file of the format \(result.1.rawValue)."])
    try output.say(
        String(file.dropLast()),
        .object([
            ("event", .text("converted")), ("format", .text(result.1.rawValue)), ("file", .text(file)),
        ]))
}

private func chosenFormat(_ options: ParsedOptions) throws(UsageError) -> DeviceImport.Format? {
    guard let name = options.text("from") else { return nil }
    guard let format = DeviceImport.Format(rawValue: name) else {
        let all = DeviceImport.Format.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageError("--from: \"\(name)\" is none of \(all)")
    }
    return format
}

private func readJSON(_ path: String) throws(DocumentError) -> DocumentNode {
    guard let octets = try? DeviceFiles.contents(of: path) else {
        throw DocumentError(.none, "\(path) can't be read")
    }
    return try YAML.read(octets)
}

/// Reads the text as what it is said to be, or as what it looks like.
private func read(
    _ text: String, _ format: DeviceImport.Format?, _ advertisement: DocumentNode?
) throws(DocumentError) -> (DeviceImport, DeviceImport.Format) {
    let first = text.first { !$0.isWhitespace && $0 != "\u{FEFF}" }
    switch (format, first) {
    case (.nRFConnect, _), (nil, "<"): return (try DeviceImport(nRFConnect: text), .nRFConnect)
    case (.btstack, _): return (try DeviceImport(btstack: text), .btstack)
    case (nil, let first) where first != "{" && first != "[": return (try DeviceImport(btstack: text), .btstack)
    default:
        let node = try YAML.read(Array(text.utf8))
        let format = format ?? DeviceImport.format(ofJSON: node)
        return (try DeviceImport(json: node, format, advertisement: advertisement), format)
    }
}
