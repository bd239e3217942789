import BLETestSupport
import Foundation
import Glibc
import Testing

/// A radio with a device on it, and the commands of `ravning` that use it.
struct CommandStage {
    let fixture = ProcessFixture()
    private let radio: ChildProcess
    let device: ChildProcess

    /// - Parameter unattended: the device is on a controller of its own, as on hardware, and nobody is in front of it.
    init(
        _ program: String, ready: String, _ arguments: [String] = [], unattended: Bool = false, orders: [String] = []
    ) async throws {
        let socket = fixture.folder + "/device.hci"
        radio = try await fixture.startRadio(["--unix", socket])
        device = try fixture.start(program, arguments, unattended ? ["RAVNING_ADAPTER": "unix:\(socket)"] : [:])
        if !orders.isEmpty { try await device.line(containing: #""state":5"#) }
        for order in orders { device.type(order) }
        try await device.line(containing: ready)
    }

    static func heart(unattended: Bool = false) async throws -> CommandStage {
        try await CommandStage("HeartRatePeripheral", ready: "advertising", unattended: unattended)
    }
    static func door() async throws -> CommandStage { try await CommandStage("DoorLock", ready: "the lock waits") }

    /// What a command prints until it ends, and how it ends. Identifiers of devices come out as `DEVICE`.
    func run(_ words: [String], onTerminal: Bool = false) async throws -> CommandResult {
        let command = try fixture.start("ravning", words, onTerminal: onTerminal)
        if !onTerminal { command.closeInput() }
        let ending = try await command.end()
        return CommandResult(command.lines.all, ending)
    }

    /// The identifier of the one device that advertises the service.
    func identifier(service: String) async throws -> String {
        let scan = try fixture.start("ravning", ["scan", "--once", "--json", "--service", service])
        #expect(try await scan.end() == .exited(0))
        let line = try #require(scan.lines.all.first)
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        return try #require(object?["device"] as? String)
    }

    func end() async throws {
        for process in [device, radio] {
            process.send(SIGTERM)
            _ = try await process.end()
        }
    }
}

struct CommandResult: Equatable {
    let lines: [String]
    let ending: ChildProcess.Ending

    init(_ lines: [String], _ ending: ChildProcess.Ending) {
        let form = /[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/
        self.lines = lines.map { line in
            // Only identifiers of devices: those of attributes are the programs' own.
            line.replacing(form) { own.contains(String($0.output.0)) ? String($0.output.0) : "DEVICE" }
        }
        self.ending = ending
    }
}

/// UUIDs of the examples' and the ready devices' own.
private let own = [
    "71DA3FD1-7E10-41C1-B16F-4430B506CDE7", "71DA3FD2-7E10-41C1-B16F-4430B506CDE7",
    "A1B20002-6C3D-4E5F-8A9B-0C1D2E3F4A5B", "5A4B3C2D-1E0F-4A6B-8C9D-0E1F2A3B4C5D",
    "9830BC16-5CE7-43CD-996F-74E9110C4CEA", "F6F6B7E0-897D-4F51-959F-387A94BF440E",
]
