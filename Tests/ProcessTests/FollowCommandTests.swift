import BLETestSupport
import BLETransport
import BLEWire
import Foundation
import Glibc
import Testing

/// `ravning follow`, and what `ravning scan` shows of periodic advertising.
@Suite struct FollowCommandTests {
    private let fixture = ProcessFixture()

    /// Somebody who drives a controller of a radio by HCI, without a host: an advertiser "Tag" with the set 5 and a train
    /// of 100 ms.
    private struct Tag {
        let controller: any HCITransport

        init(socket: String, data: [UInt8]) throws {
            controller = try TransportAddress.unix(path: socket).open()
            try perform(HCIReset())
            try perform(LESetExtendedAdvertisingParameters(properties: [], setIdentifier: 5))
            try perform(LESetExtendedAdvertisingData(data: [2, 1, 6, 4, 9, 0x54, 0x61, 0x67]))
            try perform(LESetPeriodicAdvertisingParameters(intervalMinimum: 80, intervalMaximum: 80))
            try set(data)
            try perform(LESetPeriodicAdvertisingEnable(enable: 1))
            try perform(LESetExtendedAdvertisingEnable(isEnabled: true, sets: [.init(handle: 0)]))
        }

        func set(_ data: [UInt8]) throws { try perform(LESetPeriodicAdvertisingData(data: data)) }

        /// Sends a command and waits until it was carried out.
        func perform<Command: HCICommandPDU>(_ command: Command) throws {
            #expect(controller.send([command.packet()]) == .open)
            var packets: [[UInt8]] = []
            while true {
                for packet in packets {
                    guard case .event(.commandComplete(let answer)) = try HCIPacket(decoding: packet),
                        answer.opcode == Command.opcode
                    else { continue }
                    return #expect(answer.status == .success, "\(Command.name)")
                }
                packets = []
                var wait = pollfd(fd: controller.descriptor, events: Int16(POLLIN), revents: 0)
                try #require(poll(&wait, 1, 60_000) == 1)
                try #require(controller.receive(into: &packets) == .open)
            }
        }
    }

    private func stage(_ data: [UInt8], _ arguments: [String] = []) async throws -> (ChildProcess, Tag) {
        let socket = fixture.folder + "/tag.hci"
        let radio = try await fixture.startRadio(["--unix", socket] + arguments)
        return (radio, try Tag(socket: socket, data: data))
    }

    private func run(_ words: [String], _ more: [String: String] = [:]) async throws -> CommandResult {
        let command = try fixture.start("ravning", words, more)
        command.closeInput()
        let ending = try await command.end()
        return CommandResult(command.lines.all, ending)
    }

    private static let temperature: [UInt8] = [0x05, 0x16, 0x6E, 0x2A, 0x29, 0x09, 0x04, 0xFF, 0x4C, 0x00, 0x07]

    @Test func `scan shows how often the data comes`() async throws {
        let (radio, tag) = try await stage(Self.temperature)
        let text = try await run(["scan", "--once", "--name", "Tag"])
        #expect(text == CommandResult([#"DEVICE  -40 dBm  "Tag"  periodic every 100 ms  not connectable"#], .exited(0)))
        #expect(
            try await run(["scan", "--once", "--json"]).lines == [
                #"{"event":"advertisement","device":"DEVICE","name":"Tag","rssi":-40,"connectable":false,"#
                    + #""services":[],"periodicInterval":100}"#
            ])
        withExtendedLifetime(tag) { radio.send(SIGTERM) }
        #expect(try await radio.end() == .exited(0))
    }

    @Test func `follow shows data in its fields, and what it changes to`() async throws {
        let capture = fixture.capturePath("process-follow.btsnoop")
        let (radio, tag) = try await stage(Self.temperature)
        let command = try fixture.start("ravning", ["follow", "Tag", "--count", "2"], ["RAVNING_CAPTURE": capture])
        try await command.line(containing: "manufacturer")
        try tag.set([1, 2, 3])
        #expect(try await command.end() == .exited(0))
        #expect(
            CommandResult(command.lines.all, .exited(0)).lines == [
                #"following DEVICE  "Tag"  set 5  every 100 ms  1M"#,
                "-40 dBm  manufacturer 4C0007 (Apple, Inc.)  data of 2A6E Temperature 2909",
                "-40 dBm  data 010203",
            ])
        #expect(
            try await run(["follow", "Tag", "--count", "1", "--json"]).lines == [
                #"{"event":"following","device":"DEVICE","name":"Tag","set":5,"periodicInterval":100,"phy":"1M"}"#,
                #"{"event":"periodic","rssi":-40,"complete":true,"hex":"010203","services":[]}"#,
            ])
        if Tshark.path != nil {
            #expect(try await Tshark.run(contents(of: capture), "btsnoop", filter: Tshark.isWrong).isEmpty)
            let reports = try await Tshark.run(
                contents(of: capture), "btsnoop", filter: "bthci_evt.le_meta_subevent == 0x0f")
            #expect(reports.count > 1)
        }
        radio.send(SIGTERM)
        #expect(try await radio.end() == .exited(0))
    }

    @Test func `each event is shown where that is asked for`() async throws {
        let (radio, tag) = try await stage([1])
        let result = try await run(["follow", "Tag", "--duplicates", "--count", "3"])
        #expect(result.lines.dropFirst().map { $0 } == ["-40 dBm  data 01", "-40 dBm  data 01", "-40 dBm  data 01"])
        #expect(result.ending == .exited(0))
        withExtendedLifetime(tag) { radio.send(SIGTERM) }
        #expect(try await radio.end() == .exited(0))
    }

    @Test func `a train that ends is lost, one that isn't there isn't found, and an old controller can't`() async throws
    {
        let (radio, tag) = try await stage([1])
        let command = try fixture.start("ravning", ["follow", "Tag"])
        try await command.line(containing: "data 01")
        try tag.perform(LESetPeriodicAdvertisingEnable(enable: 0))
        #expect(try await command.end() == .exited(1))
        #expect(
            command.lines.all.last
                == "ravning: follow: the periodic advertising is lost: the train wasn't heard for its time-out")
        #expect(
            try await run(["follow", "Tag"])
                == CommandResult(["ravning: follow: no periodic advertising of Tag was heard"], .exited(2)))
        radio.send(SIGTERM)
        #expect(try await radio.end() == .exited(0))
        let old = try await fixture.startRadio(["--generation", "4.2"])
        let module = try fixture.start("SerialModule")
        try await module.line(containing: "the module waits")
        let refusal = "periodic advertising can't be followed: the controller lacks periodic advertising"
        #expect(
            try await run(["follow", "HMSoft"]) == CommandResult(["ravning: follow: " + refusal], .exited(5)))
        for process in [module, old] { process.send(SIGTERM) }
        #expect(try await old.end() == .exited(0))
    }
}
