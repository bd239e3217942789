import BLEController
import BLEWire
import Testing

/// What a link carries, against what the air times of the specification allow.
@Suite struct ThroughputTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var phy: PhysicalLayer
        var hasLongPackets: Bool
        /// Octets of an L2CAP PDU with its header: an ATT notification of MTU 23, 158 or 247.
        var length: Int
        /// Units of 1.25 ms.
        var interval: UInt16
        var fromCentral: Bool
        var isEncrypted = false

        var testDescription: String {
            "\(phy), \(hasLongPackets ? 251 : 27) octets, PDUs of \(length), \(Double(interval) * 1.25) ms, "
                + (fromCentral ? "from the central" : "from the peripheral") + (isEncrypted ? ", encrypted" : "")
        }
    }

    static let cases: [Case] = [PhysicalLayer.le1M, .le2M].flatMap { phy in
        [false, true].flatMap { long in
            [27, 162, 251].flatMap { length in
                [UInt16(6), 40, 320].flatMap { interval in
                    [true, false].map {
                        Case(phy: phy, hasLongPackets: long, length: length, interval: interval, fromCentral: $0)
                    }
                }
            }
        }
    }

    /// Four octets of check more in each packet with a payload. [Vol 6, Part E, 2]
    static let encrypted: [Case] = [PhysicalLayer.le1M, .le2M].flatMap { phy in
        [false, true].flatMap { long in
            [true, false].map {
                Case(phy: phy, hasLongPackets: long, length: 251, interval: 40, fromCentral: $0, isEncrypted: true)
            }
        }
    }

    /// Octets a second by the specification's air times alone: whole fragments follow each other, each with an empty
    /// answer and two inter frame spaces, and the last exchange of an event ends one inter frame space before the next.
    static func expected(_ test: Case, seconds: Int64) -> Double {
        let limit = test.hasLongPackets ? 251 : 27
        var fragments: [Int] = []
        var rest = test.length
        while rest > 0 {
            fragments.append(min(rest, limit))
            rest -= min(rest, limit)
        }
        let interval = Int64(test.interval) * 1_250
        let empty = AirTime.microseconds(payload: 0, on: test.phy)
        var octets = 0
        var next = 0
        for _ in 0..<(seconds * 1_000_000 / interval) {
            var time: Int64 = 0
            while true {
                let payload = fragments[next] + (test.isEncrypted ? 4 : 0)
                let exchange = AirTime.microseconds(payload: payload, on: test.phy) + 150 + empty
                guard time + exchange <= interval - 150 else { break }
                time += exchange + 150
                octets += fragments[next]
                next = (next + 1) % fragments.count
            }
        }
        return Double(octets) / Double(seconds)
    }

    @Test(arguments: cases + encrypted)
    func `throughput is within 2 % of what air time allows`(_ test: Case) throws {
        var radio = TestRadio()
        let central = radio.add(1) { $0.aclPacketCount = 12 }
        let peripheral = radio.add(2) { $0.aclPacketCount = 12 }
        if test.hasLongPackets {
            for id in [central, peripheral] {
                radio.send(LEWriteSuggestedDefaultDataLength(maxTransmitOctets: 251, maxTransmitTime: 2120), to: id)
            }
        }
        let handles = try radio.connect(central, to: peripheral, interval: test.interval, timeout: 400)
        if test.phy == .le2M {
            radio.send(
                LESetPHY(handle: handles.central, allPHYs: 0, transmitPHYs: 2, receivePHYs: 2, options: 0), to: central)
        }
        if test.isEncrypted {
            radio.send(LEEnableEncryption(handle: handles.central, longTermKey: 1), to: central)
            radio.run(.seconds(1))
            radio.send(LELongTermKeyRequestReply(handle: handles.peripheral, longTermKey: 1), to: peripheral)
        }
        radio.run(.seconds(4))
        let (sender, handle, receiver) =
            test.fromCentral ? (central, handles.central, peripheral) : (peripheral, handles.peripheral, central)
        let packet = [UInt8](repeating: 0x5A, count: test.length)
        radio.pump(sender, handle, [[UInt8]](repeating: packet, count: 600_000 / test.length), credits: 12)
        // The first second is left out: the queue fills, and the event under way is short.
        radio.run(.seconds(1))
        radio.clear()
        let seconds: Int64 = 2
        radio.run(.seconds(seconds))
        let octets = radio.data(receiver).reduce(0) { $0 + $1.payload.count }
        let actual = Double(octets) / Double(seconds)
        let expected = Self.expected(test, seconds: seconds)
        #expect(abs(actual - expected) <= expected * 0.02, "\(actual) instead of \(expected) octets a second")
    }

    @Test(arguments: [(PhysicalLayer.le2M, 1402.0), (.le1M, 791.0)])
    func `the formula gives the known limits of 251 octets, in kbit/s of notification values`(
        _ phy: PhysicalLayer, _ limit: Double
    ) {
        let test = Case(phy: phy, hasLongPackets: true, length: 251, interval: 3200, fromCentral: false)
        let kilobits = Self.expected(test, seconds: 40) / 251 * 244 * 8 / 1000
        #expect(kilobits <= limit + 1 && kilobits > limit * 0.995, "\(kilobits)")
        // Of 251 octets, a check of 4 costs 1 to 2 %.
        var encrypted = test
        encrypted.isEncrypted = true
        let ratio = Self.expected(encrypted, seconds: 40) / Self.expected(test, seconds: 40)
        #expect(ratio > 0.98 && ratio < 0.99, "\(ratio)")
    }
}
