import BLEController
import BLERuntime
import BLETestSupport
import BLETransport
import BLEWire
import Glibc
import Testing

/// A hosted radio over real sockets, with hosts that speak HCI by hand.
@Suite struct HostedRadioTests {
    private func settings() -> HostedRadioSettings {
        HostedRadioSettings(name: RadioName(nearest: "test"), seed: 1)
    }

    @Test func `gives each connection a controller of its own`() throws {
        let radio = HostedRadio(settings())
        defer { radio.stop() }
        let first = try RadioClient(radio).perform(HCIReadBDAddr()).address
        let client = RadioClient(radio)
        let second = try client.perform(HCIReadBDAddr()).address
        #expect(first != second)
        #expect(
            first == DeviceIdentity.address(radio: RadioName(nearest: "test"), device: RadioName(nearest: "host-1")))
    }

    @Test func `makes the controller the device that the host says it is`() throws {
        let radio = HostedRadio(settings())
        defer { radio.stop() }
        let client = RadioClient(radio)
        let address = DeviceAddress(0x0211_2233_4455)
        #expect(try client.perform(HCIRavningJoin(address: address, deviceName: "Band")).status == .success)
        try client.perform(HCIReset())
        #expect(try client.perform(HCIReadBDAddr()).address == address)
    }

    @Test func `lets hosts hear each other, on the wall clock`() throws {
        let radio = HostedRadio(settings())
        defer { radio.stop() }
        let (advertiser, scanner) = (RadioClient(radio), RadioClient(radio))
        let address = try advertiser.perform(HCIReadBDAddr()).address
        try scanner.enableScanning()
        try advertiser.enableAdvertising()
        #expect(try scanner.nextReport() == [address])
        #expect(try scanner.nextReport() == [address])
    }

    @Test func `costs only the connection that octets come over which aren't H4`() throws {
        let radio = HostedRadio(settings())
        defer { radio.stop() }
        let (hostile, good) = (RadioClient(radio), RadioClient(radio))
        try hostile.perform(HCIReset())
        hostile.send([0xEE, 0xEE, 0xEE])
        #expect(throws: RadioClient.Closed.self) { try hostile.next { _ in nil as Void? } }
        #expect(try good.perform(HCIReset()).status == .success)
        #expect(radio.hostCount == 1)
    }

    @Test func `takes a host off the air when its connection ends, in the middle of a packet too`() throws {
        let radio = HostedRadio(settings())
        defer { radio.stop() }
        let (leaving, staying) = (RadioClient(radio), RadioClient(radio))
        try leaving.perform(HCIReset())
        leaving.send([0x01, 0x03])
        leaving.transport.close()
        try staying.perform(HCIReset())
        while radio.hostCount > 1 { try staying.perform(HCIReset()) }
        #expect(radio.hostCount == 1)
    }

    @Test func `closes the connection of a host that never reads, and keeps serving the others`() throws {
        var settings = settings()
        settings.unreadLimit = 100_000
        let radio = HostedRadio(settings)
        defer { radio.stop() }
        let (deaf, good) = (RadioClient(radio), RadioClient(radio))
        // Each answer is longer than its command; the kernel holds some of them, the radio its limit.
        let command = HCIReadLocalSupportedCommands().packet()
        while radio.hostCount == 2 {
            _ = deaf.transport.send([[UInt8]](repeating: command, count: 1000))
            _ = deaf.transport.flush()
        }
        #expect(radio.hostCount == 1)
        #expect(try good.perform(HCIReset()).status == .success)
    }

    @Test func `drops advertising reports for a host that is slow to read, and keeps its connection`() throws {
        var settings = settings()
        settings.reportLimit = 0
        settings.unreadLimit = 1000
        settings.speed = 100
        let radio = HostedRadio(settings)
        defer { radio.stop() }
        let (slow, advertiser) = (RadioClient(radio), RadioClient(radio))
        try slow.enableScanning()
        try advertiser.enableAdvertising()
        while radio.droppedReports < 100 { try advertiser.perform(HCIReadBDAddr()) }
        #expect(radio.hostCount == 2)
        _ = try slow.nextReport()
        #expect(try slow.perform(HCIReset()).status == .success)
    }

    @Test func `shows the air to a tap, with wall times`() async throws {
        let tap = RecordingTap()
        var settings = settings()
        settings.radio.capturesAir = true
        let before = unixNanoseconds()
        let radio = HostedRadio(settings, tap: tap)
        defer { radio.stop() }
        let client = RadioClient(radio)
        try client.enableAdvertising()
        let seen = try await tap.packets.wait { $0.count >= 3 }
        #expect(Set(seen.prefix(3).map(\.packet.channel)) == [37, 38, 39])
        #expect(seen.allSatisfy { $0.time >= before && $0.time <= unixNanoseconds() + 1_000_000_000 })
        withExtendedLifetime(client) {}
    }

    @Test func `closes every connection when it stops`() throws {
        let radio = HostedRadio(settings())
        let client = RadioClient(radio)
        try client.perform(HCIReset())
        radio.stop()
        #expect(throws: RadioClient.Closed.self) { try client.next { _ in nil as Void? } }
    }
}

private final class RecordingTap: AirTap {
    struct Seen: Sendable {
        var time: Int64
        var packet: AirPacket
    }
    let packets = Recorder<Seen>()
    func record(_ packets: [(time: Int64, packet: AirPacket)]) {
        for (time, packet) in packets { self.packets.record(Seen(time: time, packet: packet)) }
    }
    func record(_ keys: SessionKeys) {}
}
