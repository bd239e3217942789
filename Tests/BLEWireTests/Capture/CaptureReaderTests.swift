import BLETestSupport
import BLEWire
import Testing

@Suite struct CaptureReaderTests {
    private func read(_ octets: [UInt8]) -> (packets: [CapturedPacket], reader: CaptureReader) {
        var reader = CaptureReader(octets)
        var packets: [CapturedPacket] = []
        while let packet = reader.next() { packets.append(packet) }
        return (packets, reader)
    }

    static let files: [(String, [UInt8], UInt16)] = [
        ("btsnoop with H4", CaptureFiles.btsnoopH4, 0), ("btsnoop without", CaptureFiles.btsnoopBare, 0),
        ("btsnoop of a monitor", CaptureFiles.btsnoopMonitor, 1), ("pcap with H4", CaptureFiles.pcapH4, 0),
        ("pcap with directions, big endian", CaptureFiles.pcapDirected, 0),
        ("pcap of a monitor", CaptureFiles.pcapMonitor, 1),
        ("pcapng without directions", CaptureFiles.pcapng(hasFlags: false), 0),
        ("pcapng with flags", CaptureFiles.pcapng(hasFlags: true), 0),
        ("pcapng, big endian", CaptureFiles.pcapng(isBig: true, hasFlags: true), 0),
        ("pcapng of two interfaces", CaptureFiles.pcapngOfTwo, 0),
        ("PacketLogger", CaptureFiles.packetLogger(isBig: true), 0),
        ("PacketLogger, little endian", CaptureFiles.packetLogger(isBig: false), 0),
    ]

    @Test(arguments: files) func `the same packets are read of every kind of file`(
        name: String, octets: [UInt8], adapter: UInt16
    ) {
        let (packets, reader) = read(octets)
        #expect(packets == CaptureFiles.expected(adapter: adapter))
        #expect(reader.fault == nil)
    }

    @Test(arguments: files) func `a file that is cut anywhere gives its whole packets and says so`(
        name: String, octets: [UInt8], adapter: UInt16
    ) {
        let all = CaptureFiles.expected(adapter: adapter)
        for count in 0..<octets.count {
            let (packets, reader) = read(Array(octets[..<count]))
            #expect(packets.count < all.count)
            #expect(packets == Array(all.prefix(packets.count)))
            if packets.isEmpty { continue }
            if case .cutRecord? = reader.fault { continue }
            // Between two records a file may end.
            #expect(reader.fault == nil)
        }
    }

    @Test func `what has no packet of Bluetooth's is counted`() {
        let (_, reader) = read(CaptureFiles.pcapngOfTwo)
        #expect(reader.skipped == 1)
        #expect(reader.strangeLinkType == 1)
        #expect(read(CaptureFiles.packetLogger(isBig: true)).reader.skipped == 1)
    }

    @Test func `a pcap file of something else is refused by its link type`() {
        var octets = CaptureFiles.pcapH4
        octets[20] = 1
        let (packets, reader) = read(octets)
        #expect(packets.isEmpty)
        #expect(reader.fault == .unsupportedLinkType(1))
    }

    @Test(arguments: [[], [0x0A], Array("hello, this is no capture at all".utf8), [UInt8](repeating: 0, count: 64)])
    func `what is no capture is refused`(octets: [UInt8]) {
        let (packets, reader) = read(octets)
        #expect(packets.isEmpty)
        #expect(reader.fault == .notACapture)
    }

    @Test func `the end of a sequence of directions follows its start`() {
        // A continuation says nothing about its way; the start before it on the same link does.
        let more: [UInt8] = [0x02, 0x40, 0x10, 0x01, 0x00, 0xAA]
        var file = CaptureFiles.section() + CaptureFiles.interface(187, resolution: nil)
        for packet in [CaptureFiles.received, more] { file += CaptureFiles.enhanced(0, 0, packet) }
        let directions = read(file).packets.compactMap { packet -> BTSnoop.Record.Direction? in
            guard case .hci(_, let direction) = packet.content else { return nil }
            return direction
        }
        #expect(directions == [.controllerToHost, .controllerToHost])
    }

    @Test func `damaged octets never trap`() {
        for (_, octets, _) in Self.files {
            for index in octets.indices {
                for value: UInt8 in [0x00, 0x7F, 0xFF] {
                    var damaged = octets
                    damaged[index] = value
                    #expect(read(damaged).packets.count <= 8)
                }
            }
        }
    }

    @Test func `packets of the air are read as they were written`() {
        for phy in [PhysicalLayer.le1M, .le2M, .codedS8, .codedS2] {
            let packet = AirCapture(
                channel: 11, phy: phy, rssi: -40, accessAddress: 0x5065_5B5D, direction: .peripheralToCentral,
                pdu: [0x0E, 0x01, 0xAA], crc: 0x12_3456, isCRCValid: true)
            var octets = Pcap.fileHeader(linkType: Pcap.linkLayerWithRadioHeader)
            Pcap.Record(unixNanoseconds: 7, packet: packet.packet()).append(to: &octets)
            #expect(read(octets).packets == [CapturedPacket(unixNanoseconds: 7, content: .air(packet))])
        }
    }

    @Test(arguments: 0...39 as ClosedRange<UInt8>) func `channels are found again by their frequency`(channel: UInt8) {
        let packet = AirCapture(
            channel: channel, phy: .le1M, rssi: 0, accessAddress: 1, direction: .centralToPeripheral, pdu: [2, 0],
            crc: 0, isCRCValid: true)
        #expect(AirCapture(record: packet.packet())?.channel == channel)
    }
}

/// The files of these tests are what other programs take for such files.
@Suite(.enabled(if: Tshark.path != nil, "tshark is not installed")) struct CaptureFileTests {
    @Test(arguments: CaptureReaderTests.files) func `Wireshark reads the same packets at the same times`(
        name: String, octets: [UInt8], adapter: UInt16
    ) async throws {
        let lines = try await Tshark.run(
            octets, "capture", filter: "bthci_cmd || bthci_evt || bthci_acl", fields: ["frame.time_epoch"])
        #expect(lines.map { $0.prefix(14) } == (0..<4).map { "1700000000.00\($0)" })
    }
}
