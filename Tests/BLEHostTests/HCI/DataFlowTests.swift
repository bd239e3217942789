import BLEHost
import BLEWire
import Testing

/// ACL data under the controller's credits. What is sent here are refusals of pairing: two octets each.
@Suite struct DataFlowTests {
    static let pairingRequest: [UInt8] = [0x01, 0x03, 0x00, 0x00, 0x10, 0x00, 0x00]

    @Test func `sends no more packets than the controller has buffers`() {
        var bench = HostBench.linked(as: .peripheral)
        bench.completesData = false
        for _ in 0..<10 { bench.receive(Self.pairingRequest, on: .securityManager) }
        #expect(bench.data.count == 4)
        bench.receive(HCINumberOfCompletedPackets.packet(handle: HostBench.handle, count: 3))
        #expect(bench.data.count == 7)
    }

    @Test func `H06 believes a controller that completes too much only as far as it was given`() {
        var bench = HostBench.linked(as: .peripheral)
        bench.completesData = false
        for _ in 0..<20 { bench.receive(Self.pairingRequest, on: .securityManager) }
        bench.receive(HCINumberOfCompletedPackets.packet(handle: HostBench.handle, count: 1000))
        #expect(bench.data.count == 8)
        #expect(bench.traces.contains { $0.level == .warning })
    }

    @Test func `gives the buffers of a link that has ended to the others`() {
        var bench = HostBench.linked(as: .peripheral)
        bench.completesData = false
        let other = ConnectionHandle(rawValue: 0x0041)
        bench.linkMade(other, to: DeviceAddress(2), as: .peripheral)
        for _ in 0..<4 { bench.receive(Self.pairingRequest, on: .securityManager) }
        bench.receive(Self.pairingRequest, on: .securityManager, of: other)
        #expect(bench.sentPDUs(of: other).isEmpty)
        bench.receive(HCIDisconnectionComplete(handle: HostBench.handle).packet())
        #expect(bench.sentPDUs(of: other).count == 1)
    }

    @Test func `ignores completed packets of a link that has ended`() {
        var bench = HostBench.linked(as: .peripheral)
        bench.completesData = false
        let other = ConnectionHandle(rawValue: 0x0041)
        bench.linkMade(other, to: DeviceAddress(2), as: .peripheral)
        for _ in 0..<4 { bench.receive(Self.pairingRequest, on: .securityManager) }
        bench.receive(HCIDisconnectionComplete(handle: HostBench.handle).packet())
        bench.receive(HCINumberOfCompletedPackets.packet(handle: HostBench.handle, count: 4))
        for _ in 0..<10 { bench.receive(Self.pairingRequest, on: .securityManager, of: other) }
        #expect(bench.sentPDUs(of: other).count == 4)
    }

    @Test func `cuts a PDU into packets as long as the controller's buffers`() {
        var bench = HostBench.linked(as: .peripheral) {
            $0.bufferLength = 5
            $0.bufferCount = 1
        }
        bench.receive(Self.pairingRequest, on: .securityManager)
        let expected = ["02 40 00 05 00 02 00 06 00 05", "02 40 10 01 00 05"]
        #expect(bench.data.map { Hex.string($0, separator: " ") } == expected)
    }

    @Test func `cuts even inside the L2CAP header`() {
        var bench = HostBench.linked(as: .peripheral) { $0.bufferLength = 3 }
        bench.receive(Self.pairingRequest, on: .securityManager)
        let expected = ["02 40 00 03 00 02 00 06", "02 40 10 03 00 00 05 05"]
        #expect(bench.data.map { Hex.string($0, separator: " ") } == expected)
    }

    @Test func `H07 sends octet by octet where a buffer holds one`() {
        var bench = HostBench.linked(as: .peripheral) {
            $0.bufferLength = 1
            $0.bufferCount = 1
        }
        bench.receive(Self.pairingRequest, on: .securityManager)
        let octets = ["02", "00", "06", "00", "05", "05"]
        let expected = octets.enumerated().map { "02 40 \($0.offset == 0 ? "00" : "10") 01 00 \($0.element)" }
        #expect(bench.data.map { Hex.string($0, separator: " ") } == expected)
    }

    @Test func `gives twenty links their turns one after the other`() {
        var bench = HostBench.poweredOn()
        bench.completesData = false
        let handles = (0..<20).map { ConnectionHandle(rawValue: 0x0100 + UInt16($0)) }
        for handle in handles { bench.linkMade(handle, to: DeviceAddress(UInt64(handle.rawValue)), as: .peripheral) }
        // The first link wants much, the others come later and want little.
        for _ in 0..<100 { bench.receive(Self.pairingRequest, on: .securityManager, of: handles[0]) }
        for handle in handles.dropFirst() { bench.receive(Self.pairingRequest, on: .securityManager, of: handle) }
        var inFlight = bench.data
        bench.data = []
        for _ in 0..<20 {
            let packet = inFlight.removeFirst()
            let handle = ConnectionHandle(rawValue: (UInt16(packet[1]) | UInt16(packet[2]) << 8) & 0xFFF)
            bench.receive(HCINumberOfCompletedPackets.packet(handle: handle, count: 1))
            inFlight += bench.data.suffix(1)
        }
        let served = handles.dropFirst().map { bench.sentPDUs(of: $0).count }
        #expect(served == Array(repeating: 1, count: 19))
        #expect(bench.sentPDUs(of: handles[0]).count == 1)
    }

    @Test func `ends a link whose peer asks on and on and takes nothing`() {
        var configuration = HostConfiguration.quiet
        configuration.linkQueueLimit = 10
        var bench = HostBench.linked(as: .peripheral, configuration)
        bench.completesData = false
        let other = ConnectionHandle(rawValue: 0x0041)
        bench.linkMade(other, to: DeviceAddress(2), as: .peripheral)
        bench.forget()
        for _ in 0..<100 { bench.receive(Self.pairingRequest, on: .securityManager) }
        #expect(bench.events == [.disconnected(HostBench.handle, HostBench.peer, reason: .localHostTerminated)])
        #expect(bench.commands.map { Hex.string($0, separator: " ") } == ["01 06 04 03 40 00 14"])
        bench.receive(Self.pairingRequest, on: .securityManager, of: other)
        #expect(bench.sentPDUs(of: other).count == 1)
    }
}
