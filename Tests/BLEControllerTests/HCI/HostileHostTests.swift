import BLEController
import BLEWire
import Testing

@Suite struct HostileHostTests {
    @Test(arguments: [
        "", "00", "01", "01 03", "01 03 0C", "01 03 0C 05", "04 0E 00", "05 00 00 00 00", "02", "02 40",
        "02 40 00 FF FF", "FF 01 02", "03 00 00 00",
    ])
    func `octets that are no packet for a controller change nothing`(_ octets: String) {
        var radio = TestRadio()
        let id = radio.add(1)
        radio.send(packet: hex(octets), to: id)
        #expect(radio.status(HCIReset(), to: id) == .success)
    }

    @Test func `a stream that has lost its place is told so by a Hardware Error`() {
        var radio = TestRadio()
        let id = radio.add(1)
        #expect(radio.send(packet: [0x77, 1, 2], to: id) == [.hardwareError(HCIHardwareError(code: 0))])
    }

    @Test func `a packet of a controller that isn't there, or no longer, is ignored`() {
        var radio = TestRadio()
        let id = radio.add(1)
        radio.send(HCIReset(), to: ControllerID(rawValue: 99))
        radio.send(HCIReset(), to: ControllerID(rawValue: -1))
        var out: [RadioOutput] = []
        radio.radio.removeController(id, at: radio.now, into: &out)
        #expect(radio.send(HCIReset(), to: id).isEmpty)
    }

    /// Octets drawn at random, and commands with random parameters, in every state.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `whatever a host sends, its peers keep their links`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var radio = TestRadio(seed: seed)
        let hostile = radio.add(1)
        let central = radio.add(2)
        let peripheral = radio.add(3)
        let handles = try radio.connect(central, to: peripheral)
        let opcodes = HCICatalogue.commands.map { $0.opcode.rawValue }
        for _ in 0..<400 {
            var packet: [UInt8]
            if Bool.random(using: &generator) {
                let opcode = opcodes[Int.random(in: 0..<opcodes.count, using: &generator)]
                let count = Int.random(in: 0...64, using: &generator)
                packet = [1, UInt8(opcode & 0xFF), UInt8(opcode >> 8), UInt8(count)]
                // Small values are more often valid.
                for _ in 0..<count {
                    packet.append(UInt8.random(in: 0...(Bool.random(using: &generator) ? 3 : 255), using: &generator))
                }
            } else {
                packet = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                }
            }
            radio.send(packet: packet, to: hostile)
            if Int.random(in: 0..<4, using: &generator) == 0 { radio.run(.milliseconds(7)) }
        }
        radio.sendData([1, 2, 3], to: central, handles.central)
        radio.run(.milliseconds(300))
        #expect(radio.data(peripheral).map(\.payloadOctets) == [[1, 2, 3]])
        #expect(radio.disconnections(central).isEmpty)
        #expect(radio.status(HCIReset(), to: hostile) == .success)
    }

    @Test func `data for no link, too long, or with flags that LE doesn't have is dropped`() throws {
        var radio = TestRadio()
        let central = radio.add(1) { $0.aclPacketLength = 27 }
        let peripheral = radio.add(2)
        let handle = try radio.connect(central, to: peripheral).central
        radio.sendData([1], to: central, ConnectionHandle(rawValue: 0x0123))
        radio.sendData([UInt8](repeating: 0, count: 28), to: central, handle)
        radio.send(packet: [2, UInt8(handle.rawValue & 0xFF), 0x30, 1, 0, 9], to: central)
        radio.send(packet: [2, UInt8(handle.rawValue & 0xFF), 0x40, 1, 0, 9], to: central)
        radio.run(.milliseconds(200))
        #expect(radio.data(peripheral).isEmpty)
        #expect(radio.disconnections(central).isEmpty)
    }

    @Test func `more packets than there are buffers are an overflow, and the others arrive`() throws {
        var radio = TestRadio()
        let central = radio.add(1) { $0.aclPacketCount = 3 }
        let peripheral = radio.add(2)
        let handle = try radio.connect(central, to: peripheral).central
        for octet in UInt8(0)..<5 { radio.sendData([octet], to: central, handle) }
        #expect(
            radio.events(central).suffix(2) == [
                .dataBufferOverflow(HCIDataBufferOverflow()), .dataBufferOverflow(HCIDataBufferOverflow()),
            ])
        radio.run(.milliseconds(200))
        #expect(radio.data(peripheral).map(\.payloadOctets) == [[0], [1], [2]])
    }
}
