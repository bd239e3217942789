import BLEWire
import CoreBluetooth
import CoreBluetoothSimulation
import Foundation
import Testing

/// What a program that notifies as fast as it may gets through, against what the air times of the specification allow.
@Suite struct ThroughputTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var uses2M: Bool
        var hasLongPackets: Bool
        var mtu: Int
        /// Units of 1.25 ms.
        var interval: Int64

        var testDescription: String {
            "\(uses2M ? "2M" : "1M"), \(hasLongPackets ? 251 : 27) octets, MTU \(mtu), \(Double(interval) * 1.25) ms"
        }
    }

    static let cases: [Case] = [false, true].flatMap { uses2M in
        [false, true].flatMap { long in
            [23, 158, 247].flatMap { mtu in
                [Int64(6), 40, 320].map { Case(uses2M: uses2M, hasLongPackets: long, mtu: mtu, interval: $0) }
            }
        }
    }

    /// Octets of values a second: whole fragments follow each other, each asked for by an empty packet, with two
    /// spaces, and the last exchange of an event ends one space before the next event. [Vol 6, Part B, 4.5.1]
    static func expected(_ test: Case) -> Double {
        let limit = test.hasLongPackets ? 251 : 27
        let length = test.mtu + 4
        let fragments = stride(from: 0, to: length, by: limit).map { min(limit, length - $0) }
        let phy: PhysicalLayer = test.uses2M ? .le2M : .le1M
        let empty = AirTime.microseconds(payload: 0, on: phy)
        var (values, next) = (0, 0)
        let events: Int64 = 4_000
        for _ in 0..<events {
            var time: Int64 = 0
            while true {
                let exchange = empty + 150 + AirTime.microseconds(payload: fragments[next], on: phy)
                guard time + exchange <= test.interval * 1_250 - 150 else { break }
                time += exchange + 150
                next += 1
                if next == fragments.count { (values, next) = (values + 1, 0) }
            }
        }
        return Double(values * (test.mtu - 3)) / (Double(events * test.interval * 1_250) / 1e6)
    }

    @Test(arguments: cases)
    func `notifications get through at what air time allows, within 2 %`(_ test: Case) throws {
        var profile = PhoneProfile()
        profile.mtu = test.mtu
        profile.dataLength = test.hasLongPackets ? 251 : 27
        profile.uses2M = test.uses2M
        profile.connectionInterval = .microseconds(test.interval * 1_250)
        profile.supervisionTimeout = .seconds(6)
        let world = World(seed: 1)
        let value = CBMutableCharacteristic(
            type: CBUUID(string: "BB01"), properties: .notify, value: nil, permissions: .readable)
        let source = PeripheralProgram(world, on: world.addPhone("source", profile: profile))
        #expect(source.publish([PeripheralProgram.service("BB00", value)], name: "source"))
        let meter = Meter()
        let central = CentralProgram(world, on: world.addPhone("phone", profile: profile))
        central.onValue = { meter.add($0.value?.count ?? 0) }
        let peripheral = try #require(central.reach("source"))
        #expect(central.subscribe(to: try #require(central.characteristic("BB01", of: peripheral))))
        // One radio does one thing at a time: what advertises as well has less for its links.
        source.manager.stopAdvertising()
        world.advance(by: .seconds(4))
        let content = Data(count: test.mtu - 3)
        source.onReady = {
            while source.manager.updateValue(content, for: value, onSubscribedCentrals: nil) {}
        }
        source.onReady()
        // The first second is left out; then whole intervals.
        world.advance(by: .seconds(1))
        let before = meter.octets
        let seconds: Int64 = test.interval == 320 ? 2 : 1
        world.advance(by: .seconds(seconds))
        let measured = Double(meter.octets - before) / Double(seconds)
        let ratio = measured / Self.expected(test)
        #expect((0.98...1.02).contains(ratio), "\(measured) of \(Self.expected(test)) octets a second")
    }

    private final class Meter: @unchecked Sendable {
        private let lock = NSLock()
        private var count = 0
        func add(_ octets: Int) { lock.withLock { count += octets } }
        var octets: Int { lock.withLock { count } }
    }
}
