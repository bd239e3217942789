/// Fixed-width integers in the octets of capture files, in either order.
enum CaptureOctets {
    static func appendBigEndian<T: FixedWidthInteger>(_ value: T, to octets: inout [UInt8]) {
        for shift in stride(from: T.bitWidth - 8, through: 0, by: -8) {
            octets.append(UInt8(truncatingIfNeeded: value >> T(shift)))
        }
    }

    static func appendLittleEndian<T: FixedWidthInteger>(_ value: T, to octets: inout [UInt8]) {
        for shift in stride(from: 0, to: T.bitWidth, by: 8) {
            octets.append(UInt8(truncatingIfNeeded: value >> T(shift)))
        }
    }

    /// The caller has made sure that the octets are there.
    static func bigEndian(_ octets: [UInt8], at index: Int, count: Int) -> UInt64 {
        octets[index..<(index + count)].reduce(0) { $0 << 8 | UInt64($1) }
    }

    static func littleEndian(_ octets: [UInt8], at index: Int, count: Int) -> UInt64 {
        octets[index..<(index + count)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// What is wrong with a capture file; the records before it hold.
package enum CaptureFault: Error, Equatable, Sendable {
    /// The file doesn't begin as one of its kind does.
    case notACapture
    /// The version of the format isn't the one that is known.
    case unsupportedVersion(UInt32)
    /// The packets are of a kind that isn't read here.
    case unsupportedLinkType(UInt32)
    /// The file ends within a record: its writer was killed.
    case cutRecord(offset: Int, needed: Int, available: Int)
    /// A record claims more octets than any packet has.
    case oversizedRecord(offset: Int, length: UInt32)
}

extension CaptureFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notACapture: "not a capture file of this kind"
        case .unsupportedVersion(let version): "capture format version \(version) is not supported"
        case .unsupportedLinkType(let type): "packets of link type \(type) are not supported"
        case .cutRecord(let offset, let needed, let available):
            "the record at octet \(offset) is cut: it needs \(needed) octets, \(available) are there"
        case .oversizedRecord(let offset, let length): "the record at octet \(offset) claims \(length) octets"
        }
    }
}
