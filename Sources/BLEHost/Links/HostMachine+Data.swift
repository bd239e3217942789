import BLEWire

// ACL data to and from the links. [Vol 4, Part E, 5.4.2]
extension HostMachine {
    /// Queues an L2CAP PDU on a link.
    mutating func enqueue(
        _ payload: [UInt8], on channel: ChannelIdentifier, tag: UInt64?, linkAt index: Int,
        into out: inout [HostOutput]
    ) {
        if links.all[index].isEnding { return }
        let handle = links.all[index].handle
        if links.all[index].sending.count >= 4 * configuration.linkQueueLimit {
            // Only a peer that asks on and on without taking the answers gets us here.
            trace(.warning, "l2cap", "\(handle) takes nothing and asks on: ended", into: &out)
            return endLink(at: index, reason: .remoteLowResources)
        }
        links.all[index].sending.append(payload, on: channel, tag: tag)
        if !links.all[index].sending.isLinedUp {
            links.all[index].sending.isLinedUp = true
            flow.line(up: handle)
        }
    }

    /// Gives the controller what it has room for, one packet a link in turn.
    mutating func sendData(at now: Instant, into out: inout [HostOutput]) {
        while let handle = flow.nextTurn() {
            guard let index = links.index(of: handle),
                let (packet, tag) = links.all[index].sending.nextPacket(for: handle, length: flow.packetLength)
            else {
                flow.free(1)
                continue
            }
            links.all[index].sending.unacknowledged += 1
            if links.all[index].sending.isEmpty {
                links.all[index].sending.isLinedUp = false
            } else {
                flow.line(up: handle)
            }
            out.append(.send(packet))
            if let tag, tag & Self.channelTag != 0 {
                withChannels(linkAt: index, into: &out) { $0.sent(tag & ~Self.channelTag, into: &$1) }
            } else if let tag {
                var list = lendOutputs()
                links.all[index].gatt.sent(tag, into: &list)
                route(&list, of: index, at: now, into: &out)
            }
        }
    }

    /// HCI_Number_Of_Completed_Packets. [Vol 4, Part E, 7.7.19]
    mutating func completed(_ count: Int, on handle: ConnectionHandle, into out: inout [HostOutput]) {
        guard let index = links.index(of: handle) else {
            // Those of a link that has ended were given back with it. [Vol 4, Part E, 4.3]
            return trace(.debug, "hci", "\(count) packets completed on \(handle), which is no link", into: &out)
        }
        let known = min(count, links.all[index].sending.unacknowledged)
        if known < count {
            trace(.warning, "hci", "\(count) packets completed on \(handle), \(known) were on their way", into: &out)
        }
        links.all[index].sending.unacknowledged -= known
        flow.free(known)
        if !security.pairings.isEmpty { keysArrived(known, linkAt: index, into: &out) }
    }

    /// An ACL data packet from the controller, indicator first.
    mutating func receiveData(_ packet: [UInt8], at now: Instant, into out: inout [HostOutput]) {
        let data: HCIACLData
        do throws(WireError) {
            data = try HCIACLData(packet: packet)
        } catch {
            return trace(.warning, "hci", "ACL data that can't be read: \(error)", into: &out)
        }
        guard let index = links.index(of: data.handle) else {
            return trace(.debug, "hci", "ACL data on \(data.handle), which is no link", into: &out)
        }
        if !links.all[index].isEstablished {
            linkEstablished(at: index, at: now, into: &out)
            // One that was called off: the user never hears of it.
            if !links.all[index].isEstablished { return }
        }
        let (pdu, fault) = links.all[index].receiving.receive(data)
        if let fault {
            trace(.warning, "l2cap", "\(data.handle): \(fault.rawValue)", into: &out)
            if let channel = links.all[index].receiving.takeRefused() {
                withChannels(linkAt: index, into: &out) { $0.frameTooLong(on: channel, at: now, into: &$1) }
            }
        }
        guard let pdu else { return }
        switch pdu.channel {
        case .att:
            var list = lendOutputs()
            links.all[index].gatt.received(pdu.payload, server: &server, at: now, into: &list)
            route(&list, of: index, at: now, into: &out)
            if pdu.payload.first == ATTOpcode.signedWriteCommand.rawValue { keepCounters(linkAt: index, into: &out) }
        case .signalling: receiveSignalling(pdu.payload, linkAt: index, at: now, into: &out)
        case .securityManager: receiveSecurityManager(pdu.payload, linkAt: index, at: now, into: &out)
        default:
            withChannels(linkAt: index, into: &out) { $0.receive(pdu.payload, on: pdu.channel, at: now, into: &$1) }
        }
    }
}
