import BLETestSupport
import Glibc
import Testing

/// The other example pairs, each as two processes on a radio of its own.
@Suite struct ExamplePairTests {
    private let fixture = ProcessFixture()

    private func meet(
        _ peripheral: String, ready: String, _ options: [String] = [], central: String, _ arguments: [String],
        says texts: [String], captured name: String? = nil
    ) async throws {
        let name = name ?? central
        let radio = try await fixture.startRadio(["--capture", fixture.capturePath("process-\(name)-air.pcap")])
        let first = try fixture.start(
            peripheral, options, ["RAVNING_CAPTURE": fixture.capturePath("process-\(name)-peripheral.btsnoop")])
        try await first.line(containing: ready)
        let second = try fixture.start(
            central, arguments, ["RAVNING_CAPTURE": fixture.capturePath("process-\(name)-central.btsnoop")])
        #expect(try await second.end() == .exited(0))
        for text in texts { #expect(second.lines.all.contains { $0.contains(text) }, "\(text): \(second.lines.all)") }
        first.send(SIGTERM)
        _ = try await first.end()
        radio.send(SIGTERM)
        _ = try await radio.end()
    }

    @Test func `the heart rate is read and followed, the sensitive value after pairing`() async throws {
        try await meet(
            "HeartRatePeripheral", ready: "advertising", central: "HeartRateCentral", ["--values", "1"],
            says: ["sensor location: chest", "email: runner@example.org", "beats a minute"])
    }

    /// How many packets of a capture pass the filter.
    private func count(_ filter: String, in capture: String) async throws -> Int {
        try await Tshark.run(contents(of: capture), "btsnoop", filter: filter).count
    }

    @Test(.enabled(if: Tshark.path != nil, "tshark is not installed"))
    func `both started anew know each other: encrypted without pairing, then nothing is discovered again`()
        async throws
    {
        let kept = ProcessFixture()
        var counts: [[String: Int]] = []
        for run in 1...3 {
            let capture = kept.capturePath("process-bonded-\(run)-central.btsnoop")
            let radio = try await kept.startRadio()
            let sensor = try kept.start("HeartRatePeripheral")
            try await sensor.line(containing: "advertising")
            let phone = try kept.start("HeartRateCentral", ["--values", "1"], ["RAVNING_CAPTURE": capture])
            #expect(try await phone.end() == .exited(0))
            #expect(phone.lines.all.contains { $0.contains("email: runner@example.org") }, "\(phone.lines.all)")
            sensor.send(SIGTERM)
            _ = try await sensor.end()
            radio.send(SIGTERM)
            _ = try await radio.end()
            counts.append([
                "pairing": try await count("btsmp", in: capture),
                "encryption": try await count("bthci_cmd.opcode == 0x2019", in: capture),
                "services": try await count("btatt.opcode == 0x10", in: capture),
            ])
        }
        #expect(counts[0]["pairing"]! > 6 && counts[0]["encryption"] == 1 && counts[0]["services"]! > 1)
        // On the first link that the bond encrypts from the beginning, what is discovered can be remembered.
        #expect(counts[1]["pairing"] == 0 && counts[1]["encryption"] == 1 && counts[1]["services"]! > 1)
        #expect(counts[2] == ["pairing": 0, "encryption": 1, "services": 0])
    }

    @Test func `the door opens`() async throws {
        try await meet(
            "DoorLock", ready: "the lock waits", central: "DoorOpener", ["--open"],
            says: ["[ alert: connected ]", "the door says: door open", "disconnected: nil"])
    }

    @Test func `the tutorial's two misuses are in the log`() async throws {
        try await meet(
            "DoorLock", ready: "the lock waits", central: "DoorOpener", ["--as-written", "--open"],
            says: [
                "can only accept this command while in the powered on state",
                "has no restore identifier but the delegate implements the centralManager:willRestoreState: method",
                "the door says: door open",
            ], captured: "AsWritten")
    }

    @Test func `a thermostat is followed and set`() async throws {
        try await meet(
            "Thermostat", ready: "the thermostat waits", central: "ThermostatClient", ["--values", "2"],
            says: ["it has 3 services", "target written: yes", "target written: Unlikely error."])
    }

    @Test func `a file of 100 kB arrives whole over two processes`() async throws {
        let (sent, stored) = (fixture.folder + "/sent", fixture.folder + "/stored")
        let octets = (0..<102_400).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        let file = try #require(fopen(sent, "w"))
        #expect(fwrite(octets, 1, octets.count, file) == octets.count)
        fclose(file)
        try await meet(
            "SerialModule", ready: "the module waits", ["--no-echo", "--store", stored], central: "SerialTerminal",
            ["--file", sent], says: ["102400 octets sent"])
        var received = [UInt8](repeating: 0, count: octets.count + 1)
        let copy = try #require(fopen(stored, "r"))
        defer { fclose(copy) }
        #expect(fread(&received, 1, received.count, copy) == octets.count)
        #expect(Array(received.prefix(octets.count)) == octets)
    }
}
