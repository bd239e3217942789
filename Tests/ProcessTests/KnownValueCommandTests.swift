import BLETestSupport
import Testing

/// Values whose layout is known, and characteristics that a device has several of.
@Suite struct KnownValueCommandTests {
    /// A device with two thermometers in one service and a third one in another.
    private static func stage() async throws -> CommandStage {
        func characteristic(_ value: String) -> String {
            #"{"uuid":"2A6E","properties":2,"permissions":1,"fixed":true,"value":"\#(value)"}"#
        }
        func service(_ uuid: String, _ values: String...) -> String {
            let characteristics = values.map(characteristic).joined(separator: ",")
            return #"{"do":"publish","uuid":"\#(uuid)","characteristics":[\#(characteristics)]}"#
        }
        return try await CommandStage(
            "InteropPeer", ready: #""event":"advertising""#, ["peripheral"],
            orders: [
                service("181A", "2909", "CEFF"), service("FFF0", "0000"),
                #"{"do":"advertise","name":"Known","services":["181A"]}"#,
            ])
    }

    @Test func `several of one UUID are told apart by service and number`() async throws {
        let stage = try await Self.stage()
        let unclear = try await stage.run(["read", "Known", "2A6E"])
        #expect(
            unclear
                == CommandResult(
                    ["ravning: read: the device has 3 of 2A6E: say which one by #1 to #3"], .exited(64)))
        #expect(try await stage.run(["read", "Known", "2A6E#2"]).lines == ["CE FF  -0.50 °C"])
        #expect(try await stage.run(["read", "Known", "FFF0/2A6E"]).lines == ["00 00  0.00 °C"])
        #expect(try await stage.run(["read", "Known", "181A/2A6E#3"]).ending == .exited(2))
        #expect(try await stage.run(["read", "Known", "180F/2A6E"]).ending == .exited(2))
        try await stage.end()
    }

    @Test func `characteristics and services are found by their assigned names`() async throws {
        let stage = try await Self.stage()
        let name = "environmental-sensing/temperature#2"
        #expect(try await stage.run(["read", "Known", name]).lines == ["CE FF  -0.50 °C"])
        let unknown = try await stage.run(["read", "Known", "Temperatur"])
        #expect(unknown.ending == .exited(64))
        #expect(unknown.lines.first?.hasPrefix("ravning: read: \"Temperatur\" is no UUID and no assigned name") == true)
        try await stage.end()
    }

    @Test func `a decoded value is a number in JSON, with its unit`() async throws {
        let stage = try await Self.stage()
        #expect(
            try await stage.run(["read", "Known", "181A/2A6E#1", "--json"]).lines == [
                #"{"event":"value","service":"181A","characteristic":"2A6E","hex":"2909","#
                    + #""decoded":[{"value":23.45,"unit":"°C"}]}"#
            ])
        try await stage.end()
    }
}
