import BLEController
import BLEWire
import Testing

@Suite struct PlacementTests {
    private func levels(_ change: (inout TestRadio, ControllerID, ControllerID) -> Void, power: Int8 = 0) -> [Int8] {
        var radio = TestRadio()
        let scanner = radio.add(1)
        let id = radio.add(2) { $0.transmitPower = power }
        change(&radio, scanner, id)
        radio.scan(scanner)
        radio.advertise(id, type: .nonConnectable)
        radio.run(.seconds(1))
        return Array(Set(radio.reports(scanner).map(\.rssi)))
    }

    @Test func `without places everything is one metre apart`() {
        #expect(levels { _, _, _ in } == [-40])
        #expect(levels({ _, _, _ in }, power: 8) == [-32])
    }

    @Test(arguments: [(1.0, -40), (2, -46), (10, -60), (100, -80), (400, -92), (0.01, -20)] as [(Double, Int8)])
    func `the level falls by 20 dB each tenfold distance`(_ metres: Double, _ level: Int8) {
        #expect(
            levels { radio, scanner, id in
                radio.radio.setPosition(Position(x: 3, y: 1, z: 0), of: scanner)
                radio.radio.setPosition(Position(x: 3 + metres, y: 1, z: 0), of: id)
            } == [level])
    }

    @Test func `beyond the range nothing is heard`() {
        #expect(
            levels { radio, scanner, id in
                radio.radio.setPosition(Position(), of: scanner)
                radio.radio.setPosition(Position(y: 600), of: id)
            }.isEmpty)
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300])
    func `a place that is none is out of range or like any other, and no trap`(_ value: Double) {
        _ = levels { radio, scanner, id in
            radio.radio.setPosition(Position(), of: scanner)
            radio.radio.setPosition(Position(x: value, y: value, z: value), of: id)
        }
    }

    @Test func `a level that is fixed for a pair wins over places, until it is taken back`() {
        #expect(
            levels { radio, scanner, id in
                radio.radio.setPosition(Position(), of: scanner)
                radio.radio.setPosition(Position(x: 10), of: id)
                radio.radio.setRSSI(-71, between: scanner, and: id)
            } == [-71])
        #expect(
            levels { radio, scanner, id in
                radio.radio.setRSSI(-71, between: scanner, and: id)
                radio.radio.setRSSI(nil, between: scanner, and: id)
            } == [-40])
    }

    @Test func `walls weaken faster`() {
        var settings = RadioSettings()
        settings.pathLoss.exponent = 3
        var radio = TestRadio(settings)
        let scanner = radio.add(1)
        let id = radio.add(2)
        radio.radio.setPosition(Position(), of: scanner)
        radio.radio.setPosition(Position(x: 10), of: id)
        radio.scan(scanner)
        radio.advertise(id)
        radio.run(.seconds(1))
        #expect(Set(radio.reports(scanner).map(\.rssi)) == [-70])
    }

    @Test func `the RSSI of a link is that of its last packet`() throws {
        var radio = TestRadio()
        let central = radio.add(1)
        let peripheral = radio.add(2)
        let handle = try radio.connect(central, to: peripheral).central
        radio.radio.setRSSI(-55, between: central, and: peripheral)
        radio.run(.milliseconds(100))
        let octets: [UInt8] = [0, UInt8(handle.rawValue), UInt8(handle.rawValue >> 8), UInt8(bitPattern: -55)]
        #expect(
            radio.send(HCIReadRSSI(handle: handle), to: central) == [
                .commandComplete(.init(opcode: .readRSSI, returnParameters: octets))
            ])
    }

    @Test(arguments: [0.1, 0.5, 0.9])
    func `a loss is about as frequent as it is probable`(_ loss: Double) {
        var radio = TestRadio()
        let scanner = radio.add(1)
        let id = radio.add(2)
        radio.radio.setLoss(loss, between: scanner, and: id)
        radio.scan(scanner, interval: 0x4000, window: 0x4000)
        radio.advertise(id, type: .nonConnectable, interval: 32)
        radio.run(.seconds(60))
        // About 2,400 events.
        let heard = Double(radio.reports(scanner).count) / (60 / 0.025)
        #expect(abs(heard - (1 - loss)) < 0.05)
    }

    @Test func `the settings' loss holds for all without one of their own`() {
        var settings = RadioSettings()
        settings.loss = 1
        var radio = TestRadio(settings)
        let scanner = radio.add(1)
        let near = radio.add(2)
        let far = radio.add(3)
        radio.radio.setLoss(0, between: scanner, and: near)
        radio.scan(scanner)
        radio.advertise(near)
        radio.advertise(far)
        radio.run(.seconds(1))
        #expect(Set(radio.reports(scanner).map(\.address)) == [radio.address(near)])
    }
}
