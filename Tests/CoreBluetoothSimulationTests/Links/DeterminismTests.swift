import CoreBluetooth
import CoreBluetoothSimulation
import Foundation
import Testing

/// The same seed and calls give the same run, in any process and on any queues.
@Suite struct DeterminismTests {
    /// A lively run: loss, notifications, writes, a program on two queues and on the main queue.
    static func hash(seed: UInt64) -> UInt64 {
        let world = World(seed: seed)
        let sensor = VirtualPeripheral("sensor").advertising().service(
            CBUUID(string: "AA00"),
            VirtualCharacteristic(CBUUID(string: "AA01"), [.notify, .read], value: Data(count: 8))
                .notifying(every: .milliseconds(70)),
            VirtualCharacteristic(CBUUID(string: "AA02"), [.write, .read]))
        let devices = (0..<3).map { _ in world.addPeripheral(sensor) }
        let centrals = [
            CentralProgram(world, on: world.addPhone("one")),
            CentralProgram(world, on: world.addPhone("two"), queue: nil),
        ]
        for device in devices { device.setLoss(0.1, to: centrals[0].phone) }
        for central in centrals {
            guard let peripheral = central.reach("sensor") else { return 0 }
            if let value = central.characteristic("AA01", of: peripheral) { central.subscribe(to: value) }
            central.onValue = { characteristic in
                guard let target = central.characteristic("AA02", of: peripheral) else { return }
                let value = characteristic.value ?? Data()
                DispatchQueue.main.async { peripheral.writeValue(value, for: target, type: .withResponse) }
            }
        }
        world.advance(by: .seconds(3))
        return world.traceHash
    }

    @Test func `the same seed gives the same run`() {
        #expect(Self.hash(seed: 7) == Self.hash(seed: 7))
    }

    @Test func `another seed gives another run`() {
        #expect(Self.hash(seed: 7) != Self.hash(seed: 8))
    }

    @Test func `the same seed gives the same run in another process`() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
            print("hash \(DeterminismTests.hash(seed: 7))")
        }
        let output = String(decoding: result.standardOutputContent, as: UTF8.self)
        #expect(output.contains("hash \(Self.hash(seed: 7))"))
    }
}
