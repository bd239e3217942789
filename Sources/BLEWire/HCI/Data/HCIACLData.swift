/// An ACL data packet: a fragment of an L2CAP PDU. [Vol 4, Part E, 5.4.2]
///
/// It keeps the octets that it was read from and names its payload as a range of them, so reading copies nothing.
package struct HCIACLData: Equatable, Sendable {
    /// Where in an L2CAP PDU the fragment lies. [Vol 4, Part E, 5.4.2]
    package struct Boundary: WireCode {
        package var rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue & 0b11 }
        /// The beginning of a PDU, from the host.
        package static let firstFromHost = Boundary(rawValue: 0b00)
        package static let continuing = Boundary(rawValue: 0b01)
        /// The beginning of a PDU, from the controller.
        package static let first = Boundary(rawValue: 0b10)
        /// A whole PDU; not used on LE.
        package static let complete = Boundary(rawValue: 0b11)
    }

    package let handle: ConnectionHandle
    package let boundary: Boundary
    /// 0 for a single link; LE knows nothing else.
    package let broadcast: UInt8
    /// The whole packet with its H4 indicator.
    package let packet: [UInt8]
    /// Where the payload is in `packet`.
    package let payload: Range<Int>

    /// Octets in front of the payload: indicator, handle and flags, length.
    package static let headerLength = 5

    /// Reads the header of a whole packet.
    package init(packet: [UInt8]) throws(WireError) {
        guard packet.count >= Self.headerLength else {
            throw .truncated(
                field: "ACL header", offset: 1, needed: Self.headerLength - 1, available: max(0, packet.count - 1))
        }
        let word = UInt16(packet[1]) | UInt16(packet[2]) << 8
        let length = Int(packet[3]) | Int(packet[4]) << 8
        let available = packet.count - Self.headerLength
        guard length <= available else {
            throw .truncated(field: "Data", offset: Self.headerLength, needed: length, available: available)
        }
        guard length == available else {
            throw .trailing(offset: Self.headerLength + length, count: available - length)
        }
        handle = ConnectionHandle(rawValue: word & 0x0FFF)
        boundary = Boundary(rawValue: UInt8(word >> 12 & 0b11))
        broadcast = UInt8(word >> 14)
        self.packet = packet
        payload = Self.headerLength..<packet.count
    }

    /// The payload as octets of its own.
    package var payloadOctets: [UInt8] { Array(packet[payload]) }

    /// Makes a whole packet of a part of a PDU. A payload above 65,535 octets is cut.
    package static func packet(
        handle: ConnectionHandle, boundary: Boundary, fragment: Range<Int>, of pdu: [UInt8]
    ) -> [UInt8] {
        let fragment = fragment.clamped(to: 0..<pdu.count)
        let length = min(fragment.count, 0xFFFF)
        let word = handle.rawValue & 0x0FFF | UInt16(boundary.rawValue) << 12
        var packet: [UInt8] = []
        packet.reserveCapacity(headerLength + length)
        packet.append(H4Indicator.aclData.rawValue)
        packet.append(UInt8(truncatingIfNeeded: word))
        packet.append(UInt8(truncatingIfNeeded: word >> 8))
        packet.append(UInt8(truncatingIfNeeded: length))
        packet.append(UInt8(truncatingIfNeeded: length >> 8))
        packet.append(contentsOf: pdu[fragment.lowerBound..<fragment.lowerBound + length])
        return packet
    }

    /// Makes a whole packet of a whole payload.
    package static func packet(handle: ConnectionHandle, boundary: Boundary, payload: [UInt8]) -> [UInt8] {
        packet(handle: handle, boundary: boundary, fragment: 0..<payload.count, of: payload)
    }
}
