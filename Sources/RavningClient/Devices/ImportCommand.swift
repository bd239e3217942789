import BLEDevices
import BLERecordings
import BLEWire
import CommandLineKit
import Foundation

/// `ravning import`: device files of a capture, one for each device that a client met in it.
let importCommand = Command(
    .import, arguments: "CAPTURE", argumentCount: 1...1,
    options: [
        Option(
            "into", value: "FOLDER",
            help: "Write NAME.yaml for each device there, and what its client did as NAME.script"),
        Option("device", value: "N", help: "Only the Nth device"),
    ], run: runImport)

@Sendable private func runImport(_ options: ParsedOptions) throws {
    let path = options.arguments[0]
    var reader = CaptureReader(try DeviceFiles.contents(of: path))
    var recording = Recording()
    while let packet = reader.next() { recording.take(packet) }
    // What came before a fault holds.
    var remarks = recording.remarks
    if let fault = reader.fault {
        if recording.isEmpty { throw CommandError(.other, "\(path): \(fault)") }
        remarks.insert("\(fault); what follows is missing", at: 0)
    }
    if let type = reader.strangeLinkType { remarks.append("packets of the link type \(type) aren't read") }
    let output = Output(options)
    for remark in remarks { try output.remark(path, remark) }

    let devices = recording.devices
    let chosen = try choose(devices, options.number("device"), path)
    if let folder = options.text("into") {
        return try write(chosen, into: folder, path, output)
    }
    guard chosen.count == 1, let only = chosen.first else {
        let names = devices.enumerated().map { "\($0 + 1): \($1.endpoint)" }.joined(separator: ", ")
        throw UsageError(
            "\(path) has \(devices.count) devices (\(names)): name one with --device, or a folder with --into")
    }
    let file = ImportedDevice(only, from: path)
    for note in file.notes { try output.remark(path, note) }
    try output.say(String(file.yaml.dropLast()), file.json)
}

private func choose(_ devices: [RecordedDevice], _ number: Int?, _ path: String) throws -> [RecordedDevice] {
    if devices.isEmpty { throw CommandError(.notFound, "\(path): there is no device in it whose attributes were used") }
    guard let number else { return devices }
    guard devices.indices.contains(number - 1) else {
        throw CommandError(.notFound, "\(path) has \(devices.count) devices, none with the number \(number)")
    }
    return [devices[number - 1]]
}

private func write(_ devices: [RecordedDevice], into folder: String, _ path: String, _ output: Output) throws {
    var taken: Set<String> = []
    do {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
        throw CommandError(.other, "\(folder): \(error.localizedDescription)")
    }
    for device in devices {
        let imported = ImportedDevice(device, from: path)
        for note in imported.notes { try output.remark(imported.name, note) }
        var name = imported.fileName
        var number = 1
        while !taken.insert(name).inserted {
            number += 1
            name = "\(imported.fileName)-\(number)"
        }
        let file = "\(folder)/\(name).yaml"
        try save(imported.yaml, file)
        var script: String?
        if !imported.script.isEmpty {
            let place = "\(folder)/\(name).script"
            try save(imported.script.joined(separator: "\n") + "\n", place)
            script = place
        }
        try output.say(
            [file, script].compactMap(\.self).joined(separator: "\n"),
            .object([
                ("event", .text("imported")), ("device", .text(imported.name)), ("path", .text(file)),
                ("scriptPath", script.map(JSON.text)), ("notes", .list(imported.notes.map(JSON.text))),
            ]))
    }
}

private func save(_ text: String, _ path: String) throws {
    do {
        try Data(text.utf8).write(to: URL(filePath: path))
    } catch {
        throw CommandError(.other, "\(path): \(error.localizedDescription)")
    }
}

/// A device of a capture as a device file.
private struct ImportedDevice {
    let name: String
    let yaml: String
    let notes: [String]
    let script: [String]

    init(_ recorded: RecordedDevice, from path: String) {
        var notes: [String] = []
        let device = DeviceDescription(recorded, notes: &notes)
        name = device.title.isEmpty ? recorded.endpoint.description : device.title
        self.notes = notes.map(\.printable)
        yaml = device.yaml(notes: ["From a capture, of \(recorded.endpoint)."] + self.notes)
        script = recorded.script(connectingTo: device.advertisement.name ?? name)
    }

    /// The name without what a file system or a shell would take amiss.
    var fileName: String {
        let kept = name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        let words = String(kept).split(separator: "-")
        return words.isEmpty ? "device" : words.joined(separator: "-")
    }

    var json: JSON {
        .object([
            ("event", .text("imported")), ("device", .text(name)), ("notes", .list(notes.map(JSON.text))),
            ("file", .text(yaml)), ("script", script.isEmpty ? nil : .list(script.map(JSON.text))),
        ])
    }
}

extension Output {
    /// What a file doesn't tell: beside the result, for a person and for a program.
    func remark(_ subject: String, _ text: String) throws {
        if isJSON {
            try say("", .object([("event", .text("remark")), ("subject", .text(subject)), ("text", .text(text))]))
        } else {
            printError("\(subject): \(text)".printable)
        }
    }
}
