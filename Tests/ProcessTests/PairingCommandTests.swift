import BLETestSupport
import Testing

/// `ravning pair` and `ravning bonds`, on a terminal and without.
@Suite struct PairingCommandTests {
    private let email = "71DA3FD2-7E10-41C1-B16F-4430B506CDE7"
    private let question = "Does \"HeartRatePeripheral\" show "

    @Test func `without a terminal a pairing that needs a person is refused, and said`() async throws {
        let stage = try await CommandStage.heart()
        let device = try await stage.identifier(service: "180D")
        let asked =
            #"ravning: pairing with "HeartRatePeripheral" needs a person (to compare two numbers); run it on a terminal"#
        let pair = try await stage.run(["pair", device])
        #expect(pair.ending == .exited(4))
        #expect(pair.lines.first == asked && pair.lines.count == 2, "\(pair.lines)")
        #expect(pair.lines.last?.hasPrefix("ravning: pair: not paired: ") == true, "\(pair.lines)")
        // The same where a command runs into it.
        let read = try await stage.run(["read", device, email])
        #expect(read.ending == .exited(4))
        #expect(read.lines.first == asked, "\(read.lines)")
        #expect(try await stage.run(["bonds"]) == CommandResult([], .exited(0)))
        try await stage.end()
    }

    @Test func `on a terminal the person is asked, and the bond is there until it is removed`() async throws {
        let stage = try await CommandStage.heart()
        let device = try await stage.identifier(service: "180D")
        let refused = try stage.fixture.start("ravning", ["pair", device], onTerminal: true)
        try await refused.line(containing: question)
        refused.type("n")
        #expect(try await refused.end() == .exited(4))

        let pair = try stage.fixture.start("ravning", ["pair", device], onTerminal: true)
        try await pair.line(containing: question)
        pair.type("y")
        #expect(try await pair.end() == .exited(0))
        #expect(pair.lines.all.last == "paired with \"HeartRatePeripheral\"")

        let bond = CommandResult(["DEVICE  \"HeartRatePeripheral\""], .exited(0))
        #expect(try await stage.run(["bonds"]) == bond)
        // Another process is let in by the bond, without a question.
        let read = try await stage.run(["read", device, email])
        #expect(read.lines.count == 1 && read.lines[0].hasSuffix("\"runner@example.org\""), "\(read.lines)")
        #expect(try await stage.run(["pair", device]).lines == ["is paired already: \"HeartRatePeripheral\""])
        #expect(
            try await stage.run(["bonds", "remove", String(device.prefix(8)), "--json"]).lines == [
                #"{"event":"removed","device":"DEVICE","name":"HeartRatePeripheral"}"#
            ])
        #expect(try await stage.run(["bonds", "list"]) == CommandResult([], .exited(0)))
        #expect(try await stage.run(["bonds", "remove", device]).ending == .exited(2))
        try await stage.end()
    }

    @Test func `a value that needs pairing is read after a question, and leaves a bond`() async throws {
        let stage = try await CommandStage.heart()
        let device = try await stage.identifier(service: "180D")
        let read = try stage.fixture.start("ravning", ["read", device, email], onTerminal: true)
        try await read.line(containing: question)
        read.type("yes")
        #expect(try await read.end() == .exited(0))
        #expect(read.lines.all.last?.hasSuffix("\"runner@example.org\"") == true, "\(read.lines.all)")
        #expect(try await stage.run(["bonds"]).lines == ["DEVICE  \"HeartRatePeripheral\""])
        try await stage.end()
    }

    @Test func `where there is nothing to compare, --yes agrees without a terminal`() async throws {
        // On an adapter that isn't a radio of programs, nobody is at the device: it has neither buttons nor a display.
        let stage = try await CommandStage.heart(unattended: true)
        let device = try await stage.identifier(service: "180D")
        let refused = try await stage.run(["pair", device])
        #expect(refused.ending == .exited(4))
        #expect(
            refused.lines.first?.hasSuffix(
                "needs a person (to agree to it); run the command on a terminal, or say --yes") == true,
            "\(refused.lines)")
        #expect(
            try await stage.run(["pair", device, "--yes"])
                == CommandResult(["paired with \"HeartRatePeripheral\""], .exited(0)))
        #expect(
            try await stage.run(["bonds", "--json"]).lines == [
                #"{"event":"bond","device":"DEVICE","name":"HeartRatePeripheral"}"#
            ])
        try await stage.end()
    }

    @Test func `where nothing asks for pairing, pair says so`() async throws {
        let stage = try await CommandStage.door()
        let result = try await stage.run(["pair", "Door"])
        #expect(
            result
                == CommandResult(
                    ["ravning: pair: nothing that the device lets be read or notified asks for pairing"], .exited(2)))
        try await stage.end()
    }
}
