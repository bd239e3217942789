/// The capture format of Bluetooth HCI tools: btsnoop, version 1, written with link type 1002 (H4). Big endian throughout.
package enum BTSnoop {
    package static let version: UInt32 = 1
    /// HCI packets with their H4 indicator.
    package static let linkType: UInt32 = 1002
    /// HCI packets whose kind stands in the flags.
    static let bareLinkType: UInt32 = 1001
    /// What Linux' monitor tells, of several adapters, with its own numbers for kinds of packets.
    static let monitorLinkType: UInt32 = 2001
    static let magic: [UInt8] = Array("btsnoop\0".utf8)
    static let headerLength = 16
    static let recordHeaderLength = 24
    /// Longer than the longest packet of H4: indicator, header, 65,535 octets.
    static let longestPacket: UInt32 = 0x1_0010
    /// Midnight of 1 January 1970 in the format's time: microseconds since 1 January of the year 0.
    static let unixEpoch: Int64 = 0x00DC_DDB3_0F2F_8000

    /// What a file begins with.
    package static func fileHeader() -> [UInt8] {
        var octets = magic
        CaptureOctets.appendBigEndian(version, to: &octets)
        CaptureOctets.appendBigEndian(linkType, to: &octets)
        return octets
    }

    /// One packet with its direction and time.
    package struct Record: Equatable, Sendable {
        package enum Direction: Sendable { case hostToController, controllerToHost }

        /// Microseconds since 1 January 1970.
        package var unixMicroseconds: Int64
        package var direction: Direction
        /// The packet with its H4 indicator; less than the whole where the writer has cut it.
        package var packet: [UInt8]
        /// Octets that the packet had on the wire.
        package var originalLength: UInt32
        /// Packets that the writer had lost so far.
        package var drops: UInt32 = 0
        /// Which of the adapters, where the capture has several.
        package var adapter: UInt16 = 0

        package init(unixMicroseconds: Int64, direction: Direction, packet: [UInt8]) {
            self.unixMicroseconds = unixMicroseconds
            self.direction = direction
            self.packet = packet
            originalLength = UInt32(clamping: packet.count)
        }

        /// Bit 0: towards the host. Bit 1: a command or an event.
        private var flags: UInt32 {
            let isData = packet.first.map(H4Indicator.init(rawValue:)).map { $0 != .command && $0 != .event } ?? true
            return (direction == .controllerToHost ? 1 : 0) | (isData ? 0 : 2)
        }

        /// Appends the record as it stands in a file.
        package func append(to octets: inout [UInt8]) {
            octets.reserveCapacity(octets.count + recordHeaderLength + packet.count)
            CaptureOctets.appendBigEndian(originalLength, to: &octets)
            CaptureOctets.appendBigEndian(UInt32(clamping: packet.count), to: &octets)
            CaptureOctets.appendBigEndian(flags, to: &octets)
            CaptureOctets.appendBigEndian(drops, to: &octets)
            CaptureOctets.appendBigEndian(unixMicroseconds &+ unixEpoch, to: &octets)
            octets.append(contentsOf: packet)
        }
    }
}

/// Reads the packets of a btsnoop file; of a monitor's, those between host and controller. A record that is cut, or claims what can't be, ends the reading; what came
/// before holds.
package struct BTSnoopReader: Sendable {
    private let octets: [UInt8]
    private var offset = 0
    private var linkType = BTSnoop.linkType
    /// Why reading has ended, unless it was the end of the file.
    package private(set) var fault: CaptureFault?

    package init(_ octets: [UInt8]) {
        self.octets = octets
        guard octets.count >= BTSnoop.headerLength, octets.starts(with: BTSnoop.magic) else {
            fault = .notACapture
            return
        }
        let version = UInt32(CaptureOctets.bigEndian(octets, at: 8, count: 4))
        linkType = UInt32(CaptureOctets.bigEndian(octets, at: 12, count: 4))
        if version != BTSnoop.version {
            fault = .unsupportedVersion(version)
        } else if ![BTSnoop.linkType, BTSnoop.bareLinkType, BTSnoop.monitorLinkType].contains(linkType) {
            fault = .unsupportedLinkType(linkType)
        }
        offset = BTSnoop.headerLength
    }

    /// The next packet; nil at the end of the file or at a fault.
    package mutating func next() -> BTSnoop.Record? {
        while let (flags, record) = nextRecord() {
            if let packet = packet(record, flags) { return packet }
        }
        return nil
    }

    /// The record as one of H4; nil where a monitor tells of something else than a packet.
    private func packet(_ record: BTSnoop.Record, _ flags: UInt32) -> BTSnoop.Record? {
        var record = record
        switch linkType {
        case BTSnoop.bareLinkType:
            let isToHost = flags & 1 == 1
            let kind: H4Indicator = flags & 2 == 0 ? .aclData : isToHost ? .event : .command
            record.packet.insert(kind.rawValue, at: 0)
        case BTSnoop.monitorLinkType:
            guard let (kind, direction) = HCIMonitor.kind(UInt16(truncatingIfNeeded: flags)) else { return nil }
            record.packet.insert(kind.rawValue, at: 0)
            record.direction = direction
            record.adapter = UInt16(truncatingIfNeeded: flags >> 16)
        default: return record
        }
        record.originalLength &+= 1
        return record
    }

    private mutating func nextRecord() -> (flags: UInt32, BTSnoop.Record)? {
        guard fault == nil, offset < octets.count else { return nil }
        let available = octets.count - offset
        guard available >= BTSnoop.recordHeaderLength else {
            fault = .cutRecord(offset: offset, needed: BTSnoop.recordHeaderLength, available: available)
            return nil
        }
        let length = UInt32(CaptureOctets.bigEndian(octets, at: offset + 4, count: 4))
        guard length <= BTSnoop.longestPacket else {
            fault = .oversizedRecord(offset: offset, length: length)
            return nil
        }
        let needed = BTSnoop.recordHeaderLength + Int(length)
        guard available >= needed else {
            fault = .cutRecord(offset: offset, needed: needed, available: available)
            return nil
        }
        let flags = UInt32(CaptureOctets.bigEndian(octets, at: offset + 8, count: 4))
        let time = Int64(bitPattern: CaptureOctets.bigEndian(octets, at: offset + 16, count: 8))
        var record = BTSnoop.Record(
            unixMicroseconds: time &- BTSnoop.unixEpoch,
            direction: flags & 1 == 1 ? .controllerToHost : .hostToController,
            packet: Array(octets[(offset + BTSnoop.recordHeaderLength)..<(offset + needed)]))
        record.originalLength = UInt32(CaptureOctets.bigEndian(octets, at: offset, count: 4))
        record.drops = UInt32(CaptureOctets.bigEndian(octets, at: offset + 12, count: 4))
        offset += needed
        return (flags, record)
    }

    /// All records up to the end or a fault.
    package static func records(in octets: [UInt8]) -> (records: [BTSnoop.Record], fault: CaptureFault?) {
        var reader = BTSnoopReader(octets)
        var records: [BTSnoop.Record] = []
        while let record = reader.next() { records.append(record) }
        return (records, reader.fault)
    }
}
