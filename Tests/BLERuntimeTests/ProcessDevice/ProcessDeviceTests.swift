import BLEBackend
import BLERuntime
import BLETestSupport
import BLEWire
import Glibc
import Testing

/// What managers are told of a device that the environment asks for.
@Suite struct ProcessDeviceTests {
    private let folder = TemporaryFolder()

    private func device(_ adapter: String, _ others: [String: String] = [:]) -> ProcessDevice {
        var variables = ["RAVNING_ADAPTER": adapter, "XDG_RUNTIME_DIR": folder.path, "HOME": folder.path]
        variables.merge(others) { $1 }
        // What is wrong on purpose isn't to be read by whoever runs the tests.
        variables["RAVNING_LOG"] = variables["RAVNING_LOG"] ?? "off"
        return ProcessDevice(EnvironmentVariables(variables), executable: "Band")
    }

    private func open(_ device: ProcessDevice) -> StateSink {
        let sink = StateSink()
        _ = device.device.backend.openSession(.central, sink: sink)
        return sink
    }

    @Test func `is powered on, on the virtual radio that it hosts itself`() async throws {
        let device = device("virtual")
        defer { device.stop() }
        let sink = open(device)
        let states = try await sink.states.wait { $0.contains(.poweredOn) }
        #expect(states == [.unknown, .poweredOn] || states == [.poweredOn])
    }

    @Test func `goes through resetting to powered on when the radio's host has left`() async throws {
        let (first, second) = (device("virtual"), device("virtual"))
        let (firstSink, secondSink) = (open(first), open(second))
        try await firstSink.states.contains(.poweredOn)
        try await secondSink.states.contains(.poweredOn)
        let (host, sink) = first.isRadioHost ? (first, secondSink) : (second, firstSink)
        let other = first.isRadioHost ? second : first
        host.stop()
        let states = try await sink.states.wait { states in states.filter { $0 == .poweredOn }.count == 2 }
        #expect(states.suffix(3) == [.poweredOn, .resetting, .poweredOn])
        #expect(other.isRadioHost)
        other.stop()
    }

    @Test(arguments: ["usb:0", "virtual:", "bluez", "hci:999", "unix:/nowhere", "serial:/dev/null"])
    func `is unsupported with an adapter that can't be`(adapter: String) async throws {
        let device = device(adapter)
        defer { device.stop() }
        let sink = open(device)
        let state = try await sink.states.first { $0 != .unknown }
        // Without the right to make HCI sockets, hci:999 is unauthorized.
        #expect(state == .unsupported || state == .unauthorized)
    }

    @Test(arguments: [
        ["RAVNING_CAPTURE": "x.txt"], ["RAVNING_CAPTURE": "/nowhere/x.btsnoop"], ["RAVNING_DEVICE": "a\nb"],
        ["RAVNING_STATE_DIR": "/dev/null/x"], ["XDG_RUNTIME_DIR": "/nowhere"],
    ])
    func `is unsupported where something else is wrong`(variables: [String: String]) async throws {
        let device = device("virtual", variables)
        defer { device.stop() }
        let sink = open(device)
        #expect(try await sink.states.first { $0 != .unknown } == .unsupported)
    }

    @Test func `is unsupported where its device file can't be read`() async throws {
        let state = StateFolder(path: folder.path + "/.local/state/ravning")
        let path = try state.folder("virtual", "default", "Band") + "/profile"
        let file = Glibc.open(path, O_CREAT | O_WRONLY, 0o600)
        _ = write(file, "mtu = 1\n", 8)
        close(file)
        let device = device("virtual")
        defer { device.stop() }
        let sink = open(device)
        #expect(try await sink.states.first { $0 != .unknown } == .unsupported)
    }

    @Test func `captures its HCI packets`() async throws {
        let path = folder.path + "/x.btsnoop"
        let device = device("virtual", ["RAVNING_CAPTURE": path])
        let sink = open(device)
        try await sink.states.contains(.poweredOn)
        device.stop()
        let file = Glibc.open(path, O_RDONLY)
        var octets = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(file, &octets, octets.count)
        close(file)
        let packets = BTSnoopReader.records(in: Array(octets.prefix(max(0, count)))).records.map(\.packet)
        #expect(packets.first == HCIReset().packet())
        #expect(packets.count > 10)
    }
}

private final class StateSink: BackendSink {
    let states = Recorder<AdapterState>()
    func receive(_ events: [BackendEvent]) {
        for case .stateChanged(let state) in events { states.record(state) }
    }
}
