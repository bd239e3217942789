import BLEController
import BLEWire
import Testing

@Suite struct DeterminismTests {
    /// A busy scene with losses; its outputs with their times, as text.
    private func scene(_ seed: UInt64, bystanders: Int = 0) throws -> [String] {
        var radio = TestRadio(seed: seed)
        let central = radio.add(1)
        let peripheral = radio.add(2)
        for last in UInt8(3)...12 { radio.advertise(radio.add(last)) }
        for last in 0..<bystanders { _ = radio.add(UInt8(100 + last)) }
        radio.scan(central, active: true)
        let handles = try radio.connect(central, to: peripheral, interval: 12, timeout: 600)
        radio.radio.setLoss(0.2, between: central, and: peripheral)
        radio.radio.setCorruption(0.05, between: central, and: peripheral)
        radio.pump(central, handles.central, (0..<100).map { [UInt8($0)] }, credits: 8)
        radio.pump(peripheral, handles.peripheral, (0..<100).map { [UInt8($0), 1] }, credits: 8)
        radio.send(
            LESetPHY(handle: handles.central, allPHYs: 3, transmitPHYs: 0, receivePHYs: 0, options: 0), to: central)
        radio.run(.seconds(5))
        return radio.log.map { "\($0.time.nanoseconds) \($0.output)" }
    }

    @Test func `the same seed gives the same outputs at the same times`() throws {
        #expect(try scene(7) == scene(7))
    }

    @Test func `another seed gives others`() throws {
        #expect(try scene(7) != scene(8))
    }

    @Test func `a device that stands by changes nothing for the others`() throws {
        // Its own answers to the first commands aren't counted.
        func outputs(_ lines: [String]) -> [String] { lines.filter { !$0.hasPrefix("0 ") } }
        #expect(try outputs(scene(7, bystanders: 3)) == outputs(scene(7)))
    }

    @Test func `capturing the air changes nothing else`() throws {
        func reports(_ captures: Bool) throws -> [String] {
            var settings = RadioSettings()
            settings.capturesAir = captures
            var radio = TestRadio(seed: 3, settings)
            let central = radio.add(1)
            let peripheral = radio.add(2)
            radio.scan(central, active: true)
            let handles = try radio.connect(central, to: peripheral, interval: 12, timeout: 600)
            radio.radio.setLoss(0.2, between: central, and: peripheral)
            radio.pump(central, handles.central, (0..<100).map { [UInt8($0)] }, credits: 8)
            radio.run(.seconds(5))
            return radio.log.compactMap { entry in
                if case .air = entry.output { return nil }
                return "\(entry.time.nanoseconds) \(entry.output)"
            }
        }
        #expect(try reports(true) == reports(false))
    }

    @Test func `advancing in one step or deadline by deadline is the same`() throws {
        func outputs(_ step: Delay?) -> [RadioOutput] {
            var radio = TestRadio(seed: 5)
            let scanner = radio.add(1)
            for last in UInt8(2)...6 { radio.advertise(radio.add(last)) }
            radio.scan(scanner, active: true)
            guard let step else {
                var out: [RadioOutput] = []
                radio.radio.advance(to: .start + .seconds(2), into: &out)
                return out
            }
            radio.clear()
            while radio.now < .start + .seconds(2) { radio.run(step) }
            return radio.log.map(\.output)
        }
        #expect(outputs(nil) == outputs(.milliseconds(500)))
    }
}
