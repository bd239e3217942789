/// The capture format of Wireshark: blocks of octets, each with its type and its length at both ends.
enum Pcapng {
    /// A section's header, which reads alike in both octet orders.
    static let sectionType: [UInt8] = [0x0A, 0x0D, 0x0D, 0x0A]
    static let section: UInt32 = 0x0A0D_0D0A
    static let interface: UInt32 = 1
    static let simplePacket: UInt32 = 3
    static let enhancedPacket: UInt32 = 6
    static let byteOrderMagic: UInt32 = 0x1A2B_3C4D
    static let longestBlock: UInt32 = 0x10_0000

    /// What packets of an interface are, and how its times are counted.
    struct Interface: Sendable {
        var linkType: UInt32
        /// Units of a time stamp in a second.
        var unitsPerSecond: UInt64 = 1_000_000
        /// Seconds to be added to each.
        var offset: Int64 = 0

        func nanoseconds(_ stamp: UInt64) -> Int64 {
            let (seconds, rest) = stamp.quotientAndRemainder(dividingBy: unitsPerSecond)
            let part = (UInt128(rest) * 1_000_000_000) / UInt128(unitsPerSecond)
            let whole = (Int128(seconds) + Int128(offset)) * 1_000_000_000 + Int128(part)
            return Int64(clamping: whole)
        }
    }
}

/// Reads the packets of a pcapng file, of all its sections and interfaces. A block that is cut, or claims what can't be,
/// ends the reading; what came before holds.
package struct PcapngReader: Sendable {
    private let octets: [UInt8]
    private var offset = 0
    private var isBigEndian = false
    private var interfaces: [Pcapng.Interface] = []
    package private(set) var fault: CaptureFault?

    package init(_ octets: [UInt8]) { self.octets = octets }

    private func integer(at index: Int, count: Int) -> UInt64 {
        isBigEndian
            ? CaptureOctets.bigEndian(octets, at: index, count: count)
            : CaptureOctets.littleEndian(octets, at: index, count: count)
    }

    private func word(_ index: Int) -> UInt32 { UInt32(integer(at: index, count: 4)) }

    /// The next packet with its link type, and its direction where the file says it; nil at the end or at a fault.
    package mutating func next() -> (record: Pcap.Record, linkType: UInt32, isToHost: Bool?)? {
        while fault == nil, offset < octets.count {
            guard let block = nextBlock() else { return nil }
            switch block.type {
            case Pcapng.interface: addInterface(block.body)
            case Pcapng.enhancedPacket: if let packet = enhanced(block.body) { return packet }
            case Pcapng.simplePacket: if let packet = simple(block.body) { return packet }
            default: break
            }
        }
        return nil
    }

    private mutating func nextBlock() -> (type: UInt32, body: Range<Int>)? {
        let available = octets.count - offset
        guard available >= 12 else {
            fault = .cutRecord(offset: offset, needed: 12, available: available)
            return nil
        }
        if octets[offset..<offset + 4].elementsEqual(Pcapng.sectionType) {
            // A section has an octet order of its own, and interfaces of its own.
            let magic = UInt32(CaptureOctets.littleEndian(octets, at: offset + 8, count: 4))
            guard magic == Pcapng.byteOrderMagic || magic.byteSwapped == Pcapng.byteOrderMagic else {
                fault = .notACapture
                return nil
            }
            isBigEndian = magic != Pcapng.byteOrderMagic
            interfaces = []
        }
        let length = word(offset + 4)
        guard length >= 12, length <= Pcapng.longestBlock else {
            fault = .oversizedRecord(offset: offset, length: length)
            return nil
        }
        // Blocks are filled up to whole words.
        let needed = (Int(length) + 3) & ~3
        guard available >= needed else {
            fault = .cutRecord(offset: offset, needed: needed, available: available)
            return nil
        }
        defer { offset += needed }
        return (word(offset), (offset + 8)..<(offset + Int(length) - 4))
    }

    private mutating func addInterface(_ body: Range<Int>) {
        guard body.count >= 8 else { return interfaces.append(Pcapng.Interface(linkType: .max)) }
        var interface = Pcapng.Interface(linkType: UInt32(integer(at: body.lowerBound, count: 2)))
        for (code, value) in options(body.dropFirst(8)) {
            switch code {
            case 9 where value.count == 1: interface.unitsPerSecond = Self.resolution(octets[value.lowerBound])
            case 14 where value.count == 8:
                interface.offset = Int64(bitPattern: integer(at: value.lowerBound, count: 8))
            default: break
            }
        }
        interfaces.append(interface)
    }

    /// Powers of 10, or with the upper bit of 2; finer ones than a nanosecond's thousandth are none that anybody writes.
    private static func resolution(_ octet: UInt8) -> UInt64 {
        let exponent = Int(octet & 0x7F)
        if octet & 0x80 != 0 { return 1 << UInt64(min(exponent, 40)) }
        return (0..<min(exponent, 12)).reduce(1) { product, _ in product * 10 }
    }

    private func options(_ range: Range<Int>) -> [(code: UInt16, value: Range<Int>)] {
        var found: [(UInt16, Range<Int>)] = []
        var place = range.lowerBound
        while place + 4 <= range.upperBound {
            let code = UInt16(integer(at: place, count: 2))
            let length = Int(integer(at: place + 2, count: 2))
            guard code != 0, place + 4 + length <= range.upperBound else { break }
            found.append((code, (place + 4)..<(place + 4 + length)))
            place += 4 + (length + 3) & ~3
        }
        return found
    }

    private func enhanced(_ body: Range<Int>) -> (record: Pcap.Record, linkType: UInt32, isToHost: Bool?)? {
        guard body.count >= 20 else { return nil }
        let start = body.lowerBound
        let place = Int(word(start))
        guard place < interfaces.count else { return nil }
        let interface = interfaces[place]
        let length = Int(word(start + 12))
        let data = start + 20
        guard data + length <= body.upperBound else { return nil }
        var record = Pcap.Record(
            unixNanoseconds: interface.nanoseconds(UInt64(word(start + 4)) << 32 | UInt64(word(start + 8))),
            packet: Array(octets[data..<data + length]))
        record.originalLength = word(start + 16)
        var isToHost: Bool?
        let rest = min(body.upperBound, data + (length + 3) & ~3)
        for (code, value) in options(rest..<body.upperBound) where code == 2 && value.count == 4 {
            switch word(value.lowerBound) & 3 {
            case 1: isToHost = true
            case 2: isToHost = false
            default: break
            }
        }
        return (record, interface.linkType, isToHost)
    }

    private func simple(_ body: Range<Int>) -> (record: Pcap.Record, linkType: UInt32, isToHost: Bool?)? {
        guard body.count >= 4, let interface = interfaces.first else { return nil }
        let original = word(body.lowerBound)
        let data = body.dropFirst(4)
        let length = min(data.count, Int(original))
        var record = Pcap.Record(unixNanoseconds: 0, packet: Array(octets[data.prefix(length)]))
        record.originalLength = original
        return (record, interface.linkType, nil)
    }
}
