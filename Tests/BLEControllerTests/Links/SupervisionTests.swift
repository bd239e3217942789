import BLEController
import BLEWire
import Testing

@Suite struct SupervisionTests {
    @Test(arguments: [10, 72, 600] as [UInt16])
    func `a link that isn't heard any more is lost after its time-out, on both sides`(_ timeout: UInt16) throws {
        var radio = TestRadio()
        let central = radio.add(1)
        let peripheral = radio.add(2)
        _ = try radio.connect(central, to: peripheral, interval: 12, timeout: timeout)
        let start = radio.now
        radio.radio.setLoss(1, between: central, and: peripheral)
        radio.run(.seconds(10))
        for id in [central, peripheral] {
            #expect(radio.disconnections(id).map(\.reason) == [.connectionTimeout])
            let time = try #require(radio.time(of: id) { if case .disconnectionComplete = $0 { true } else { false } })
            let expected = Delay.milliseconds(Int64(timeout) * 10)
            // It was heard last within an interval before.
            #expect(time - start <= expected && time - start >= expected - .milliseconds(15))
        }
    }

    @Test func `a central that leaves the air is noticed by its time-out`() throws {
        var radio = TestRadio()
        let central = radio.add(1)
        let peripheral = radio.add(2)
        _ = try radio.connect(central, to: peripheral)
        var out: [RadioOutput] = []
        radio.radio.removeController(central, at: radio.now, into: &out)
        radio.run(.seconds(1))
        #expect(radio.disconnections(peripheral).map(\.reason) == [.connectionTimeout])
    }

    @Test func `a peripheral that leaves the air is noticed by its time-out, and data for it is forgotten`() throws {
        var radio = TestRadio()
        let central = radio.add(1) { $0.aclPacketCount = 2 }
        let peripheral = radio.add(2)
        let handle = try radio.connect(central, to: peripheral).central
        var out: [RadioOutput] = []
        radio.radio.removeController(peripheral, at: radio.now, into: &out)
        radio.sendData([1], to: central, handle)
        radio.sendData([2], to: central, handle)
        radio.run(.seconds(1))
        #expect(radio.disconnections(central).map(\.reason) == [.connectionTimeout])
        // Its buffers are free again.
        let other = radio.add(3)
        let next = try radio.connect(central, to: other).central
        radio.sendData([3], to: central, next)
        radio.sendData([4], to: central, next)
        radio.run(.milliseconds(200))
        #expect(radio.data(other).map(\.payloadOctets) == [[3], [4]])
    }

    @Test func `a link that is heard now and then stays`() throws {
        var radio = TestRadio(seed: 3)
        let central = radio.add(1)
        let peripheral = radio.add(2)
        _ = try radio.connect(central, to: peripheral, interval: 12, timeout: 200)
        radio.radio.setLoss(0.7, between: central, and: peripheral)
        radio.run(.seconds(20))
        #expect(radio.disconnections(central).isEmpty)
        #expect(radio.disconnections(peripheral).isEmpty)
    }

    @Test func `out of range is out of the link, and back in range it can be made again`() throws {
        var radio = TestRadio()
        let central = radio.add(1)
        let peripheral = radio.add(2)
        _ = try radio.connect(central, to: peripheral)
        radio.radio.setPosition(Position(x: 0), of: central)
        radio.radio.setPosition(Position(x: 1000), of: peripheral)
        radio.run(.seconds(1))
        #expect(radio.disconnections(central).map(\.reason) == [.connectionTimeout])
        radio.radio.setPosition(Position(x: 10), of: peripheral)
        _ = try radio.connect(central, to: peripheral)
    }

    @Test(arguments: [true, false])
    func `a termination is acknowledged: the ender is told 0x16, the other its reason`(_ byCentral: Bool) throws {
        var radio = TestRadio()
        let ids = [radio.add(1), radio.add(2)]
        let handles = try radio.connect(ids[0], to: ids[1])
        let (ender, other) = byCentral ? (ids[0], ids[1]) : (ids[1], ids[0])
        let handle = byCentral ? handles.central : handles.peripheral
        #expect(radio.status(HCIDisconnect(handle: handle, reason: .remotePowerOff), to: ender) == .success)
        #expect(radio.status(HCIDisconnect(handle: handle, reason: .remotePowerOff), to: ender) == .commandDisallowed)
        radio.run(.milliseconds(100))
        #expect(radio.disconnections(ender).map(\.reason) == [.localHostTerminated])
        #expect(radio.disconnections(other).map(\.reason) == [.remotePowerOff])
        #expect(
            radio.status(HCIDisconnect(handle: handle, reason: .remotePowerOff), to: ender)
                == .unknownConnectionIdentifier)
    }

    @Test func `a termination that isn't acknowledged is over after a supervision time-out`() throws {
        var radio = TestRadio()
        let central = radio.add(1)
        let peripheral = radio.add(2)
        let handle = try radio.connect(central, to: peripheral).central
        radio.radio.setLoss(1, between: central, and: peripheral)
        radio.send(HCIDisconnect(handle: handle, reason: .remoteUserTerminated), to: central)
        radio.run(.seconds(1))
        #expect(radio.disconnections(central).count == 1)
        #expect(radio.disconnections(peripheral).map(\.reason) == [.connectionTimeout])
    }

    @Test func `under loss a termination comes through all the same`() throws {
        for seed in UInt64(1)...20 {
            var radio = TestRadio(seed: seed)
            let central = radio.add(1)
            let peripheral = radio.add(2)
            let handle = try radio.connect(central, to: peripheral, interval: 12, timeout: 300).peripheral
            radio.radio.setLoss(0.4, between: central, and: peripheral)
            radio.send(HCIDisconnect(handle: handle, reason: .remoteUserTerminated), to: peripheral)
            radio.run(.seconds(4))
            #expect(radio.disconnections(central).map(\.reason) == [.remoteUserTerminated])
            #expect(radio.disconnections(peripheral).map(\.reason) == [.localHostTerminated])
        }
    }

    @Test func `a reason that a host may not give is refused`() throws {
        var radio = TestRadio()
        let central = radio.add(1)
        let peripheral = radio.add(2)
        let handle = try radio.connect(central, to: peripheral).central
        #expect(radio.status(HCIDisconnect(handle: handle, reason: .success), to: central) == .invalidParameters)
        #expect(
            radio.status(HCIDisconnect(handle: handle, reason: .connectionTimeout), to: central) == .invalidParameters)
    }
}
