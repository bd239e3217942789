import BLETestSupport
import Glibc
import Testing

/// `ravning`'s commands that look at devices, as processes without a terminal.
@Suite struct ExploringCommandTests {
    @Test func `scan shows who advertises, as text and as JSON`() async throws {
        let stage = try await CommandStage("SerialModule", ready: "the module waits")
        let text = try await stage.run(["scan", "--once", "--name", "hms"])
        #expect(text.lines == ["DEVICE  -40 dBm  \"HMSoft\"  services FFE0"])
        #expect(text.ending == .exited(0))
        let json = try await stage.run(["scan", "--once", "--json", "--rssi", "-90"])
        #expect(
            json.lines == [
                #"{"event":"advertisement","device":"DEVICE","name":"HMSoft","rssi":-40,"connectable":true,"#
                    + #""services":["FFE0"]}"#
            ])
        try await stage.end()
    }

    @Test(arguments: [["--name", "other"], ["--service", "180D"], ["--company", "0x004C"], ["--rssi", "-39"]])
    func `scan shows only what passes its filters, and ends with 2 without any`(filter: [String]) async throws {
        let stage = try await CommandStage("SerialModule", ready: "the module waits")
        let result = try await stage.run(["scan", "--for", "1"] + filter)
        #expect(result.lines == ["ravning: scan: no such device was heard"])
        #expect(result.ending == .exited(2))
        try await stage.end()
    }

    @Test func `explore shows a device's attributes, and values as far as they are open`() async throws {
        let stage = try await CommandStage.heart()
        let device = try await stage.identifier(service: "180D")
        let text = try await stage.run(["explore", device])
        let email = "71DA3FD2-7E10-41C1-B16F-4430B506CDE7"
        #expect(
            text.lines == [
                "service 180D Heart Rate", "  characteristic 2A37 Heart Rate Measurement [notify]",
                "    descriptor 2902 Client Characteristic Configuration",
                "  characteristic 2A38 Body Sensor Location [read] = 01  Chest",
                "service 71DA3FD1-7E10-41C1-B16F-4430B506CDE7",
                "  characteristic \(email) [read, notify] (reading \(email): Authentication is insufficient.)",
                "    descriptor 2902 Client Characteristic Configuration",
            ])
        #expect(text.ending == .exited(0))
        // By the beginning of its identifier, too.
        let json = try await stage.run(["explore", "--json", String(device.prefix(8)).lowercased()])
        #expect(json.lines.count == 7)
        #expect(
            json.lines[0] == #"{"event":"service","service":"180D","name":"Heart Rate"}"#
                && json.lines[3]
                    == #"{"event":"characteristic","service":"180D","characteristic":"2A38","#
                    + #""name":"Body Sensor Location","properties":["read"],"hex":"01","#
                    + #""decoded":[{"value":"Chest"}]}"#,
            "\(json.lines)")
        try await stage.end()
    }

    @Test func `info says the name, rssi the strength`() async throws {
        let stage = try await CommandStage.door()
        // It is found by the name that it advertises; connected, it says its own.
        let info = try await stage.run(["info", "Door"])
        #expect(info.lines == ["device DEVICE  \"DoorLock\"  longest write without response 512"])
        let json = try await stage.run(["info", "Door", "-j"])
        #expect(
            json.lines == [
                #"{"event":"device","device":"DEVICE","name":"DoorLock","maximumWriteWithoutResponse":512,"#
                    + #""services":["9830BC16-5CE7-43CD-996F-74E9110C4CEA"]}"#
            ])
        #expect(try await stage.run(["rssi", "Door"]) == CommandResult(["-40 dBm"], .exited(0)))
        #expect(
            try await stage.run(["rssi", "Door", "--json"]).lines == [
                #"{"event":"rssi","device":"DEVICE","rssi":-40}"#
            ])
        try await stage.end()
    }

    @Test func `scan shows a device each time with --duplicates, and ends when nobody reads any more`() async throws {
        let stage = try await CommandStage("SerialModule", ready: "the module waits")
        let more = try stage.fixture.start("ravning", ["scan", "--duplicates"])
        try await more.lines.wait { $0.count > 2 }
        more.send(SIGTERM)
        #expect(try await more.end() == .exited(143))
        // There is no second device whose line could tell.
        let shell = try ChildProcess(
            "/bin/sh", ["-c", "\"$0\" scan | head -n 1", stage.fixture.path(of: "ravning")],
            environment: stage.fixture.environment)
        #expect(try await shell.end() == .exited(0))
        #expect(shell.lines.all.count == 1)
        try await stage.end()
    }

    @Test func `an interrupted command leaves its device`() async throws {
        let stage = try await CommandStage.heart()
        let device = try await stage.identifier(service: "180D")
        let command = try stage.fixture.start("ravning", ["subscribe", device, "2A37"])
        try await command.line(containing: "bpm")
        command.send(SIGINT)
        #expect(try await command.end() == .exited(130))
        try await stage.device.line(containing: "central unsubscribed from 2A37")
        #expect(command.lines.all.allSatisfy { $0.hasSuffix("bpm") }, "\(command.lines.all)")
        try await stage.end()
    }
}
