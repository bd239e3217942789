import BLETestSupport
import Foundation
import Glibc
import Testing

/// The devices of the package, served by one process and used by another.
@Suite struct ServedDeviceTests {
    private static let tutorials: [(device: String, central: String, arguments: [String], says: [String])] = [
        (
            "wrist-band", "BandCentral", ["--values", "1"],
            ["found OBand-75", "connected to OBand-75", "value of FFE1", "written FFF2: no error"]
        ),
        (
            "heart-rate-sensor", "HeartRateCentral", ["--values", "2"],
            ["sensor location: chest", "email: runner@example.org", "61 beats a minute", "62 beats a minute"]
        ),
        (
            "door-lock", "DoorOpener", ["--open"],
            ["[ alert: connected ]", "the door says: door open", "disconnected: nil"]
        ),
        ("serial-module", "SerialTerminal", ["--line", "hello"], ["ready", "hello"]),
        (
            "thermostat", "ThermostatClient", ["--values", "2"],
            ["it has 3 services", "target written: yes", "target written: Unlikely error."]
        ),
    ]

    @Test(arguments: tutorials.indices)
    func `the tutorials' centrals find in it what they look for`(index: Int) async throws {
        let row = Self.tutorials[index]
        let stage = try await CommandStage(
            "ravning", ready: "serving", ["serve", "--yes", "\(devicesFolder)/Tutorials/\(row.device).yaml"])
        let central = try stage.fixture.start(row.central, row.arguments)
        #expect(try await central.end() == .exited(0), "\(central.lines.all)")
        for text in row.says {
            #expect(central.lines.all.contains { $0.contains(text) }, "\(text): \(central.lines.all)")
        }
        try await stage.end()
    }

    /// How many services, characteristics and descriptors `explore` shows of each.
    private static let counts: [(device: String, name: String, counts: [Int])] = [
        ("battery", "Battery", [1, 1, 2]), ("cycling-power", "Crank", [1, 4, 2]),
        ("environment", "Room 4", [1, 3, 4]), ("fitness-machine", "Treadmill", [1, 6, 3]),
        ("heart-rate", "Pulse", [3, 7, 2]), ("keyboard", "Keys", [3, 7, 3]), ("lock", "Lock", [1, 2, 2]),
        ("thermometer", "Fever", [1, 4, 3]), ("uart", "UART", [1, 2, 1]),
    ]

    @Test(arguments: counts.indices)
    func `each is found and explored as it is described`(index: Int) async throws {
        let row = Self.counts[index]
        let stage = try await CommandStage(
            "ravning", ready: "serving", ["serve", "\(devicesFolder)/\(row.device).yaml"])
        let result = try await stage.run(["explore", row.name])
        #expect(result.ending == .exited(0))
        let kinds = ["service ", "  characteristic ", "    descriptor "]
        #expect(kinds.map { kind in result.lines.count { $0.hasPrefix(kind) } } == row.counts, "\(result.lines)")
        try await stage.end()
    }

    @Test func `battery level and weather are decoded from what is served`() async throws {
        let stage = try await CommandStage("ravning", ready: "serving", ["serve", devicesFolder + "/battery.yaml"])
        let battery = try await stage.run(["read", "Battery", "180F/2A19"])
        #expect(battery.lines.count == 1 && battery.lines[0].contains(/\ \ (100|[89][0-9]) %$/), "\(battery.lines)")
        // It is a device of its own, by the name of its file.
        let info = try await stage.run(["info", "Battery"])
        #expect(info.lines.first == "device DEVICE  \"battery\"  longest write without response 512", "\(info.lines)")
        try await stage.end()
        let weather = try await CommandStage(
            "ravning", ready: "serving", ["serve", devicesFolder + "/environment.yaml"])
        let pressure = try await weather.run(["read", "Room 4", "2A6D"])
        #expect(pressure.lines.count == 1 && pressure.lines[0].contains("  1013"), "\(pressure.lines)")
        try await weather.end()
    }

    @Test func `a lock opens over an encrypted link only`() async throws {
        let stage = try await CommandStage(
            "ravning", ready: "serving", ["serve", "--yes", devicesFolder + "/lock.yaml"],
            unattended: true)
        let code = "A1B20002-6C3D-4E5F-8A9B-0C1D2E3F4A5B"
        #expect(try await stage.run(["write", "Lock", code, "--text", "4711"]).ending == .exited(4))
        #expect(!stage.device.lines.all.contains("unlocked"))
        #expect(try await stage.run(["write", "--yes", "Lock", code, "--text", "1"]).ending == .exited(4))
        #expect(try await stage.run(["write", "--yes", "Lock", code, "--text", "4711"]).ending == .exited(0))
        try await stage.device.line(containing: "unlocked")
        try await stage.end()
    }

    @Test(arguments: [
        ("ibeacon", "iBeacon, uuid 5A4B3C2D-1E0F-4A6B-8C9D-0E1F2A3B4C5D, major 1, minor 27, power at 1 m -59 dBm"),
        ("eddystone-url", "https://example.org"), ("eddystone-uid", "00112233445566778899"),
    ])
    func `a beacon is heard and decoded, and can't be connected`(device: String, says: String) async throws {
        let stage = try await CommandStage("ravning", ready: "a beacon", ["serve", "\(devicesFolder)/\(device).yaml"])
        let scan = try await stage.run(["scan", "--once"])
        #expect(scan.lines.count == 1 && scan.lines[0].contains(says), "\(scan.lines)")
        let json = try await stage.run(["scan", "--once", "--json"])
        #expect(json.lines.count == 1 && json.lines[0].contains(#""connectable":false"#), "\(json.lines)")
        try await stage.end()
    }
}
