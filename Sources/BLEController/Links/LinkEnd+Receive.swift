import BLECrypto
import BLEWire

extension LinkEnd {
    /// What became of a packet that arrived.
    struct Received: Sendable {
        /// Its CRC fits and its length is that of its octets.
        var isValid: Bool
        /// MD
        var moreData: Bool
    }

    /// A packet with header, payload and CRC has arrived. [Vol 6, Part B, 4.5.9]
    mutating func receive(
        _ octets: [UInt8], crcInit: UInt32, at now: Instant, into events: inout [LinkEvent]
    ) -> Received {
        guard octets.count >= 5, CRC24.isValid(octets, initial: crcInit) else {
            return Received(isValid: false, moreData: false)
        }
        var header = DataHeader()
        header.flags = octets[0]
        header.length = octets[1]
        // A length that lies would have put the CRC elsewhere; one above the receiver's buffer can't be taken.
        guard Int(header.length) == octets.count - 5,
            Int(header.length) <= local.receiveOctets + (encryption.receives ? LinkCipher.checkLength : 0)
        else {
            return Received(isValid: false, moreData: false)
        }
        lastHeard = now
        timing.eventsSinceHeard = 0
        if !isEstablished {
            isEstablished = true
            events.append(.established)
        }
        if header.nesn != sequence { acknowledge(into: &events) }
        if header.sn == expected, isTakeable(header) {
            expected ^= 1
            if header.length > 0 { take(octets, header, at: now, into: &events) }
        }
        return Received(isValid: true, moreData: header.moreData)
    }

    /// Data for a host without room isn't acknowledged and comes again. [Vol 4, Part E, 4.1.2]
    private mutating func isTakeable(_ header: DataHeader) -> Bool {
        hostHasRoom || header.length == 0 || header.llid == .control || header.llid == .reserved
    }

    private mutating func take(
        _ octets: [UInt8], _ header: DataHeader, at now: Instant, into events: inout [LinkEvent]
    ) {
        if encryption.isActive { return takeGuarded(octets, header, at: now, into: &events) }
        let payload = 2..<octets.count - 3
        switch header.llid {
        case .start:
            events.append(
                .data(HCIACLData.packet(handle: handle, boundary: .first, fragment: payload, of: octets)))
        case .continuation:
            events.append(
                .data(HCIACLData.packet(handle: handle, boundary: .continuing, fragment: payload, of: octets)))
        case .control: receiveControl(Array(octets[payload]), at: now, into: &events)
        default:
            // Reserved: acknowledged and ignored. [Vol 6, Part B, 2.4]
            break
        }
    }

    /// The same on a link that is encrypted or becomes so. [Vol 6, Part B, 5.1.3], [Vol 6, Part E, 2]
    private mutating func takeGuarded(
        _ octets: [UInt8], _ header: DataHeader, at now: Instant, into events: inout [LinkEvent]
    ) {
        let llid = header.llid
        guard llid != .reserved else { return }
        let check = octets.count - 3 - (encryption.receives ? LinkCipher.checkLength : 0)
        // What is shorter than its check can't be right.
        guard check > 2 else { return events.append(.closed(.micFailure)) }
        if llid == .control {
            var payload = Array(octets[2..<check])
            guard opens(&payload, from: 0, check: check, of: octets) else {
                return events.append(.closed(.micFailure))
            }
            return receiveControl(payload, at: now, into: &events)
        }
        var packet = HCIACLData.packet(
            handle: handle, boundary: llid == .start ? .first : .continuing, fragment: 2..<check, of: octets)
        guard !encryption.forbidsData, opens(&packet, from: HCIACLData.headerLength, check: check, of: octets) else {
            return events.append(.closed(.micFailure))
        }
        events.append(.data(packet))
    }

    /// Decrypts where the peer encrypts; false where the check is wrong.
    private mutating func opens(_ octets: inout [UInt8], from start: Int, check: Int, of packet: [UInt8]) -> Bool {
        guard encryption.receives else { return true }
        let counter = encryption.receiveCounter
        encryption.receiveCounter &+= 1
        guard
            encryption.cipher?.open(
                &octets, from: start, check: check, of: packet, header: packet[0], counter: counter) == true
        else { return false }
        authenticated(at: lastHeard)
        return true
    }
}
