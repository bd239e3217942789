import BLEController
import BLEWire
import Testing

@Suite struct CapacityProcedureTests {
    @Test func `longer packets are agreed on, told to both, and used`() throws {
        var pair = try Pair(interval: 24)
        #expect(
            pair.radio.status(
                LESetDataLength(handle: pair.own, transmitOctets: 251, transmitTime: 2120), to: pair.central)
                == .success)
        pair.radio.run(.milliseconds(100))
        #expect(pair.opcodes == [.lengthReq, .lengthRsp])
        #expect(
            pair.radio.events(pair.central).last
                == .leDataLengthChange(
                    .init(
                        handle: pair.own, maxTransmitOctets: 251, maxTransmitTime: 2120, maxReceiveOctets: 27,
                        maxReceiveTime: 328)))
        #expect(
            pair.radio.events(pair.peripheral).last
                == .leDataLengthChange(
                    .init(
                        handle: pair.other, maxTransmitOctets: 27, maxTransmitTime: 328, maxReceiveOctets: 251,
                        maxReceiveTime: 2120)))
        pair.radio.sendData([UInt8](repeating: 1, count: 251), to: pair.central, pair.own)
        pair.radio.sendData([UInt8](repeating: 2, count: 54), to: pair.peripheral, pair.other)
        pair.radio.run(.milliseconds(100))
        #expect(pair.radio.data(pair.peripheral).map(\.payload.count) == [251])
        #expect(pair.radio.data(pair.central).map(\.payload.count) == [27, 27])
    }

    @Test func `a length that the host suggested is asked for on each new link`() throws {
        var radio = TestRadio()
        let central = radio.add(1)
        let peripheral = radio.add(2)
        radio.send(LEWriteSuggestedDefaultDataLength(maxTransmitOctets: 123, maxTransmitTime: 1112), to: peripheral)
        _ = try radio.connect(central, to: peripheral)
        radio.run(.milliseconds(200))
        let change = radio.events(central).compactMap {
            if case .leDataLengthChange(let event) = $0 { event.maxReceiveOctets } else { nil }
        }
        #expect(change == [123])
    }

    @Test func `the time limits a packet as the octets do`() throws {
        var pair = try Pair(interval: 24)
        // 328 µs at 1M are 27 octets with a MIC, at 2M 67.
        pair.radio.send(LESetDataLength(handle: pair.own, transmitOctets: 251, transmitTime: 328), to: pair.central)
        pair.radio.run(.milliseconds(200))
        pair.radio.sendData([UInt8](repeating: 1, count: 100), to: pair.central, pair.own)
        pair.radio.run(.milliseconds(100))
        #expect(pair.radio.data(pair.peripheral).map(\.payload.count) == [27, 27, 27, 19])
        pair.radio.send(
            LESetPHY(handle: pair.own, allPHYs: 0, transmitPHYs: 2, receivePHYs: 2, options: 0), to: pair.central)
        pair.radio.run(.milliseconds(500))
        pair.radio.clear()
        pair.radio.sendData([UInt8](repeating: 1, count: 100), to: pair.central, pair.own)
        pair.radio.run(.milliseconds(100))
        #expect(pair.radio.data(pair.peripheral).map(\.payload.count) == [67, 33])
    }

    @Test(arguments: [true, false])
    func `either side changes the PHY at an instant, and packets are on the air on it`(_ byCentral: Bool) throws {
        var pair = try Pair()
        let (id, handle) = byCentral ? (pair.central, pair.own) : (pair.peripheral, pair.other)
        #expect(
            pair.radio.status(LESetPHY(handle: handle, allPHYs: 0, transmitPHYs: 2, receivePHYs: 2, options: 0), to: id)
                == .success)
        pair.radio.run(.milliseconds(400))
        #expect(pair.opcodes == (byCentral ? [.phyReq, .phyRsp, .phyUpdateInd] : [.phyReq, .phyUpdateInd]))
        for (id, handle) in [(pair.central, pair.own), (pair.peripheral, pair.other)] {
            #expect(
                pair.radio.events(id).contains(
                    .lePHYUpdateComplete(.init(status: .success, handle: handle, transmitPHY: .le2M, receivePHY: .le2M))
                ))
            #expect(
                pair.radio.send(LEReadPHY(handle: handle), to: id)
                    == [
                        .commandComplete(
                            .init(
                                opcode: .leReadPHY,
                                returnParameters: [0, UInt8(handle.rawValue), UInt8(handle.rawValue >> 8), 2, 2]))
                    ])
        }
        #expect(pair.radio.linkPackets.suffix(10).allSatisfy { $0.phy == .le2M })
        let last = pair.radio.linkPackets.suffix(2).map(\.time)
        #expect(Set(pair.radio.linkPackets.suffix(20).map(\.phy)) == [.le2M])
        #expect(last.count == 2)
    }

    @Test func `the directions may have different PHYs`() throws {
        var pair = try Pair()
        pair.radio.send(
            LESetPHY(handle: pair.own, allPHYs: 0, transmitPHYs: 2, receivePHYs: 1, options: 0), to: pair.central)
        pair.radio.run(.milliseconds(400))
        #expect(
            pair.radio.events(pair.central).contains(
                .lePHYUpdateComplete(.init(status: .success, handle: pair.own, transmitPHY: .le2M, receivePHY: .le1M))))
        #expect(
            pair.radio.events(pair.peripheral).contains(
                .lePHYUpdateComplete(.init(status: .success, handle: pair.other, transmitPHY: .le1M, receivePHY: .le2M))
            ))
        pair.radio.sendData([1], to: pair.central, pair.own)
        pair.radio.run(.milliseconds(50))
        #expect(pair.radio.data(pair.peripheral).count == 1)
    }

    @Test(arguments: [(UInt16(0), PhysicalLayer.codedS8), (1, .codedS2), (2, .codedS8)])
    func `the Coded PHY is used with the coding that the host prefers`(_ options: UInt16, _ phy: PhysicalLayer) throws {
        var pair = try Pair(interval: 40)
        pair.radio.send(
            LESetPHY(handle: pair.own, allPHYs: 0, transmitPHYs: 4, receivePHYs: 4, options: options), to: pair.central)
        pair.radio.run(.seconds(1))
        pair.radio.clear()
        pair.radio.sendData([1, 2, 3], to: pair.central, pair.own)
        pair.radio.run(.milliseconds(100))
        let sent = pair.radio.linkPackets.filter { $0.direction == .centralToPeripheral }
        #expect(Set(sent.map(\.phy)) == [phy])
        #expect(pair.radio.data(pair.peripheral).map(\.payloadOctets) == [[1, 2, 3]])
    }

    @Test func `a PHY that the peer doesn't have is not taken, and the host is told the one in use`() throws {
        var pair = try Pair(peripheral: { $0.supports2M = false })
        pair.radio.send(
            LESetPHY(handle: pair.own, allPHYs: 0, transmitPHYs: 2, receivePHYs: 2, options: 0), to: pair.central)
        pair.radio.run(.milliseconds(400))
        #expect(
            pair.radio.events(pair.central).last
                == .lePHYUpdateComplete(
                    .init(status: .success, handle: pair.own, transmitPHY: .le1M, receivePHY: .le1M)))
    }

    @Test func `a PHY that the controller itself doesn't have is refused`() throws {
        var pair = try Pair(central: { $0.supportsCoded = false })
        #expect(
            pair.radio.status(
                LESetPHY(handle: pair.own, allPHYs: 0, transmitPHYs: 4, receivePHYs: 4, options: 0), to: pair.central)
                == .unsupportedFeature)
        #expect(
            pair.radio.status(LESetDefaultPHY(allPHYs: 0, transmitPHYs: 4, receivePHYs: 1), to: pair.central)
                == .unsupportedFeature)
        #expect(
            pair.radio.status(LESetDefaultPHY(allPHYs: 0, transmitPHYs: 0, receivePHYs: 1), to: pair.central)
                == .unsupportedFeature)
    }
}
