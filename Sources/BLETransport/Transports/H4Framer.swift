import BLEWire

/// Cuts a byte stream into H4 packets. [Vol 4, Part A, 2]
///
/// *Role*: the read side of every byte-stream transport, host's and controller's alike.
///
/// *Inputs and outputs*: octets in any pieces in; whole packets, indicator first, out.
///
/// *Limits*: holds one packet that isn't whole yet: 65,540 octets at most. An octet that is no packet indicator is
/// fatal: H4 has no way back to the start of a packet. [Vol 4, Part A, 4]
package struct H4Framer {
    /// The stream isn't H4, or is out of step.
    package struct UnknownIndicator: Error, Equatable, Sendable {
        package var octet: UInt8
        package init(octet: UInt8) { self.octet = octet }
    }

    private var held: [UInt8] = []

    package init() {}

    /// Octets of a packet that isn't whole yet.
    package var heldCount: Int { held.count }

    /// Takes octets and appends the packets that they complete.
    package mutating func push(_ span: RawSpan, into packets: inout [[UInt8]]) throws(UnknownIndicator) {
        var offset = 0
        if !held.isEmpty {
            // Octet by octet until the header is there, then what the packet lacks.
            while offset < span.byteCount {
                let missing = try Self.length(of: held.span.bytes).map { $0 - held.count } ?? 1
                let piece = min(missing, span.byteCount - offset)
                append(span, offset..<(offset + piece))
                offset += piece
                if try Self.length(of: held.span.bytes) == held.count {
                    packets.append(held)
                    held = []
                    break
                }
            }
        }
        while offset < span.byteCount {
            let rest = span.extracting(offset..<span.byteCount)
            guard let length = try Self.length(of: rest), length <= rest.byteCount else {
                append(span, offset..<span.byteCount)
                return
            }
            packets.append(rest.extracting(0..<length).withUnsafeBytes { [UInt8]($0) })
            offset += length
        }
    }

    private mutating func append(_ span: RawSpan, _ range: Range<Int>) {
        span.extracting(range).withUnsafeBytes { held += $0 }
    }

    /// The length of the packet that begins the octets, indicator included; nil while its header isn't whole.
    private static func length(of span: RawSpan) throws(UnknownIndicator) -> Int? {
        guard span.byteCount > 0 else { return nil }
        func octet(_ index: Int) -> Int { Int(span.unsafeLoad(fromByteOffset: index, as: UInt8.self)) }
        switch octet(0) {
        // Command: Opcode, Parameter_Total_Length. [Vol 4, Part E, 5.4.1]
        case 0x01: return span.byteCount < 4 ? nil : 4 + octet(3)
        // ACL data: handle and flags, Data_Total_Length. [Vol 4, Part E, 5.4.2]
        case 0x02: return span.byteCount < 5 ? nil : 5 + octet(3) + octet(4) << 8
        // Synchronous data. [Vol 4, Part E, 5.4.3]
        case 0x03: return span.byteCount < 4 ? nil : 4 + octet(3)
        // Event: Event_Code, Parameter_Total_Length. [Vol 4, Part E, 5.4.4]
        case 0x04: return span.byteCount < 3 ? nil : 3 + octet(2)
        // ISO data: the length has 14 bits. [Vol 4, Part E, 5.4.5]
        case 0x05: return span.byteCount < 5 ? nil : 5 + octet(3) + (octet(4) & 0x3F) << 8
        case let other: throw UnknownIndicator(octet: UInt8(other))
        }
    }
}
