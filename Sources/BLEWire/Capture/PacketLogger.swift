/// Reads what Apple's PacketLogger writes: length, time, kind, packet. Big endian mostly; which it is shows at the first
/// record.
package struct PacketLoggerReader: Sendable {
    /// Length, seconds, microseconds, kind.
    static let headerLength = 13
    private let octets: [UInt8]
    private var offset = 0
    private let isBigEndian: Bool
    package private(set) var fault: CaptureFault?
    /// Records that hold no packet: notes, messages of the system.
    private(set) var skipped = 0

    /// nil where the octets don't begin as such a file does.
    package init?(_ octets: [UInt8]) {
        let isBigEndian = [true, false].first { Self.isPlausible(octets, isBigEndian: $0) }
        guard let isBigEndian else { return nil }
        self.octets = octets
        self.isBigEndian = isBigEndian
    }

    /// There is no magic number: the first record must be a whole one of a known kind, with a time that can be.
    private static func isPlausible(_ octets: [UInt8], isBigEndian: Bool) -> Bool {
        guard octets.count >= headerLength else { return false }
        let length = integer(octets, 0, isBigEndian)
        let microseconds = integer(octets, 8, isBigEndian)
        return length >= 9 && length <= Pcap.longestPacket && Int(length) + 4 <= octets.count
            && microseconds < 1_000_000
            && isKnown(octets[12])
    }

    private static func isKnown(_ kind: UInt8) -> Bool { kind <= 0x13 || kind >= 0xF0 }

    private static func integer(_ octets: [UInt8], _ index: Int, _ isBigEndian: Bool) -> UInt32 {
        UInt32(
            isBigEndian
                ? CaptureOctets.bigEndian(octets, at: index, count: 4)
                : CaptureOctets.littleEndian(octets, at: index, count: 4))
    }

    private func integer(_ index: Int) -> UInt32 { Self.integer(octets, index, isBigEndian) }

    /// The next packet; nil at the end of the file or at a fault.
    package mutating func next() -> CapturedPacket? {
        while fault == nil, offset < octets.count {
            let available = octets.count - offset
            guard available >= Self.headerLength else {
                fault = .cutRecord(offset: offset, needed: Self.headerLength, available: available)
                return nil
            }
            let length = integer(offset)
            guard length <= Pcap.longestPacket else {
                fault = .oversizedRecord(offset: offset, length: length)
                return nil
            }
            let needed = max(Self.headerLength, Int(length) + 4)
            guard available >= needed else {
                fault = .cutRecord(offset: offset, needed: needed, available: available)
                return nil
            }
            defer { offset += needed }
            let time = Int64(integer(offset + 4)) * 1_000_000_000 + Int64(integer(offset + 8)) * 1000
            guard let (kind, direction) = Self.kind(octets[offset + 12]) else {
                skipped += 1
                continue
            }
            let packet = [kind.rawValue] + octets[(offset + Self.headerLength)..<(offset + needed)]
            return CapturedPacket(unixNanoseconds: time, content: .hci(packet, direction))
        }
        return nil
    }

    private static func kind(_ number: UInt8) -> (H4Indicator, BTSnoop.Record.Direction)? {
        switch number {
        case 0: (.command, .hostToController)
        case 1: (.event, .controllerToHost)
        case 2: (.aclData, .hostToController)
        case 3: (.aclData, .controllerToHost)
        case 8: (.synchronousData, .hostToController)
        case 9: (.synchronousData, .controllerToHost)
        case 0x12: (.isoData, .hostToController)
        case 0x13: (.isoData, .controllerToHost)
        default: nil
        }
    }
}
