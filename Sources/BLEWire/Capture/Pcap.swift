/// The capture format of libpcap, with times in nanoseconds, written little endian.
package enum Pcap {
    /// Link layer packets of LE with what the radio knew of them.
    package static let linkLayerWithRadioHeader: UInt32 = 256
    static let nanosecondMagic: UInt32 = 0xA1B2_3C4D
    static let microsecondMagic: UInt32 = 0xA1B2_C3D4
    static let headerLength = 24
    static let recordHeaderLength = 16
    static let longestPacket: UInt32 = 0x4_0000

    /// Whether a file begins as one of these does.
    static func isPcap(_ octets: [UInt8]) -> Bool {
        guard octets.count >= 4 else { return false }
        let magic = UInt32(CaptureOctets.littleEndian(octets, at: 0, count: 4))
        return [nanosecondMagic, microsecondMagic].contains { $0 == magic || $0.byteSwapped == magic }
    }

    /// What a file begins with.
    package static func fileHeader(linkType: UInt32) -> [UInt8] {
        var octets: [UInt8] = []
        CaptureOctets.appendLittleEndian(nanosecondMagic, to: &octets)
        CaptureOctets.appendLittleEndian(UInt16(2), to: &octets)
        CaptureOctets.appendLittleEndian(UInt16(4), to: &octets)
        // Time zone and accuracy, which nobody uses.
        CaptureOctets.appendLittleEndian(UInt64(0), to: &octets)
        CaptureOctets.appendLittleEndian(longestPacket, to: &octets)
        CaptureOctets.appendLittleEndian(linkType, to: &octets)
        return octets
    }

    /// One packet with its time.
    package struct Record: Equatable, Sendable {
        /// Nanoseconds since 1 January 1970; not before, and not after 2106.
        package var unixNanoseconds: Int64
        package var packet: [UInt8]
        /// Octets that the packet had where it was heard.
        package var originalLength: UInt32

        package init(unixNanoseconds: Int64, packet: [UInt8]) {
            self.unixNanoseconds = unixNanoseconds
            self.packet = packet
            originalLength = UInt32(clamping: packet.count)
        }

        /// Appends the record as it stands in a file.
        package func append(to octets: inout [UInt8]) {
            let (seconds, rest) = max(0, unixNanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
            octets.reserveCapacity(octets.count + recordHeaderLength + packet.count)
            CaptureOctets.appendLittleEndian(UInt32(clamping: seconds), to: &octets)
            CaptureOctets.appendLittleEndian(UInt32(clamping: rest), to: &octets)
            CaptureOctets.appendLittleEndian(UInt32(clamping: packet.count), to: &octets)
            CaptureOctets.appendLittleEndian(originalLength, to: &octets)
            octets.append(contentsOf: packet)
        }
    }
}

/// Reads the records of a pcap file of either octet order and either unit of time. A record that is cut, or claims what
/// can't be, ends the reading; what came before holds.
package struct PcapReader: Sendable {
    private let octets: [UInt8]
    private var offset = 0
    private var isBigEndian = false
    private var nanosecondsPerUnit: Int64 = 1
    package private(set) var linkType: UInt32 = 0
    /// Why reading has ended, unless it was the end of the file.
    package private(set) var fault: CaptureFault?

    package init(_ octets: [UInt8]) {
        self.octets = octets
        guard octets.count >= Pcap.headerLength else {
            fault = .notACapture
            return
        }
        switch UInt32(CaptureOctets.littleEndian(octets, at: 0, count: 4)) {
        case Pcap.nanosecondMagic: break
        case Pcap.microsecondMagic: nanosecondsPerUnit = 1000
        case Pcap.nanosecondMagic.byteSwapped: isBigEndian = true
        case Pcap.microsecondMagic.byteSwapped: (isBigEndian, nanosecondsPerUnit) = (true, 1000)
        default:
            fault = .notACapture
            return
        }
        let major = integer(at: 4, count: 2)
        guard major == 2 else {
            fault = .unsupportedVersion(major)
            return
        }
        // The upper bits may say how long a check sequence is.
        linkType = integer(at: 20, count: 4) & 0x0FFF_FFFF
        offset = Pcap.headerLength
    }

    private func integer(at index: Int, count: Int) -> UInt32 {
        UInt32(
            isBigEndian
                ? CaptureOctets.bigEndian(octets, at: index, count: count)
                : CaptureOctets.littleEndian(octets, at: index, count: count))
    }

    /// The next record; nil at the end of the file or at a fault.
    package mutating func next() -> Pcap.Record? {
        guard fault == nil, offset < octets.count else { return nil }
        let available = octets.count - offset
        guard available >= Pcap.recordHeaderLength else {
            fault = .cutRecord(offset: offset, needed: Pcap.recordHeaderLength, available: available)
            return nil
        }
        let length = integer(at: offset + 8, count: 4)
        guard length <= Pcap.longestPacket else {
            fault = .oversizedRecord(offset: offset, length: length)
            return nil
        }
        let needed = Pcap.recordHeaderLength + Int(length)
        guard available >= needed else {
            fault = .cutRecord(offset: offset, needed: needed, available: available)
            return nil
        }
        let seconds = Int64(integer(at: offset, count: 4))
        let rest = Int64(integer(at: offset + 4, count: 4)) * nanosecondsPerUnit
        var record = Pcap.Record(
            unixNanoseconds: seconds * 1_000_000_000 + rest,
            packet: Array(octets[(offset + Pcap.recordHeaderLength)..<(offset + needed)]))
        record.originalLength = integer(at: offset + 12, count: 4)
        offset += needed
        return record
    }
}
