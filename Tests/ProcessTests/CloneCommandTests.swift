import BLEDeviceFiles
import BLEDevices
import BLETestSupport
import Foundation
import Glibc
import Testing

/// `ravning clone`: a device file of a device that is there.
@Suite struct CloneCommandTests {
    private func described(_ text: String) throws -> DeviceDescription {
        try DeviceDescription(YAML.read(Array(text.utf8)))
    }

    /// What a command writes to standard output, when all is well.
    private func output(_ words: [String], _ stage: CommandStage) async throws -> String {
        let command = try ChildProcess(
            stage.fixture.path(of: "ravning"), words, environment: stage.fixture.environment, takesErrors: false)
        command.closeInput()
        #expect(try await command.end() == .exited(0))
        return command.lines.all.joined(separator: "\n") + "\n"
    }

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

    @Test(arguments: devices.indices)
    func `a device that is served and cloned has the same attributes and advertisement`(index: Int) async throws {
        let row = Self.devices[index]
        let path = "\(devicesFolder)/\(row.path).yaml"
        let original = try described(String(contentsOfFile: path, encoding: .utf8))
        let stage = try await CommandStage("ravning", ready: "serving", ["serve", path])
        let device = if let service = row.service { try await stage.identifier(service: service) } else { row.name }
        let text = try await output(["clone", device], stage)
        let copy = try described(text)
        #expect(
            DeviceDatabase(copy, row.detail).differences(from: DeviceDatabase(original, row.detail)) == [], "\(text)")
        #expect(copy.advertisement == original.advertisement)
        try await stage.end()
    }

    @Test func `a clone can be served, includes secondary services, and names what wasn't read`() async throws {
        let folder = ProcessFixture()
        let file = """
            advertisement: {name: Odd, services: [FFF0]}
            services:
              - uuid: FFE0
                primary: no
                characteristics:
                  - {uuid: FFE1, value: {hex: 01 02}}
              - uuid: FFF0
                includes: FFE0
                characteristics:
                  - {uuid: FFF1, value: {text: caf\u{e9}}, descriptors: [{uuid: 2901, value: {text: a drink}}]}
                  - {uuid: FFF2, permissions: [], value: {hex: 05}}
                  - {uuid: FFF1, properties: [read, indicate], encryption: read}
            """
        let path = folder.folder + "/odd.yaml"
        try Data(file.utf8).write(to: URL(filePath: path))
        let stage = try await CommandStage("ravning", ready: "serving", ["serve", path])
        let clone = try stage.fixture.start("ravning", ["clone", "Odd", "--json"])
        clone.closeInput()
        #expect(try await clone.end() == .exited(0))
        let line = try #require(clone.lines.all.first { $0.hasPrefix("{") })
        let object = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(
            object["notes"] as? [String] == [
                "FFF0/FFF2 wasn't read: Reading is not permitted.",
                "FFF0/FFF1 wasn't read: Authentication is insufficient.",
            ])
        let text = try #require(object["file"] as? String)
        let (original, copy) = (try described(file), try described(text))
        #expect(
            DeviceDatabase(copy, .structure).differences(from: DeviceDatabase(original, .structure)) == [], "\(text)")
        #expect(copy.services[1].characteristics[0].value.firstOctets == Array("caf\u{e9}".utf8))
        #expect(copy.services[1].characteristics[2].encryption == .read)
        try await stage.end()

        try Data(text.utf8).write(to: URL(filePath: path))
        let second = try await CommandStage("ravning", ready: "serving", ["serve", path])
        let again = try described(try await output(["clone", "Odd"], second))
        #expect(
            DeviceDatabase(again, .seenFromOutside).differences(from: DeviceDatabase(copy, .seenFromOutside)) == [])
        try await second.end()
    }

    @Test func `a device that isn't there ends it with 2`() async throws {
        let fixture = ProcessFixture()
        let radio = try await fixture.startRadio()
        let clone = try fixture.start("ravning", ["clone", "Nobody", "--timeout", "5"])
        #expect(try await clone.end() == .exited(2))
        radio.send(SIGTERM)
        _ = try await radio.end()
    }
}

/// `ravning convert`: a device file of what another tool wrote.
@Suite struct ConvertCommandTests {
    private let fixture = ProcessFixture()
    private static let samples = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "BLEDevicesTests/Samples").path

    @Test(arguments: ["server.xml", "kettle.gatt", "kettle.whad.json", "kettle.blew.json", "kettle.srv.json"])
    func `each format is known by what is in it, and what comes of it can be served`(name: String) async throws {
        let command = try ChildProcess(
            fixture.path(of: "ravning"), ["convert", "\(Self.samples)/\(name)"], environment: fixture.environment,
            takesErrors: false)
        #expect(try await command.end() == .exited(0))
        let formats = ["server.xml": "nrf-connect", "kettle.gatt": "btstack", "kettle.srv.json": "gattacker"]
        let format = formats[name] ?? (name.contains("whad") ? "whad" : "blew")
        #expect(command.lines.all.first == "# From a file of the format \(format).")
        let path = fixture.folder + "/kettle.yaml"
        try Data(command.lines.all.joined(separator: "\n").utf8).write(to: URL(filePath: path))
        let serve = try fixture.start("ravning", ["serve", "--for", "0.1", path])
        #expect(try await serve.end() == .exited(0))
        #expect(serve.lines.all.first?.hasPrefix("serving") == true, "\(serve.lines.all)")
    }

    @Test func `what has no place is named on standard error, or as JSON`() async throws {
        let text = try fixture.start("ravning", ["convert", Self.samples + "/kettle.blew.json"])
        #expect(try await text.end() == .exited(0))
        #expect(text.lines.all.contains("\(Self.samples)/kettle.blew.json:8:39: left out: color"), "\(text.lines.all)")
        let json = try fixture.start(
            "ravning",
            ["convert", "-j", "--advertisement", Self.samples + "/kettle.adv.json", Self.samples + "/kettle.srv.json"])
        #expect(try await json.end() == .exited(0))
        #expect(
            json.lines.all.dropLast() == [
                #"{"event":"warning","line":1,"column":1,"text":"left out: the transmit power 4 dBm"}"#,
                #"{"event":"warning","line":13,"column":44,"text":"left out: hooks"}"#,
            ])
        #expect(json.lines.all.last?.hasPrefix(##"{"event":"converted","format":"gattacker","file":"# From"##) == true)
    }

    @Test func `what is no such file is told with its place and ends with 1, one that isn't there with 2`() async throws
    {
        let path = fixture.folder + "/bad.gatt"
        try Data("PRIMARY_SERVICE, none\n".utf8).write(to: URL(filePath: path))
        let bad = try fixture.start("ravning", ["convert", path])
        #expect(try await bad.end() == .exited(1))
        #expect(
            bad.lines.all == [
                "ravning: convert: \(path):1:1: the UUID \"none\", expected hexadecimal digits or an assigned name"
            ])
        let none = try fixture.start("ravning", ["convert", fixture.folder + "/none.xml"])
        #expect(try await none.end() == .exited(2))
        let unknown = try fixture.start("ravning", ["convert", "--from", "lightblue", path])
        #expect(try await unknown.end() == .exited(64))
    }
}
