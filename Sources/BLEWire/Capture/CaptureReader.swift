/// Reads a capture of any kind that is known here: btsnoop (Android, BlueZ, ours), PacketLogger (Apple's), pcap and pcapng
/// (Wireshark, sniffers).
///
/// *Limits*: the octets are all there at once. A record that is cut, or claims what can't be, ends the reading; what came
/// before holds.
package struct CaptureReader: Sendable {
    private enum Source: Sendable {
        case btsnoop(BTSnoopReader)
        case pcap(PcapReader)
        case pcapng(PcapngReader)
        case packetLogger(PacketLoggerReader)
        case unknown
    }

    private var source: Source
    private var links = LinkTypeReader()
    /// Records of a kind that isn't read here, or that hold no packet.
    package private(set) var skipped = 0
    /// A link type of a pcapng file's interface that isn't read here.
    package private(set) var strangeLinkType: UInt32?

    package init(_ octets: [UInt8]) {
        if octets.starts(with: BTSnoop.magic) {
            source = .btsnoop(BTSnoopReader(octets))
        } else if octets.starts(with: Pcapng.sectionType) {
            source = .pcapng(PcapngReader(octets))
        } else if Pcap.isPcap(octets) {
            source = .pcap(PcapReader(octets))
        } else if let reader = PacketLoggerReader(octets) {
            source = .packetLogger(reader)
        } else {
            source = .unknown
        }
    }

    /// Why reading has ended, unless it was the end of the file.
    package var fault: CaptureFault? {
        switch source {
        case .btsnoop(let reader): reader.fault
        case .pcap(let reader):
            reader.fault
                ?? (LinkTypeReader.known.contains(reader.linkType) ? nil : .unsupportedLinkType(reader.linkType))
        case .pcapng(let reader): reader.fault
        case .packetLogger(let reader): reader.fault
        case .unknown: .notACapture
        }
    }

    /// The next packet; nil at the end of the file or at a fault.
    package mutating func next() -> CapturedPacket? {
        switch source {
        case .unknown: return nil
        case .btsnoop(var reader):
            defer { source = .btsnoop(reader) }
            return reader.next().map(Self.packet)
        case .packetLogger(var reader):
            defer { source = .packetLogger(reader) }
            let packet = reader.next()
            skipped = reader.skipped
            return packet
        case .pcap(var reader):
            defer { source = .pcap(reader) }
            while fault == nil, let record = reader.next() {
                if let packet = packet(record, reader.linkType, isToHost: nil) { return packet }
            }
            return nil
        case .pcapng(var reader):
            defer { source = .pcapng(reader) }
            while let found = reader.next() {
                if !LinkTypeReader.known.contains(found.linkType) { strangeLinkType = found.linkType }
                if let packet = packet(found.record, found.linkType, isToHost: found.isToHost) { return packet }
            }
            return nil
        }
    }

    private static func packet(_ record: BTSnoop.Record) -> CapturedPacket {
        CapturedPacket(
            unixNanoseconds: record.unixMicroseconds.multipliedReportingOverflow(by: 1000).partialValue,
            adapter: record.adapter, content: .hci(record.packet, record.direction),
            isCut: record.originalLength > record.packet.count)
    }

    private mutating func packet(_ record: Pcap.Record, _ linkType: UInt32, isToHost: Bool?) -> CapturedPacket? {
        guard let (adapter, content) = links.content(record.packet, linkType, isToHost: isToHost) else {
            skipped += 1
            return nil
        }
        return CapturedPacket(
            unixNanoseconds: record.unixNanoseconds, adapter: adapter, content: content,
            isCut: record.originalLength > record.packet.count)
    }
}
