import BLETestSupport
import Foundation
import Glibc
import Testing

/// Where the devices of the package are.
let devicesFolder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Devices").path

/// `ravning serve`: a device from a file.
@Suite struct ServeCommandTests {
    private let fixture = ProcessFixture()

    private func file(_ text: String) throws -> String {
        let path = fixture.folder + "/device.yaml"
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    private func run(_ words: [String]) async throws -> CommandResult {
        let command = try fixture.start("ravning", words)
        return CommandResult(command.lines.all, try await command.end()).reading(command)
    }

    @Test func `--check says whether a file is right, without any radio`() async throws {
        let good = try await run(["serve", "--check", devicesFolder + "/battery.yaml"])
        #expect(good.lines == ["\(devicesFolder)/battery.yaml: a device with 1 service and 1 characteristic"])
        #expect(good.ending == .exited(0))
        let json = try await run(["serve", "--check", "--json", devicesFolder + "/battery.yaml"])
        #expect(
            json.lines == [
                #"{"event":"checked","file":"\#(devicesFolder)/battery.yaml","device":"Battery","services":1,"#
                    + #""characteristics":1}"#
            ])
        let path = try file("services:\n  - uuid: 180X\n")
        let bad = try await run(["serve", path])
        #expect(
            bad.lines == [
                "ravning: serve: \(path):2:11: \"180X\", expected a UUID: 4, 8 or 32 hexadecimal digits, the last with "
                    + "hyphens"
            ])
        #expect(bad.ending == .exited(1))
        #expect(try await run(["serve", fixture.folder + "/none.yaml"]).ending == .exited(2))
        #expect(try await run(["serve"]).ending == .exited(64))
    }

    @Test func `without an adapter it ends with 5, and --for ends it with 0`() async throws {
        let path = devicesFolder + "/battery.yaml"
        let none = try fixture.start("ravning", ["serve", path], ["RAVNING_ADAPTER": "hci:99"])
        #expect(try await none.end() == .exited(5))
        let short = try await run(["serve", "--for", "0.2", path])
        #expect(short == CommandResult(["serving \"Battery\"  services 180F"], .exited(0)))
    }

    private static let device = """
        advertisement: {name: Test, services: [FFF0]}
        services:
          - uuid: FFF0
            characteristics:
              - uuid: FFF1
                properties: [read, write, notify]
                value: {text: closed}
                writes:
                  - match: {equals: {text: open}}
                    say: it opens
                    set: {text: open}
                    notify: {text: opened}
                  - error: 0x80
                faults:
                  - {on: read, error: insufficient-resources, skip: 1}
        """

    @Test(arguments: [false, true])
    func `what centrals do is printed, as text and as JSON`(isJSON: Bool) async throws {
        let stage = try await CommandStage(
            "ravning", ready: "serving", ["serve", file(Self.device)] + (isJSON ? ["--json"] : []))
        let follower = try stage.fixture.start("ravning", ["subscribe", "Test", "FFF1", "--count", "1"])
        try await stage.device.line(containing: "subscribed")
        #expect(try await stage.run(["write", "Test", "FFF1", "--text", "open"]).ending == .exited(0))
        #expect(try await follower.end() == .exited(0))
        #expect(follower.lines.all == ["6F 70 65 6E 65 64  \"opened\""])
        try await stage.device.line(containing: "unsubscribed")
        #expect(try await stage.run(["read", "Test", "FFF1"]) == CommandResult(["6F 70 65 6E  \"open\""], .exited(0)))
        #expect(try await stage.run(["read", "Test", "FFF1"]).ending == .exited(4))
        #expect(try await stage.run(["write", "Test", "FFF1", "00"]).ending == .exited(4))
        stage.device.send(SIGINT)
        #expect(try await stage.device.end() == .exited(130))
        let lines = CommandResult(stage.device.lines.all, .exited(0)).lines
        if isJSON {
            let attribute = #""service":"FFF0","characteristic":"FFF1""#
            #expect(
                lines == [
                    #"{"event":"serving","name":"Test","services":["FFF0"],"connectable":true}"#,
                    #"{"event":"subscribed",\#(attribute),"central":"DEVICE"}"#,
                    #"{"event":"received",\#(attribute),"central":"DEVICE","hex":"6F70656E","text":"open"}"#,
                    #"{"event":"said","text":"it opens"}"#,
                    #"{"event":"unsubscribed",\#(attribute),"central":"DEVICE"}"#,
                    #"{"event":"fault",\#(attribute),"on":"read","does":"error insufficient-resources"}"#,
                    #"{"event":"received",\#(attribute),"central":"DEVICE","hex":"00","error":"0x80"}"#,
                ])
        } else {
            #expect(
                lines == [
                    "serving \"Test\"  services FFF0", "subscribed FFF1 by DEVICE",
                    "received FFF1 from DEVICE: 6F 70 65 6E  \"open\"", "it opens", "unsubscribed FFF1 by DEVICE",
                    "fault on read of FFF1: error insufficient-resources",
                    "received FFF1 from DEVICE: 00  refused: 0x80",
                ])
        }
        try await stage.end()
    }

    @Test func `a long write arrives whole, and a long value is read whole`() async throws {
        let path = try file(
            "advertisement: {name: Long}\nservices:\n  - uuid: FFF0\n    characteristics:\n"
                + "      - {uuid: FFF1, properties: [read, write]}\n")
        let stage = try await CommandStage("ravning", ready: "serving", ["serve", path])
        let octets = String(repeating: "0123456789ABCDEF", count: 64)
        #expect(try await stage.run(["write", "Long", "FFF1", octets]).ending == .exited(0))
        let read = try await stage.run(["read", "Long", "FFF1", "--json"])
        #expect(read.lines == [#"{"event":"value","service":"FFF0","characteristic":"FFF1","hex":"\#(octets)"}"#])
        try await stage.end()
    }

    @Test func `a device begins again where its radio goes and another comes`() async throws {
        let path = try file(
            "advertisement: {name: Again}\nservices:\n  - uuid: FFF0\n    characteristics:\n"
                + "      - uuid: FFF1\n        properties: [read, write-without-response]\n        value: {u8: 7}\n"
                + "        writes: [{delay: 10 min, say: too late}]\n")
        let radio = try await fixture.startRadio()
        let serve = try fixture.start("ravning", ["serve", path])
        try await serve.line(containing: "serving")
        let write = try fixture.start("ravning", ["write", "Again", "FFF1", "01", "--without-response"])
        #expect(try await write.end() == .exited(0))
        radio.send(SIGKILL)
        // The program hosts a radio itself then, so the device is there again; what was to happen on the other one isn't.
        try await serve.lines.wait { lines in lines.count { $0.hasPrefix("serving") } == 2 }
        let read = try fixture.start("ravning", ["read", "Again", "FFF1"])
        #expect(try await read.end() == .exited(0))
        #expect(read.lines.all == ["07"])
        serve.send(SIGTERM)
        #expect(try await serve.end() == .exited(143))
        #expect(
            serve.lines.all.filter { !$0.hasPrefix("ravning ") } == [
                "serving \"Again\"", "the radio is away", "serving \"Again\"",
            ], "\(serve.lines.all)")
    }

    @Test(arguments: ["y", "n"])
    func `a person at the device's terminal is asked about a pairing`(answer: String) async throws {
        let radio = try await fixture.startRadio()
        let serve = try fixture.start(
            "ravning", ["serve", devicesFolder + "/Tutorials/heart-rate-sensor.yaml"], onTerminal: true)
        try await serve.line(containing: "serving")
        let central = try fixture.start("HeartRateCentral", ["--values", "1"])
        try await serve.line(containing: "show ")
        serve.type(answer)
        #expect(try await central.end() == .exited(0))
        let email = answer == "y" ? "email: runner@example.org" : "email: Authentication is insufficient."
        #expect(central.lines.all.contains(email), "\(central.lines.all)")
        for process in [serve, radio] {
            process.send(SIGTERM)
            _ = try await process.end()
        }
    }

    @Test func `a fault ends the link, and a central sees it go`() async throws {
        let path = try file(
            "advertisement: {name: Weak}\nservices:\n  - uuid: FFF0\n    characteristics:\n"
                + "      - {uuid: FFF1, properties: [read, write], faults: [{on: read, disconnect: yes}]}\n")
        let stage = try await CommandStage("ravning", ready: "serving", ["serve", path])
        let read = try await stage.run(["read", "Weak", "FFF1"])
        #expect(read.ending == .exited(1))
        #expect(read.lines.count == 1 && read.lines[0].contains("not connected"), "\(read.lines)")
        try await stage.end()
    }
}

extension CommandResult {
    /// The same command with the lines that were read by the time it ended.
    fileprivate func reading(_ command: ChildProcess) -> CommandResult { CommandResult(command.lines.all, ending) }
}
