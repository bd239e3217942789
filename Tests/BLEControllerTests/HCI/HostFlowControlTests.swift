import BLEController
import BLEWire
import Testing

@Suite struct HostFlowControlTests {
    private func flowControlled(
        packets: UInt16, length: UInt16 = 251
    ) throws -> (TestRadio, ControllerID, ControllerID, ConnectionHandle, ConnectionHandle) {
        var radio = TestRadio()
        let central = radio.add(1) { $0.aclPacketCount = 20 }
        let peripheral = radio.add(2)
        radio.send(
            HCIHostBufferSize(
                aclDataPacketLength: length, synchronousDataPacketLength: 0, totalACLDataPackets: packets,
                totalSynchronousDataPackets: 0), to: peripheral)
        #expect(radio.status(HCISetControllerToHostFlowControl(flowControl: 1), to: peripheral) == .success)
        let handles = try radio.connect(central, to: peripheral, interval: 6)
        radio.clear()
        return (radio, central, peripheral, handles.central, handles.peripheral)
    }

    @Test func `a host gets as many packets as it has buffers, and the rest when it has emptied them`() throws {
        var (radio, central, peripheral, own, other) = try flowControlled(packets: 3)
        for octet in UInt8(0)..<8 { radio.sendData([octet], to: central, own) }
        radio.run(.milliseconds(300))
        #expect(radio.data(peripheral).map(\.payloadOctets) == [[0], [1], [2]])
        radio.send(HCIHostNumberOfCompletedPackets(completed: [.init(handle: other, count: 2)]), to: peripheral)
        radio.run(.milliseconds(300))
        #expect(radio.data(peripheral).map(\.payloadOctets) == [[0], [1], [2], [3], [4]])
        radio.send(HCIHostNumberOfCompletedPackets(completed: [.init(handle: other, count: 3)]), to: peripheral)
        radio.run(.milliseconds(300))
        #expect(radio.data(peripheral).count == 8)
        #expect(radio.disconnections(central).isEmpty)
    }

    @Test func `the sender's credits don't come back while the receiver's host is full`() throws {
        var (radio, central, _, own, _) = try flowControlled(packets: 1)
        radio.sendData([1], to: central, own)
        radio.sendData([2], to: central, own)
        radio.run(.milliseconds(300))
        let completed = radio.events(central).filter { if case .numberOfCompletedPackets = $0 { true } else { false } }
        #expect(completed.count == 1)
    }

    @Test func `packets are no longer than the host's buffers`() throws {
        var (radio, central, peripheral, own, _) = try flowControlled(packets: 20, length: 10)
        radio.sendData([UInt8](0..<25), to: central, own)
        radio.run(.milliseconds(100))
        #expect(radio.data(peripheral).map(\.payload.count) == [10, 10, 5])
        #expect(radio.data(peripheral).map(\.boundary) == [.first, .continuing, .continuing])
        #expect(radio.data(peripheral).flatMap(\.payloadOctets) == [UInt8](0..<25))
    }

    @Test func `a host that counts more than it was given is told so`() throws {
        var (radio, central, peripheral, own, other) = try flowControlled(packets: 2)
        radio.sendData([1], to: central, own)
        radio.run(.milliseconds(50))
        let answer = radio.send(
            HCIHostNumberOfCompletedPackets(completed: [.init(handle: other, count: 9)]), to: peripheral)
        #expect(answer == [.commandComplete(.init(opcode: .hostNumberOfCompletedPackets, returnParameters: [0x12]))])
    }

    @Test func `a link that ends gives its host's buffers back`() throws {
        var (radio, central, peripheral, own, _) = try flowControlled(packets: 1)
        radio.sendData([1], to: central, own)
        radio.run(.milliseconds(50))
        radio.send(HCIDisconnect(handle: own, reason: .remoteUserTerminated), to: central)
        radio.run(.milliseconds(200))
        let next = try radio.connect(central, to: peripheral, interval: 6).central
        radio.clear()
        radio.sendData([2], to: central, next)
        radio.run(.milliseconds(100))
        #expect(radio.data(peripheral).map(\.payloadOctets) == [[2]])
    }

    @Test func `flow control can't be switched while there are links, and needs buffers`() throws {
        var (radio, _, peripheral, _, _) = try flowControlled(packets: 1)
        #expect(radio.status(HCISetControllerToHostFlowControl(flowControl: 0), to: peripheral) == .commandDisallowed)
        #expect(
            radio.status(
                HCIHostBufferSize(
                    aclDataPacketLength: 0, synchronousDataPacketLength: 0, totalACLDataPackets: 1,
                    totalSynchronousDataPackets: 0), to: peripheral) == .invalidParameters)
    }

    @Test(arguments: [1, 2, 4])
    func `10,000 packets through few buffers arrive whole and in order`(_ buffers: Int) throws {
        var radio = TestRadio()
        let central = radio.add(1) { $0.aclPacketCount = buffers }
        let peripheral = radio.add(2)
        let handle = try radio.connect(central, to: peripheral, interval: 6).central
        radio.clear()
        let packets = (0..<10_000).map { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        radio.pump(central, handle, packets, credits: buffers)
        radio.run(atMost: .seconds(90)) { $0.pumps[0].waiting.isEmpty }
        radio.run(.milliseconds(100))
        #expect(radio.data(peripheral).map(\.payloadOctets) == packets)
    }
}
