import BLEDeviceFiles
import BLEDevices
import BLETestSupport
import Foundation
import Glibc
import Testing

/// `ravning import`: device files of captures of our own making.
@Suite struct ImportCommandTests {
    /// How much of each can be equal: values that always run have moved by the time they are read.
    private static let devices: [(path: String, service: String?, name: String, detail: DeviceDatabase.Detail)] = [
        ("Tutorials/door-lock", nil, "Door", .seenFromOutside),
        ("Tutorials/heart-rate-sensor", "180D", "", .seenFromOutside),
        ("Tutorials/serial-module", nil, "HMSoft", .seenFromOutside),
        ("Tutorials/thermostat", nil, "Thermostat", .seenFromOutside),
        ("Tutorials/wrist-band", nil, "OBand-75", .seenFromOutside), ("battery", nil, "Battery", .structure),
        ("cycling-power", nil, "Crank", .seenFromOutside), ("environment", nil, "Room 4", .structure),
        ("fitness-machine", nil, "Treadmill", .seenFromOutside), ("heart-rate", nil, "Pulse", .structure),
        ("keyboard", nil, "Keys", .seenFromOutside), ("lock", nil, "Lock", .seenFromOutside),
        ("thermometer", nil, "Fever", .seenFromOutside), ("uart", nil, "UART", .seenFromOutside),
    ]

    private func run(_ words: [String], _ stage: CommandStage, capture: String? = nil) async throws -> ChildProcess {
        var environment = stage.fixture.environment
        if let capture { environment["RAVNING_CAPTURE"] = capture }
        let command = try ChildProcess(
            stage.fixture.path(of: "ravning"), words, environment: environment, takesErrors: false)
        command.closeInput()
        #expect(try await command.end() == .exited(0))
        return command
    }

    /// A capture of all that `clone` does with a served device, and what it made of the device.
    private func capture(_ row: Int, _ stage: CommandStage) async throws -> (path: String, clone: String) {
        let device =
            if let service = Self.devices[row].service {
                try await stage.identifier(service: service)
            } else {
                Self.devices[row].name
            }
        let path = stage.fixture.folder + "/phone.btsnoop"
        let clone = try await run(["clone", device], stage, capture: path)
        return (path, clone.lines.all.joined(separator: "\n") + "\n")
    }

    @Test(arguments: devices.indices)
    func `a capture of a served device gives back its attributes and values`(index: Int) async throws {
        let row = Self.devices[index]
        let file = "\(devicesFolder)/\(row.path).yaml"
        let original = try DeviceDescription(YAML.read(Array(Data(contentsOf: URL(filePath: file)))))
        let stage = try await CommandStage("ravning", ready: "serving", ["serve", file])
        let (path, _) = try await capture(index, stage)
        let text = try await run(["import", path], stage).lines.all.joined(separator: "\n") + "\n"
        let imported = try DeviceDescription(YAML.read(Array(text.utf8)))
        #expect(
            DeviceDatabase(imported, row.detail).differences(from: DeviceDatabase(original, row.detail)) == [],
            "\(text)")
        #expect(imported.advertisement == original.advertisement)
        try await stage.end()
    }

    private func importing(_ octets: [UInt8], _ words: [String] = []) async throws -> ChildProcess {
        let fixture = ProcessFixture()
        let path = fixture.folder + "/capture"
        try Data(octets).write(to: URL(filePath: path))
        let command = try fixture.start("ravning", ["import", path] + words)
        command.closeInput()
        _ = try await command.end()
        return command
    }

    @Test func `a capture that is cut gives what it has, and says what is missing`() async throws {
        let stage = try await CommandStage("ravning", ready: "serving", ["serve", "\(devicesFolder)/keyboard.yaml"])
        let row = try #require(Self.devices.firstIndex { $0.path == "keyboard" })
        let whole = [UInt8](try Data(contentsOf: URL(filePath: try await capture(row, stage).path)))
        try await stage.end()
        // Within the last record, and in the middle of the discovery.
        for (count, isWhole) in [(whole.count - 3, true), (whole.count * 3 / 4, false)] {
            let command = try await importing(Array(whole[..<count]))
            #expect(try await command.end() == .exited(0))
            let text = command.lines.all.joined(separator: "\n")
            #expect(text.contains("is cut: it needs"), "\(text)")
            #expect(text.contains("what follows is missing"))
            #expect(text.contains("uuid: 1812"))
            if !isWhole { #expect(text.contains("weren't discovered") || text.contains("wasn't read"), "\(text)") }
        }
    }

    @Test func `what is no capture, or has no device in it, is said`() async throws {
        let none = try await importing(Array("no capture, but text".utf8))
        #expect(try await none.end() == .exited(1))
        #expect(none.lines.all.last?.contains("not a capture file of this kind") == true, "\(none.lines.all)")
        // Classic Bluetooth's signalling, in a file of PacketLogger's.
        let packet: [UInt8] = [0x41, 0x20, 8, 0, 4, 0, 1, 0, 0x0A, 1, 0, 0]
        let classic: [UInt8] = [0, 0, 0, UInt8(packet.count + 9), 0x65, 0x53, 0xF1, 0, 0, 0, 0, 0, 3] + packet
        let command = try await importing(classic)
        #expect(try await command.end() == .exited(2))
        #expect(command.lines.all.contains { $0.contains("only classic Bluetooth (BR/EDR)") }, "\(command.lines.all)")
    }
}
