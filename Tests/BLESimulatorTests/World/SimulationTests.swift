import BLEController
import BLEHost
import BLESimulator
import BLEWire
import Testing

@Suite struct SimulationTests {
    static let beacon: LightPeripheralProfile = {
        var profile = LightPeripheralProfile()
        var advertising = AdvertisingSettings()
        advertising.data = [2, 1, 6]
        profile.advertising = advertising
        return profile
    }()

    private func hash(seed: UInt64) -> UInt64 {
        var bench = Bench(seed: seed)
        let central = bench.addHost("central")
        let beacon = bench.addPeripheral("beacon", Self.beacon)
        _ = bench.connect(central, to: beacon)
        bench.run(.seconds(2))
        return bench.simulation.hash.value
    }

    @Test func `the same seed and inputs give the same hash`() {
        #expect(hash(seed: 5) == hash(seed: 5))
    }

    @Test func `another seed gives another hash`() {
        #expect(hash(seed: 5) != hash(seed: 6))
    }

    @Test func `one more device doesn't change when the others advertise`() {
        var alone = Bench(capturesAir: true)
        _ = alone.addPeripheral("beacon", Self.beacon)
        alone.run(.seconds(3))
        var together = Bench(capturesAir: true)
        let first = together.addPeripheral("beacon", Self.beacon)
        _ = together.addPeripheral("other", Self.beacon)
        together.run(.seconds(3))
        let bits = together.simulation.address(of: first).bits
        let address = (0..<6).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt64($0))) }
        let own = together.air.filter { $0.pdu.count >= 8 && Array($0.pdu[2...7]) == address }
        #expect(alone.air.count == own.count)
        #expect(alone.air.map(\.time) == own.map(\.time))
    }

    @Test func `actions come at their time, those of one instant in their order`() {
        var bench = Bench()
        let late = bench.simulation.schedule(at: Instant(nanoseconds: 20))
        let first = bench.simulation.schedule(at: Instant(nanoseconds: 10))
        let second = bench.simulation.schedule(at: Instant(nanoseconds: 10))
        bench.run(.seconds(1))
        let actions = bench.outputs.compactMap { if case .action(let id) = $0 { id } else { nil } }
        #expect(actions == [first, second, late])
    }

    @Test func `time goes to the limit where nothing happens`() {
        var bench = Bench()
        bench.run(.seconds(3))
        #expect(bench.simulation.now == Instant.start + .seconds(3))
    }

    @Test func `a host outside gets its packets and its deadline`() {
        var bench = Bench()
        let device = bench.addDevice("outside")
        var out: [SimulationOutput] = []
        bench.simulation.receive([0x01, 0x03, 0x0C, 0x00], from: device, into: &out)
        bench.simulation.setDeadline(Instant.start + .milliseconds(5), of: device)
        bench.simulation.advance(to: Instant.start + .seconds(1), into: &out)
        #expect(
            out == [
                .packet(device, [0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]), .hostDeadline(device),
            ])
    }

    @Test func `a deadline that moves away isn't told at its old time`() {
        var bench = Bench()
        let device = bench.addDevice("outside")
        var out: [SimulationOutput] = []
        bench.simulation.setDeadline(Instant.start + .milliseconds(5), of: device)
        bench.simulation.setDeadline(Instant.start + .milliseconds(9), of: device)
        bench.simulation.advance(to: Instant.start + .milliseconds(8), into: &out)
        #expect(out == [])
        bench.simulation.advance(to: Instant.start + .milliseconds(9), into: &out)
        #expect(out == [.hostDeadline(device)])
    }

    @Test func `a host outside that sends rubbish harms nobody`() {
        var bench = Bench()
        let device = bench.addDevice("outside")
        let central = bench.addHost("central")
        let beacon = bench.addPeripheral("beacon", Self.beacon)
        _ = bench.connect(central, to: beacon)
        var random = EntityGenerator(seed: 1, entity: 99)
        var out: [SimulationOutput] = []
        for _ in 0..<2_000 {
            let octets = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            bench.simulation.receive(octets, from: device, into: &out)
        }
        bench.run(.seconds(2))
        #expect(bench.simulation.linkLayerState(of: central) == .connectedAsCentral)
    }

    @Test func `records say who saw whom, and are limited`() {
        var bench = Bench()
        let central = bench.addHost("central")
        let beacon = bench.addPeripheral("beacon", Self.beacon)
        bench.run(.seconds(1))
        bench.simulation.recordLimit = bench.simulation.records.count
        bench.command(.startScanning(ScanSettings()), central)
        bench.run(.seconds(1))
        #expect(bench.simulation.droppedRecords > 0)
        let sighting = bench.simulation.sightings.sighting(
            of: bench.simulation.address(of: beacon), by: central)
        #expect(sighting?.rssi == -40)
        #expect((9...30).contains(sighting?.count ?? 0))
    }
}
