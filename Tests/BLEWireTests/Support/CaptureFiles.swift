import BLEWire

/// Captures as other programs write them: the same four packets in each.
enum CaptureFiles {
    static let seconds: UInt32 = 1_700_000_000
    static let reset: [UInt8] = [0x01, 0x03, 0x0C, 0x00]
    static let complete: [UInt8] = [0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]
    /// The start of a PDU from the host, and one from the controller.
    static let sent: [UInt8] = [0x02, 0x40, 0x00, 0x07, 0x00, 0x03, 0x00, 0x04, 0x00, 0x0A, 0x03, 0x00]
    static let received: [UInt8] = [0x02, 0x40, 0x20, 0x06, 0x00, 0x02, 0x00, 0x04, 0x00, 0x0B, 0x41]
    static let packets = [reset, complete, sent, received]
    static let toHost = [false, true, false, true]

    /// What is to be read: 1 ms between each two.
    static func expected(adapter: UInt16 = 0) -> [CapturedPacket] {
        packets.indices.map { index in
            CapturedPacket(
                unixNanoseconds: Int64(seconds) * 1_000_000_000 + Int64(index) * 1_000_000, adapter: adapter,
                content: .hci(packets[index], toHost[index] ? .controllerToHost : .hostToController))
        }
    }

    static func big(_ value: UInt32) -> [UInt8] { (0..<4).reversed().map { UInt8(value >> ($0 * 8) & 0xFF) } }
    static func little(_ value: UInt32) -> [UInt8] { big(value).reversed() }
    static func half(_ value: UInt16, isBig: Bool = false) -> [UInt8] {
        let octets = [UInt8(value & 0xFF), UInt8(value >> 8)]
        return isBig ? octets.reversed() : octets
    }

    /// Number of Linux' monitor for each packet.
    private static let monitorKinds: [UInt16] = [2, 3, 4, 5]

    // MARK: btsnoop

    private static func btsnoop(_ linkType: UInt32, _ record: (Int) -> (flags: UInt32, octets: [UInt8])) -> [UInt8] {
        var file = Array("btsnoop\0".utf8) + big(1) + big(linkType)
        for index in packets.indices {
            let (flags, octets) = record(index)
            let time = UInt64(0x00DC_DDB3_0F2F_8000) + UInt64(seconds) * 1_000_000 + UInt64(index) * 1000
            file += big(UInt32(octets.count)) + big(UInt32(octets.count)) + big(flags) + big(0)
            file += big(UInt32(time >> 32)) + big(UInt32(time & 0xFFFF_FFFF)) + octets
        }
        return file
    }

    static let btsnoopH4 = btsnoop(1002) { (toHost[$0] ? 1 : 0, packets[$0]) }
    static let btsnoopBare = btsnoop(1001) { ((toHost[$0] ? 1 : 0) | ($0 < 2 ? 2 : 0), Array(packets[$0].dropFirst())) }
    /// Of the adapter hci1.
    static let btsnoopMonitor = btsnoop(2001) { (1 << 16 | UInt32(monitorKinds[$0]), Array(packets[$0].dropFirst())) }

    // MARK: pcap

    private static func pcap(
        _ linkType: UInt32, isBig: Bool = false, isNano: Bool = false, _ record: (Int) -> [UInt8]
    ) -> [UInt8] {
        let word = isBig ? big : little
        var file = word(isNano ? 0xA1B2_3C4D : 0xA1B2_C3D4) + half(2, isBig: isBig) + half(4, isBig: isBig)
        file += word(0) + word(0) + word(0x40000) + word(linkType)
        for index in packets.indices {
            let octets = record(index)
            file += word(seconds) + word(UInt32(index) * (isNano ? 1_000_000 : 1000))
            file += word(UInt32(octets.count)) + word(UInt32(octets.count)) + octets
        }
        return file
    }

    static let pcapH4 = pcap(187, isNano: true) { packets[$0] }
    static let pcapDirected = pcap(201, isBig: true) { big(toHost[$0] ? 1 : 0) + packets[$0] }
    static let pcapMonitor = pcap(254) {
        half(1, isBig: true) + half(monitorKinds[$0], isBig: true) + packets[$0].dropFirst()
    }

    // MARK: pcapng

    private static func block(_ type: UInt32, _ body: [UInt8], isBig: Bool) -> [UInt8] {
        let word = isBig ? big : little
        let filled = body + [UInt8](repeating: 0, count: (4 - body.count % 4) % 4)
        return word(type) + word(UInt32(filled.count + 12)) + filled + word(UInt32(filled.count + 12))
    }

    static func section(isBig: Bool = false) -> [UInt8] {
        let word = isBig ? big : little
        return block(
            0x0A0D_0D0A, word(0x1A2B_3C4D) + half(1, isBig: isBig) + half(0, isBig: isBig) + word(.max) + word(.max),
            isBig: isBig)
    }

    static func interface(_ linkType: UInt16, resolution: UInt8?, isBig: Bool = false) -> [UInt8] {
        var body = half(linkType, isBig: isBig) + half(0) + (isBig ? big(0) : little(0))
        if let resolution {
            body += half(9, isBig: isBig) + half(1, isBig: isBig) + [resolution, 0, 0, 0] + half(0) + half(0)
        }
        return block(1, body, isBig: isBig)
    }

    static func enhanced(
        _ interface: UInt32, _ stamp: UInt64, _ octets: [UInt8], flags: UInt32? = nil, isBig: Bool = false
    ) -> [UInt8] {
        let word = isBig ? big : little
        var body = word(interface) + word(UInt32(stamp >> 32)) + word(UInt32(stamp & 0xFFFF_FFFF))
        body += word(UInt32(octets.count)) + word(UInt32(octets.count)) + octets
        body += [UInt8](repeating: 0, count: (4 - octets.count % 4) % 4)
        if let flags { body += half(2, isBig: isBig) + half(4, isBig: isBig) + word(flags) + half(0) + half(0) }
        return block(6, body, isBig: isBig)
    }

    static func pcapng(isBig: Bool = false, hasFlags: Bool) -> [UInt8] {
        var file = section(isBig: isBig) + interface(187, resolution: nil, isBig: isBig)
        for index in packets.indices {
            let stamp = UInt64(seconds) * 1_000_000 + UInt64(index) * 1000
            file += enhanced(
                0, stamp, packets[index], flags: hasFlags ? (toHost[index] ? 1 : 2) : nil, isBig: isBig)
        }
        return file
    }

    /// An interface with Ethernet before the one with HCI, whose times are in nanoseconds.
    static let pcapngOfTwo: [UInt8] = {
        var file = section() + interface(1, resolution: nil) + interface(201, resolution: 9)
        file += enhanced(0, 5, [UInt8](repeating: 0, count: 14))
        for index in packets.indices {
            let stamp = UInt64(seconds) * 1_000_000_000 + UInt64(index) * 1_000_000
            file += enhanced(1, stamp, big(toHost[index] ? 1 : 0) + packets[index])
        }
        return file
    }()

    // MARK: PacketLogger

    static func packetLogger(isBig: Bool) -> [UInt8] {
        let word = isBig ? big : little
        func record(_ kind: UInt8, _ microseconds: UInt32, _ octets: [UInt8]) -> [UInt8] {
            word(UInt32(octets.count + 9)) + word(seconds) + word(microseconds) + [kind] + octets
        }
        var file: [UInt8] = []
        for index in packets.indices {
            file += record(UInt8(index), UInt32(index) * 1000, Array(packets[index].dropFirst()))
            if index == 0 { file += record(0xFC, 1, Array("a note".utf8)) }
        }
        return file
    }
}
