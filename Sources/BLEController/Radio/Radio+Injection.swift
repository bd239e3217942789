package import BLEWire

/// A hook for tests: raw link layer PDUs on the air, from a transmitter that keeps no rules.
extension Radio {
    /// Sends a PDU on an advertising channel: header and payload, whatever they say. Listeners on the channel hear
    /// it at once. `crcIsValid` false spoils its CRC.
    package mutating func injectAdvertising(
        _ pdu: [UInt8], channel: UInt8, rssi: Int8 = -40, crcIsValid: Bool = true, at now: Instant,
        into out: inout [RadioOutput]
    ) {
        guard (37...39).contains(channel) else { return }
        var octets = pdu
        CRC24.append(to: &octets, initial: CRC24.advertisingInit)
        if !crcIsValid { octets[octets.count - 1] ^= 1 }
        captureAdvertising(octets, from: now, channel, into: &out)
        for listener in listeners[Self.place(channel, isCoded: false)] {
            hearPacket(octets, by: Int(listener), rssi: rssi, advertiser: -1, at: now, into: &out)
        }
    }

    /// Answers the next advertisement of a controller with a PDU: header and payload, whatever they say, in the place
    /// of a SCAN_REQ or CONNECT_IND. It is stronger than what others answer.
    package mutating func injectReply(_ pdu: [UInt8], to advertiser: ControllerID) {
        guard isPresent(advertiser.rawValue) else { return }
        let places = controllers[advertiser.rawValue].advertisers
        let place = places.first { advertisers[$0].isEnabled } ?? controllers[advertiser.rawValue].legacy
        advertisers[place].injected.append(pdu)
        injections += 1
    }

    /// Lets an end of a link send a PDU as its next packet: header and payload, whatever they say. It is sent once.
    ///
    /// SN, NESN and MD are filled in, so that the other end takes it for new; with `keepsSequence` they stay as given.
    package mutating func injectData(
        _ pdu: [UInt8], from sender: ControllerID, on handle: ConnectionHandle, keepsSequence: Bool = false
    ) {
        guard isPresent(sender.rawValue), let end = controllers[sender.rawValue].links[handle.rawValue] else { return }
        ends[end].raw.append(RawPDU(octets: pdu, keepsSequence: keepsSequence))
    }
}
