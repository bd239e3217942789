import BLECrypto
import BLEWire

extension LinkEnd {
    /// The longest fragment that the agreed length and time allow on the PHY in use. [Vol 6, Part B, 4.5.10]
    @inline(__always)
    var fragmentLimit: Int { lengths.transmitLimit(on: phys.transmit) }

    /// Payload octets of the packet that would be sent now, if what is outgoing were acknowledged or not.
    mutating func nextPayload(acknowledged: Bool) -> Int {
        var dataTaken = 0
        var controlsTaken = 0
        if acknowledged {
            switch outgoing {
            case .data(let count): dataTaken = count
            case .control: controlsTaken = 1
            default: break
            }
        } else {
            switch outgoing {
            case .data(let count): return count + outgoingCheckLength
            case .control: return controls[0].count + outgoingCheckLength
            case .empty: return 0
            case .nothing, .raw: break
            }
        }
        let firstRaw = outgoing == .raw ? 1 : 0
        if raw.count > firstRaw { return max(0, raw[firstRaw].octets.count - 2) }
        if controls.count > controlsTaken { return controls[controlsTaken].count + encryption.checkLength }
        guard hasData else { return 0 }
        let rest = data[0].remaining - dataTaken
        if rest > 0 { return min(rest, fragmentLimit) + encryption.checkLength }
        return data.count > 1 ? min(data[1].remaining, fragmentLimit) + encryption.checkLength : 0
    }

    @inline(__always)
    private var outgoingCheckLength: Int { encryption.sealsOutgoing ? LinkCipher.checkLength : 0 }

    /// Puts the packet to send now into `octets`: header, payload, CRC. Answers the octets of its payload.
    ///
    /// `room` is the time that it may take. A new fragment of data that is longer is shortened where
    /// `mayShorten`, and waits otherwise; what was sent before is sent again as it was.
    mutating func encode(
        into octets: inout [UInt8], crcInit: UInt32, room: Delay = .seconds(1), mayShorten: Bool = false
    ) -> Int {
        octets.removeAll(keepingCapacity: true)
        if outgoing == .raw {
            // Once is all: a raw PDU that lies may never be acknowledged.
            raw.removeFirst()
            outgoing = .nothing
        }
        if outgoing == .nothing {
            outgoing = chooseNext(room: room, mayShorten: mayShorten)
            encryption.sealsOutgoing = encryption.sends
        }
        var count: Int
        switch outgoing {
        case .nothing, .empty:
            sentMoreData = !(controls.isEmpty && raw.isEmpty) || hasData
            appendHeader(.continuation, 0, to: &octets)
            count = 0
        case .data(let length):
            let front = data[0]
            sentMoreData =
                (front.remaining > length || data.count > 1) && !encryption.holdsData || !controls.isEmpty
                || !raw.isEmpty
            appendHeader(
                front.offset == HCIACLData.headerLength && front.isStart ? .start : .continuation, length, to: &octets)
            octets.append(contentsOf: front.packet[front.offset..<front.offset + length])
            count = length
        case .control:
            let pdu = controls[0]
            sentMoreData = controls.count > 1 || hasData || !raw.isEmpty
            appendHeader(.control, pdu.count, to: &octets)
            octets.append(contentsOf: pdu)
            count = pdu.count
        case .raw:
            sentMoreData = raw.count > 1 || !controls.isEmpty || hasData
            count = appendRaw(raw[0], to: &octets)
        }
        // An empty packet isn't encrypted, and what a test sends is as it is.
        if encryption.sealsOutgoing, count > 0, outgoing != .raw { count += seal(&octets) }
        CRC24.append(to: &octets, initial: crcInit)
        return count
    }

    private mutating func chooseNext(room: Delay, mayShorten: Bool) -> Outgoing {
        if !raw.isEmpty { return .raw }
        if !controls.isEmpty { return .control }
        guard hasData else { return .empty }
        let wanted = min(data[0].remaining, fragmentLimit)
        if AirTime.packet(payload: wanted + encryption.checkLength, on: phys.transmit) <= room { return .data(wanted) }
        guard mayShorten else { return .empty }
        let fitting = AirTime.longestPayload(
            within: Int(room / .microseconds(1)), on: phys.transmit)
        return fitting > 0 ? .data(min(wanted, fitting)) : .empty
    }

    @inline(__always)
    private mutating func appendHeader(_ llid: DataHeader.LLID, _ length: Int, to octets: inout [UInt8]) {
        let header = DataHeader(
            llid: llid, nesn: expected, sn: sequence, moreData: sentMoreData, length: UInt8(truncatingIfNeeded: length))
        octets.append(header.flags)
        octets.append(header.length)
    }

    /// Encrypts the payload, and appends its check; answers how much longer it is. [Vol 6, Part E, 2]
    private mutating func seal(_ octets: inout [UInt8]) -> Int {
        octets[1] += UInt8(LinkCipher.checkLength)
        encryption.cipher?.seal(&octets, from: 2, header: octets[0], counter: encryption.sendCounter)
        return LinkCipher.checkLength
    }

    private mutating func appendRaw(_ pdu: RawPDU, to octets: inout [UInt8]) -> Int {
        octets.append(contentsOf: pdu.octets)
        if !pdu.keepsSequence, !octets.isEmpty {
            let bits = DataHeader(llid: .reserved, nesn: expected, sn: sequence, moreData: sentMoreData, length: 0)
            octets[0] = octets[0] & 0b1110_0011 | bits.flags
        }
        return max(0, pdu.octets.count - 2)
    }

    /// What was outgoing has arrived. [Vol 6, Part B, 4.5.9]
    mutating func acknowledge(into events: inout [LinkEvent]) {
        sequence ^= 1
        switch outgoing {
        case .nothing, .empty: break
        case .data(let count):
            if encryption.sealsOutgoing { encryption.sendCounter &+= 1 }
            data[0].offset += count
            if data[0].remaining == 0 {
                data.removeFirst()
                events.append(.completed(1))
            }
        case .control:
            let pdu = controls[0]
            controls.removeFirst()
            if encryption.sealsOutgoing { encryption.sendCounter &+= 1 }
            controlAcknowledged(pdu.first)
            if pdu.first == LLOpcode.terminateInd.rawValue { events.append(.closed(.localHostTerminated)) }
        case .raw: raw.removeFirst()
        }
        outgoing = .nothing
    }

    /// Queues a control PDU. A termination goes before everything that hasn't been sent yet.
    mutating func queue(_ packet: LLControlPacket) {
        guard let octets = try? packet.encoded() else { return }
        if packet.opcode == .terminateInd {
            controls.insert(octets, at: outgoing == .control ? 1 : 0)
        } else if encryption.step != .idle {
            // Nothing else is sent while encryption starts or pauses. [Vol 6, Part B, 5.1.3.1]
            encryption.held.append(octets)
        } else {
            controls.append(octets)
        }
    }

    /// Queues a control PDU of the procedure that starts or pauses encryption.
    mutating func queueAtOnce(_ packet: LLControlPacket) {
        guard let octets = try? packet.encoded() else { return }
        controls.append(octets)
    }
}
