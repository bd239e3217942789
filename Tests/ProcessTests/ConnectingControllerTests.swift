import BLERuntime
import BLETestSupport
import BLETransport
import Glibc
import Testing

/// Programs whose controllers connect to them. The controllers are a virtual radio's in the test's own process.
@Suite struct ConnectingControllerTests {
    private let fixture = ProcessFixture()

    private func radio() -> HostedRadio {
        HostedRadio(HostedRadioSettings(name: RadioName(nearest: "test"), seed: 1))
    }

    @Test func `a program waits for its controller, goes through resetting when it leaves, and waits again`()
        async throws
    {
        let path = fixture.folder + "/controller"
        let band = try fixture.start("BandPeripheral", [], ["RAVNING_ADAPTER": "unix-server:\(path)"])
        defer { band.send(SIGKILL) }
        try await band.line(containing: "unix-server:\(path): no controller has connected")
        // Until there is one, there is no Bluetooth.
        try await band.line(containing: "failed to open (state 2)")

        let first = radio()
        first.join(try connectUnixSocket(path))
        try await band.line(containing: "advertising as")
        first.stop()
        try await band.line(containing: "failed to open (state 1)")

        let second = radio()
        defer { second.stop() }
        second.join(try connectUnixSocket(path))
        try await band.lines.wait { lines in lines.filter { $0.contains("advertising as") }.count == 2 }
    }

    @Test func `two programs meet on a radio that connects to one and is connected to by the other`() async throws {
        let radio = radio()
        defer { radio.stop() }
        let (open, waiting) = (fixture.folder + "/open", fixture.folder + "/waiting")
        radio.accept(from: try listenUnixSocket(open), isUnix: true)
        let band = try fixture.start("BandPeripheral", [], ["RAVNING_ADAPTER": "unix-server:\(waiting)"])
        defer { band.send(SIGKILL) }
        try await band.line(containing: "no controller has connected")
        radio.join(try connectUnixSocket(waiting))
        try await band.line(containing: "advertising as")
        let central = try fixture.start("BandCentral", [], ["RAVNING_ADAPTER": "unix:\(open)"])
        defer { central.send(SIGKILL) }
        try await band.line(containing: "sent ")
    }
}
