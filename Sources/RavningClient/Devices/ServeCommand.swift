import BLEDevices
import CommandLineKit
import CoreBluetooth

/// `ravning serve`: a peripheral from a device file.
let serveCommand = Command(
    .serve, arguments: "DEVICE.yaml", argumentCount: 1...1,
    options: [
        Option("for", value: "S", help: "Stop after so many seconds"),
        Option("check", help: "Only say whether the file is right"),
    ], run: runServe)

@Sendable private func runServe(_ options: ParsedOptions) throws {
    let path = options.arguments[0]
    let seconds = try options.seconds("for")
    let device = try DeviceFiles.device(at: path)
    if options.has("check") {
        let (services, characteristics) = (device.services.count, device.characteristics.count)
        return try Output(options).say(
            "\(path): a device with \(count(services, "service")) and \(count(characteristics, "characteristic"))",
            .object([
                ("event", .text("checked")), ("file", .text(path)),
                ("device", device.title.isEmpty ? nil : .text(device.title)), ("services", .number(services)),
                ("characteristics", .number(characteristics)),
            ]))
    }
    let server = try DeviceServer(device, options)
    defer { server.close() }
    try server.serve(for: seconds)
}

private func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
