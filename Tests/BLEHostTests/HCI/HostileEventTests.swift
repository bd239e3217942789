import BLEHost
import BLEWire
import Testing

@Suite struct HostileEventTests {
    static let nobody = ConnectionHandle(rawValue: 0x0EFF)

    /// Events about a link that isn't there.
    static let aboutNobody: [[UInt8]] = [
        HCIDisconnectionComplete(handle: nobody).packet(),
        HCINumberOfCompletedPackets.packet(handle: nobody, count: 3),
        LEReadRemoteFeaturesComplete(handle: nobody).packet(),
        LEConnectionUpdateComplete(handle: nobody).packet(),
        LEPHYUpdateComplete(handle: nobody).packet(),
        LEDataLengthChange(handle: nobody).packet(),
        HCIACLData.packet(handle: nobody, boundary: .first, payload: [1, 0, 4, 0, 2]),
        HCIEncryptionChange(handle: nobody).packet(),
    ]

    @Test(arguments: aboutNobody) func `H06, H10 and H19 survives an event about a link that isn't there`(
        _ packet: [UInt8]
    ) {
        var bench = HostBench.linked(as: .peripheral)
        bench.receive(packet)
        #expect(bench.events.isEmpty)
        #expect(bench.commands.isEmpty)
        #expect(bench.host.state == .poweredOn)
    }

    static let malformed: [String] = [
        "",  // nothing
        "04",  // an indicator and nothing else
        "04 3E",  // no length
        "04 3E 05 01",  // fewer parameters than said
        "04 0E 04 01 03",  // an answer that is cut
        "04 3E FF 02 01 00 00 01 02 03 04 05",  // far fewer than said
        "04 0F 04 00 01 03 0C FF",  // more than said
        "04 3E 00",  // no subevent
        "04 3E 01 02",  // no reports
        "04 3E 02 02 00",  // zero reports
        "04 3E 0C 02 01 09 00 01 02 03 04 05 06 00 00",  // a type that isn't one
        "04 3E 0C 02 01 00 00 01 02 03 04 05 06 30 00",  // data longer than the event
        // Extended: 255 octets of data said, 20 there.
        "04 3E 2E 0D 01 13 00 00 01 02 03 04 05 06 01 00 FF 7F C4 00 00 00 00 00 00 00 00 00 FF"
            + String(repeating: " 02", count: 20),
        "04 3E 03 02 FF 00",  // 255 reports, none there
        "04 13 01 05",  // five handles, none there
        "04 13 05 01 FF FF 01 00",  // a handle that can't be
        "04 0E 00",  // an answer to nothing, without credits
        "04 05 04 00 FF FF 13",  // the end of a handle that can't be
        "02",  // ACL data without a header
        "02 40 20 05 00",  // ACL data that isn't there
        "02 40 20 FF 00 03 00 04 00",  // less ACL data than said
        "02 40 20 00 00 01",  // more ACL data than said
        "02 40 20 00 00",  // none at all
        "01 03 0C 00",  // a command from the controller
        "03 00 00 00",  // synchronous data
        "05 00 00 00 00",  // isochronous data
        "07 01 02",  // an indicator that isn't one
        "FF",
        "04 FF 02 01 02",  // a vendor's event
        "04 3E 02 7F 00",  // a subevent from the future
    ]

    @Test(arguments: malformed) func `H01, H04 and H12 survives a packet that isn't what it says`(_ text: String) throws
    {
        var bench = HostBench.linked(as: .peripheral)
        bench.receive(try #require(Hex.octets(text)))
        #expect(bench.events.isEmpty)
        #expect(!bench.traces.isEmpty)
        // The link has lost nothing.
        bench.receive([0x01, 0x03, 0, 0, 1, 16, 0], on: .securityManager)
        #expect(bench.sentPDUs().map(\.payload) == [[0x05, 0x05]])
    }

    @Test func `keeps the credits of good entries beside a bad one`() throws {
        var bench = HostBench.linked(as: .peripheral) { $0.bufferCount = 1 }
        bench.completesData = false
        bench.receive([0x01], on: .securityManager)
        bench.receive([0x01], on: .securityManager)
        #expect(bench.data.count == 1)
        bench.receive(try #require(Hex.octets("04 13 09 02 FF FF 01 00 40 00 01 00")))
        #expect(bench.data.count == 2)
    }

    @Test(arguments: [
        // Five reports are said to be there, one is; two, and the second is cut; the first one's type is none.
        ("04 3E 0C 02 05 00 00 01 02 03 04 05 06 00 C3", 1),
        ("04 3E 14 02 02 00 00 01 02 03 04 05 06 00 C3 00 00 01 02 03 04 05 06", 1),
        ("04 3E 16 02 02 09 00 01 02 03 04 05 06 00 C3 00 00 01 02 03 04 05 06 00 C3", 1),
        ("04 3E 0C 02 01 00 00 01 02 03 04 05 06 05 C3", 0),
        (
            "04 3E 1A 0D 02 13 00 00 01 02 03 04 05 06 01 00 FF 7F C3 00 00 00 00 00 00 00 00 00 00", 1
        ),
    ])
    func `H02 of reports that aren't all there the whole ones are used`(text: String, count: Int) throws {
        var bench = HostBench.poweredOn()
        bench.command(.startScanning(ScanSettings()))
        bench.forget()
        bench.receive(try #require(Hex.octets(text)))
        let addresses = bench.events.compactMap { event -> UInt64? in
            guard case .advertisingReport(let report) = event else { return nil }
            return report.address.bits
        }
        #expect(addresses == Array(repeating: 0x0605_0403_0201, count: count))
        #expect(bench.traces.contains { $0.level == .warning })
    }

    @Test func `H05 an entry that is there counts where the event says that there are two`() throws {
        var bench = HostBench.linked(as: .peripheral) { $0.bufferCount = 1 }
        bench.completesData = false
        bench.receive([0x01], on: .securityManager)
        bench.receive([0x01], on: .securityManager)
        #expect(bench.data.count == 1)
        bench.receive(try #require(Hex.octets("04 13 05 02 40 00 01 00")))
        #expect(bench.data.count == 2)
        #expect(bench.traces.contains { $0.level == .warning })
    }

    @Test func `H11 data that comes before its link's event is dropped, and the link is as any other`() {
        var bench = HostBench.poweredOn()
        bench.receive([0x01, 0x03, 0, 0, 1, 16, 0], on: .securityManager)
        #expect(bench.events.isEmpty)
        #expect(bench.data.isEmpty)
        bench.linkMade(as: .peripheral)
        guard case .connected(let info)? = bench.events.first else {
            Issue.record("no link")
            return
        }
        #expect(info.peer == HostBench.peer)
        bench.receive([0x01, 0x03, 0, 0, 1, 16, 0], on: .securityManager)
        #expect(bench.sentPDUs().map(\.payload) == [[0x05, 0x05]])
    }

    static let oddLinks: [(String, answer: [String])] = [
        // A handle that can't be: nothing can be said to it.
        ("04 3E 13 01 00 FF 0F 01 00 01 02 03 04 05 06 18 00 00 00 C8 00 00", []),
        // A role that LE doesn't have: it is ended.
        ("04 3E 13 01 00 41 00 02 00 01 02 03 04 05 06 18 00 00 00 C8 00 00", ["01 06 04 03 41 00 13"]),
    ]

    @Test(arguments: oddLinks) func `H18 a link with values that can't be is none, and disturbs no other`(
        _ text: String, answer: [String]
    ) throws {
        var bench = HostBench.linked(as: .peripheral)
        bench.receive(try #require(Hex.octets(text)))
        #expect(bench.events.isEmpty)
        #expect(bench.traces.contains { $0.level == .warning })
        #expect(bench.commands.map { Hex.string($0, separator: " ") } == answer)
        bench.receive([0x01, 0x03, 0, 0, 1, 16, 0], on: .securityManager)
        #expect(bench.sentPDUs().map(\.payload) == [[0x05, 0x05]])
    }

    @Test func `H18 a link to an address of zeros is one like any other, and ends like any other`() {
        var bench = HostBench.linked(as: .peripheral)
        let handle = ConnectionHandle(rawValue: 0x0041)
        bench.linkMade(handle, to: DeviceAddress(0), as: .peripheral)
        bench.receive(HCIDisconnectionComplete(handle: handle, reason: .remoteUserTerminated).packet())
        #expect(bench.events.count == 2)
        #expect(bench.events.last == .disconnected(handle, DeviceAddress(0), reason: .remoteUserTerminated))
        bench.receive([0x01, 0x03, 0, 0, 1, 16, 0], on: .securityManager)
        #expect(bench.sentPDUs().map(\.payload) == [[0x05, 0x05]])
    }

    @Test func `takes a failed connection for what it is although its other fields are nonsense`() throws {
        var bench = HostBench.poweredOn()
        bench.command(.connect(HostBench.peer, ConnectionSettings()))
        bench.receive(try #require(Hex.octets("04 3E 13 01 09 FF FF FF FF FF FF FF FF FF FF FF FF FF FF FF FF FF")))
        #expect(bench.events == [.connectFailed(HostBench.peer, .hci(.connectionLimitExceeded))])
    }

    @Test func `H21 recovers from a hardware error, links and wishes ending with their errors`() {
        var bench = HostBench.linked(as: .peripheral)
        bench.command(.connect(DeviceAddress(7), ConnectionSettings()))
        bench.command(.gatt(HostBench.handle, OperationToken(rawValue: 1), .discoverServices(nil)))
        bench.forget()
        bench.receive(HCIHardwareError(code: 9).packet())
        #expect(
            bench.events == [
                .stateChanged(.resetting(.hci(.hardwareFailure))),
                .connectFailed(DeviceAddress(7), .hci(.hardwareFailure)),
                .gattCompleted(
                    HostBench.handle, OperationToken(rawValue: 1), .failure(.disconnected(.hardwareFailure))),
                .disconnected(HostBench.handle, HostBench.peer, reason: .hardwareFailure),
                .stateChanged(.poweredOn),
            ])
        #expect(bench.opcodes.first == .reset)
    }

    @Test func `H18 takes a handle that comes a second time for a new link`() {
        var bench = HostBench.linked(as: .peripheral)
        bench.linkMade(to: DeviceAddress(9), as: .peripheral)
        #expect(bench.events.count == 2)
        #expect(bench.events.first == .disconnected(HostBench.handle, HostBench.peer, reason: .unspecifiedError))
        guard case .connected(let info)? = bench.events.last else {
            Issue.record("no new link")
            return
        }
        #expect(info.peer == DeviceAddress(9))
    }

    @Test func `says nothing of packets that come while off`() {
        var bench = HostBench()
        bench.receive(HCIHardwareError(code: 1).packet())
        bench.linkMade(as: .peripheral)
        #expect(bench.events.isEmpty)
        #expect(bench.commands.isEmpty)
    }
}
