import BLEWire

/// Data between hosts and links.
extension Radio {
    /// Gives a packet that came over the air to the host.
    mutating func deliver(_ packet: [UInt8], of end: Int, into out: inout [RadioOutput]) {
        let controller = ends[end].owner
        let id = ControllerID(rawValue: controller)
        guard controllers[controller].host.isFlowControlled else { return out.append(.packet(id, packet)) }
        // The host's buffers may be smaller than what the link carries. [Vol 4, Part E, 7.3.39]
        let limit = max(1, Int(controllers[controller].host.bufferSize.aclDataPacketLength))
        var boundary = HCIACLData.Boundary(rawValue: packet[2] >> 4)
        var position = HCIACLData.headerLength
        repeat {
            let next = min(position + limit, packet.count)
            let part = HCIACLData.packet(
                handle: ends[end].handle, boundary: boundary, fragment: position..<next, of: packet)
            out.append(.packet(id, part))
            ends[end].packetsAtHost += 1
            controllers[controller].host.credits -= 1
            boundary = .continuing
            position = next
        } while position < packet.count
        tellRoom(controller)
    }

    /// Links take data only while the host has room. [Vol 4, Part E, 4.1.2]
    mutating func tellRoom(_ controller: Int) {
        let hasRoom = controllers[controller].hostHasRoom
        for end in controllers[controller].links.ends { ends[end].hostHasRoom = hasRoom }
    }

    /// An ACL data packet of a host. [Vol 4, Part E, 5.4.2]
    mutating func receiveData(_ data: HCIACLData, from controller: Int, into out: inout [RadioOutput]) {
        guard let end = controllers[controller].links[data.handle.rawValue] else {
            // The link may have ended while the packet was on its way.
            return trace(.debug, controller, "data for \(data.handle), which is no link", into: &out)
        }
        guard data.payload.count <= controllers[controller].profile.aclPacketLength else {
            return trace(.warning, controller, "a data packet is longer than the controller's buffers", into: &out)
        }
        guard controllers[controller].heldPackets < controllers[controller].profile.aclPacketCount else {
            // The host has sent more than it had credits for. [Vol 4, Part E, 7.7.26]
            return send(
                .dataBufferOverflow(HCIDataBufferOverflow()), .dataBufferOverflow, to: controller, into: &out)
        }
        guard data.broadcast == 0, data.boundary != .complete else {
            return trace(.warning, controller, "a data packet with flags that LE doesn't have", into: &out)
        }
        guard !data.payload.isEmpty else {
            // There is nothing to be sent: done at once.
            let packet = HCINumberOfCompletedPackets.packet(handle: data.handle, count: 1)
            return out.append(.packet(ControllerID(rawValue: controller), packet))
        }
        controllers[controller].heldPackets += 1
        ends[end].data.append(
            DataPacket(
                packet: data.packet, offset: HCIACLData.headerLength, isStart: data.boundary != .continuing))
    }
}

extension Controller {
    @inline(__always)
    var hostHasRoom: Bool { !host.isFlowControlled || host.credits > 0 }
}
