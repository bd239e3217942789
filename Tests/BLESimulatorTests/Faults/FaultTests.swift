import BLEController
import BLEHost
import BLESimulator
import BLEWire
import Testing

@Suite struct FaultTests {
    private func settings(timeout: UInt16) -> ConnectionSettings {
        var settings = ConnectionSettings()
        settings.parameters.supervisionTimeout = timeout
        return settings
    }

    @Test(arguments: [UInt16(72), 200, 400])
    func `out of range, the link ends exactly one supervision time-out after the last packet`(timeout: UInt16) throws {
        var bench = Bench(capturesAir: true)
        let central = bench.addHost("central")
        let beacon = bench.addPeripheral("beacon", SimulationTests.beacon)
        _ = bench.connect(central, to: beacon, settings(timeout: timeout))
        bench.run(.seconds(1))
        let last = try #require(bench.air.last { $0.direction == .peripheralToCentral })
        bench.apply(.outOfRange(central, beacon, true))
        let reason = bench.wait(for: central) { if case .disconnected(_, _, let reason) = $0 { reason } else { nil } }
        #expect(reason == .connectionTimeout)
        // The timer begins anew with each packet that is received: at its end. [Vol 6, Part B, 4.5.2]
        let end = last.time + AirTime.packet(payload: last.pdu.count - 2, on: last.phy)
        #expect(bench.simulation.now == end + .milliseconds(Int64(timeout) * 10))
    }

    @Test func `what was placed stays placed through a reset of the controller`() {
        var bench = Bench()
        let central = bench.addHost("central")
        let beacon = bench.addPeripheral("beacon", SimulationTests.beacon)
        bench.apply(.rssi(central, beacon, -77))
        bench.apply(.resetController(beacon, downFor: .milliseconds(10)))
        bench.run(.seconds(1))
        bench.command(.startScanning(ScanSettings()), central)
        let rssi = bench.wait(for: central) {
            if case .advertisingReport(let report) = $0 { report.rssi } else { nil }
        }
        #expect(rssi == -77)
    }

    @Test func `a light peripheral advertises again after a reset`() {
        var bench = Bench()
        let beacon = bench.addPeripheral("beacon", SimulationTests.beacon)
        bench.run(.seconds(1))
        bench.apply(.resetController(beacon, downFor: .seconds(1)))
        #expect(bench.simulation.linkLayerState(of: beacon) == .standby)
        bench.run(.seconds(2))
        #expect(bench.simulation.linkLayerState(of: beacon) == .advertising)
    }

    @Test func `a fault that was scheduled happens at its time`() {
        var bench = Bench()
        let beacon = bench.addPeripheral("beacon", SimulationTests.beacon)
        bench.simulation.schedule(.power(beacon, false), at: Instant.start + .seconds(2))
        bench.run(.milliseconds(1_999))
        #expect(bench.simulation.linkLayerState(of: beacon) == .advertising)
        bench.run(.milliseconds(1))
        #expect(bench.simulation.linkLayerState(of: beacon) == .standby)
    }

    @Test func `a stall keeps what passes, in order`() {
        var bench = Bench()
        let device = bench.addDevice("outside")
        var out: [SimulationOutput] = []
        bench.apply(.stall(device, .seconds(1)))
        bench.simulation.receive([0x01, 0x03, 0x0C, 0x00], from: device, into: &out)
        bench.simulation.receive([0x01, 0x01, 0x10, 0x00], from: device, into: &out)
        #expect(out == [])
        bench.simulation.advance(to: Instant.start + .seconds(1), into: &out)
        let opcodes = out.compactMap { output -> [UInt8]? in
            if case .packet(device, let packet) = output { Array(packet[4...5]) } else { nil }
        }
        #expect(opcodes == [[0x03, 0x0C], [0x01, 0x10]])
    }

    @Test func `a closed transport carries nothing until it is open again`() {
        var bench = Bench()
        let device = bench.addDevice("outside")
        var out: [SimulationOutput] = []
        bench.simulation.apply(.closeTransport(device, reason: "unplugged"), into: &out)
        bench.simulation.receive([0x01, 0x03, 0x0C, 0x00], from: device, into: &out)
        #expect(out == [.transportClosed(device, reason: "unplugged")])
        bench.simulation.apply(.openTransport(device), into: &out)
        bench.simulation.receive([0x01, 0x03, 0x0C, 0x00], from: device, into: &out)
        #expect(out.suffix(2).first == .transportOpened(device))
        #expect(out.last == .packet(device, [0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]))
    }

    @Test func `faults of devices that don't exist do nothing`() {
        var bench = Bench()
        let nobody = DeviceID(rawValue: 7)
        bench.apply(.power(nobody, true))
        bench.apply(.loss(nobody, nobody, 1))
        #expect(bench.outputs == [])
    }
}
