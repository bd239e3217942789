import BLEHost
import BLEWire
import Testing

/// Peers that come and go without end: P09.
@Suite struct ConnectFloodTests {
    /// What a peer may have begun when it goes.
    private static let beginnings: [(channel: ChannelIdentifier, octets: [UInt8])] = [
        (.securityManager, [0x01, 0x03, 0x00, 0x09, 0x10, 0x07, 0x07]), (.att, [0x16, 0x03, 0x00, 0x00, 0x00, 0x41]),
        (.att, [0x02, 0x00, 0x02]), (.signalling, [0x14, 0x01, 0x0A, 0x00, 0x80, 0, 0x40, 0, 0x40, 0, 0x40, 0, 1, 0]),
    ]

    @Test func `P09 after a thousand connections and drops handles, timers and credits are as before`() {
        var bench = HostBench.poweredOn(.pairing())
        let before = bench.host.nextDeadline
        bench.completesData = false
        for round in 0..<1000 {
            let peer = DeviceAddress(0xC000_0000_0000 | UInt64(round), .randomDevice)
            bench.linkMade(to: peer, as: .peripheral)
            let (channel, octets) = Self.beginnings[round % Self.beginnings.count]
            bench.receive(octets, on: channel)
            // A frame that never gets its end.
            bench.receive(
                HCIACLData.packet(handle: HostBench.handle, boundary: .first, payload: [0x20, 0, 0x04, 0, 1]))
            bench.receive(HCIDisconnectionComplete(handle: HostBench.handle, reason: .connectionTimeout).packet())
            bench.forget()
        }
        #expect(bench.host.linkCount == 0 && bench.host.pairingCount == 0)
        #expect(bench.host.bonds.isEmpty)
        #expect(bench.host.nextDeadline == before)
        // The controller's buffers came back with each link.
        bench.completesData = true
        bench.linkMade(as: .peripheral)
        bench.forget()
        for _ in 0..<100 { bench.receive([0x0A, 0x03, 0x00], on: .att) }
        #expect(bench.sentPDUs().count == 100)
        #expect(bench.sentPDUs().allSatisfy { $0.payload.first == 0x0B })
    }

    @Test func `P09 while others come and go a link isn't disturbed`() {
        var bench = HostBench.linked(as: .peripheral, .pairing())
        let other = ConnectionHandle(rawValue: 0x0041)
        for round in 0..<200 {
            bench.linkMade(other, to: DeviceAddress(0xC000_0001_0000 | UInt64(round), .randomDevice), as: .peripheral)
            bench.receive([0x0A, 0x03, 0x00], on: .att)
            bench.receive(HCIDisconnectionComplete(handle: other, reason: .remoteUserTerminated).packet())
        }
        #expect(bench.sentPDUs().filter { $0.channel == .att }.count == 200)
        #expect(bench.host.linkCount == 1)
    }
}
