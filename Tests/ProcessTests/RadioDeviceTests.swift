import BLETestSupport
import Foundation
import Glibc
import Testing

/// `ravning radio` with devices of its own.
@Suite struct RadioDeviceTests {
    private let fixture = ProcessFixture()

    private func write(_ text: String, to name: String) throws -> String {
        let path = fixture.folder + "/" + name
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    private func run(_ words: [String]) async throws -> CommandResult {
        let command = try fixture.start("ravning", words)
        command.closeInput()
        let ending = try await command.end()
        return CommandResult(command.lines.all, ending)
    }

    @Test func `one process hosts many devices, each at its place, and they do what their files say`() async throws {
        let setup = try write(
            """
            place ravning 0 0
            device \(devicesFolder)/Tutorials/door-lock.yaml 1 0
            device \(devicesFolder)/battery.yaml 10 0 as cell
            device \(devicesFolder)/ibeacon.yaml 2 0
            device \(devicesFolder)/keyboard.yaml 100000 0
            """, to: "setup")
        let radio = try await fixture.startRadio(["--setup", setup])
        for name in ["door-lock", "cell", "ibeacon", "keyboard"] {
            try await radio.line(containing: "device \(name): advertises")
        }
        let opener = try fixture.start("DoorOpener", ["--open"])
        #expect(try await opener.end() == .exited(0))
        #expect(opener.lines.all.contains { $0.contains("the door says: door open") }, "\(opener.lines.all)")
        #expect(radio.lines.all.contains("device door-lock: the door opens"), "\(radio.lines.all)")
        let level = try await run(["read", "Battery", "2A19", "--json"])
        #expect(level.ending == .exited(0) && level.lines[0].contains(#""unit":"%""#), "\(level.lines)")
        // Ten times as far, so much weaker; out of range, not at all.
        let scan = try await run(["scan", "--for", "1.5", "--json"])
        let strengths = ["Door", "Battery"].map { name in
            scan.lines.first { $0.contains("\"name\":\"\(name)\"") }?.firstMatch(of: /"rssi":(-\d+)/)?.1
        }
        #expect(strengths == ["-40", "-60"], "\(scan.lines)")
        #expect(scan.lines.contains { $0.contains(#""connectable":false"#) } && scan.lines.count == 3, "\(scan.lines)")
        radio.send(SIGTERM)
        #expect(try await radio.end() == .exited(0))
    }

    @Test func `a subscriber follows a device of the radio, whose time runs as fast as the radio's`() async throws {
        let setup = try write("device \(devicesFolder)/Tutorials/heart-rate-sensor.yaml 1 0\n", to: "setup")
        let radio = try await fixture.startRadio(["--setup", setup, "--speed", "20"])
        try await radio.line(containing: "advertises")
        let central = try fixture.start("HeartRateCentral", ["--values", "10"])
        #expect(try await central.end() == .exited(0), "\(central.lines.all)")
        for text in ["61 beats", "70 beats", "email: runner@example.org"] {
            #expect(central.lines.all.contains { $0.contains(text) }, "\(text): \(central.lines.all)")
        }
        radio.send(SIGTERM)
        _ = try await radio.end()
    }

    @Test func `a file that is wrong or missing ends the command before there is a radio`() async throws {
        let bad = try write("services: 5\n", to: "bad.yaml")
        let setup = try write("device bad.yaml 1 0\n", to: "setup")
        let wrong = try await run(["radio", "--setup", setup])
        #expect(
            wrong
                == CommandResult(["ravning: radio: \(bad):1:11: \"5\", expected a list of services"], .exited(1)))
        let missing = try await run(["radio", "--setup", try write("device none.yaml 1 0\n", to: "other")])
        #expect(missing.ending == .exited(2))
    }
}
